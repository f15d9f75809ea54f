import { doc } from "#doc";
import type * as Type from "typebox";

import { AmountSchema } from "../common/currency.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import { hexText, nullable, oneOf } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** The response of `GET /app-fees/{wallet}/balances`. */
export const AppFeeBalancesSchema = T.Object({
  balances: T.Array(AmountSchema),
  totalBalanceUsd: T.Number(),
  outstandingFastFillBalanceUsd: T.Number({ description: doc("Held for fast fills.") }),
  availableBalanceUsd: T.Number(),
}) satisfies Type.TObject;

/** App fees that a wallet can claim, as the service sends them. */
export type AppFeeBalances = ReadResponse<typeof AppFeeBalancesSchema>;

/** Claim in `GET /app-fees/{wallet}/claims`. The values of `status` are not documented. */
export const AppFeeClaimSchema = T.Object({
  claimId: T.String(),
  wallet: T.String(),
  recipient: T.String(),
  currency: AmountSchema,
  txHash: nullable(T.String()),
  status: T.String(),
  createdAt: T.String({ description: doc("ISO 8601.") }),
});

/** A claim of app fees, as the service sends it. */
export type AppFeeClaim = ReadResponse<typeof AppFeeClaimSchema>;

const only = { minItems: 1, maxItems: 1 };

const text = T.Optional(nullable(T.String()));

/**
 * Schema of the response of `POST /app-fees/{wallet}/claim`: one message to sign. All fields except the id are fixed,
 * because a wallet signs the message.
 */
export const ClaimStepsSchema = T.Object({
  steps: T.Array(
    T.Object({
      id: text,
      action: text,
      description: text,
      kind: T.Literal("signature"),
      items: T.Array(
        T.Object({
          status: text,
          data: T.Object({
            sign: T.Object({
              signatureKind: T.Literal("eip191"),
              message: hexText(doc("The id of the claim."), 32),
            }),
            post: T.Object({
              endpoint: oneOf(["/execute/permits", "/execute/permits/v2"], doc("Path to post the signature to.")),
              method: T.Literal("POST"),
              body: T.Object({ kind: T.Literal("claim"), requestId: hexText(doc("The id of the claim."), 32) }),
            }),
          }),
        }),
        only,
      ),
    }),
    only,
  ),
});

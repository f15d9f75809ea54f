import * as Type from "typebox";

import { AmountSchema } from "../common/currency.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import { hexText, nullable } from "../schema/schemaParts.ts";

/** The response of `GET /app-fees/{wallet}/balances`. */
export const AppFeeBalancesSchema = Type.Object({
  balances: Type.Array(AmountSchema),
  totalBalanceUsd: Type.Number(),
  outstandingFastFillBalanceUsd: Type.Number({ description: "Held for fast fills." }),
  availableBalanceUsd: Type.Number(),
});

/** What a wallet can claim, as the service sends it. */
export type AppFeeBalances = ReadResponse<typeof AppFeeBalancesSchema>;

/** One claim of `GET /app-fees/{wallet}/claims`. The service documents no values of `status`. */
export const AppFeeClaimSchema = Type.Object({
  claimId: Type.String(),
  wallet: Type.String(),
  recipient: Type.String(),
  currency: AmountSchema,
  txHash: nullable(Type.String()),
  status: Type.String(),
  createdAt: Type.String({ description: "ISO 8601." }),
});

/** A claim of app fees, as the service sends it. */
export type AppFeeClaim = ReadResponse<typeof AppFeeClaimSchema>;

const only = { minItems: 1, maxItems: 1 };

const text = Type.Optional(nullable(Type.String()));

/**
 * The response of `POST /app-fees/{wallet}/claim`: one message to sign. A wallet signs it, so everything but the id is
 * fixed.
 */
export const ClaimStepsSchema = Type.Object({
  steps: Type.Array(
    Type.Object({
      id: text,
      action: text,
      description: text,
      kind: Type.Literal("signature"),
      items: Type.Array(
        Type.Object({
          status: text,
          data: Type.Object({
            sign: Type.Object({
              signatureKind: Type.Literal("eip191"),
              message: hexText("The id of the claim.", 32),
            }),
            post: Type.Object({
              endpoint: Type.Literal("/execute/permits"),
              method: Type.Literal("POST"),
              body: Type.Object({ kind: Type.Literal("claim"), requestId: hexText("The id of the claim.", 32) }),
            }),
          }),
        }),
        only,
      ),
    }),
    only,
  ),
});

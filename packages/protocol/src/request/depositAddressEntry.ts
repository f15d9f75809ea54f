import { doc } from "#doc";
import type * as Type from "typebox";

import { DepositAddressTypeSchema } from "../common/depositAddressType.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** The response of `GET /deposit-addresses/v1`. */
export const DepositAddressEntrySchema = T.Object({
  depositAddress: T.String(),
  type: DepositAddressTypeSchema,
  requestId: T.String(),
  chainId: T.Integer({ description: doc("The origin chain.") }),
  createdAt: T.String({ description: doc("ISO 8601.") }),
  currency: nullable(T.String({ description: doc("Id of the origin currency, such as usdc.") })),
  refundTo: nullable(T.String()),
}) satisfies Type.TObject;

/** Deposit address with its request, as the service sends it. */
export type DepositAddressEntry = ReadResponse<typeof DepositAddressEntrySchema>;

/** The response of `POST /transactions/deposit-address/reindex`. */
export const ReindexResultSchema = T.Object({
  message: T.String(),
  triggeredCurrencies: T.Array(
    T.Object({ currency: T.String(), symbol: T.String(), balance: decimalText(doc("In the smallest unit.")) }),
  ),
  checkedCurrencies: T.Integer(),
  failedCurrencies: T.Integer({ description: doc("Currencies with an unreadable balance.") }),
});

/** Payments found at a deposit address, as the service sends them. */
export type ReindexResult = ReadResponse<typeof ReindexResultSchema>;

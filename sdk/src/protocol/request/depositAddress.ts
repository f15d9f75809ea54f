import * as Type from "typebox";

import { DepositAddressTypeSchema } from "../common/requestType.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";

/** The response of `GET /deposit-addresses/v1`. */
export const DepositAddressEntrySchema = Type.Object({
  depositAddress: Type.String(),
  type: DepositAddressTypeSchema,
  requestId: Type.String(),
  chainId: Type.Integer({ description: "The origin chain." }),
  createdAt: Type.String({ description: "ISO 8601." }),
  currency: nullable(Type.String({ description: "Id of the origin currency, such as usdc." })),
  refundTo: nullable(Type.String()),
});

/** A deposit address with its request, as the service sends it. */
export type DepositAddressEntry = ReadResponse<typeof DepositAddressEntrySchema>;

/** The response of `POST /transactions/deposit-address/reindex`. */
export const ReindexResultSchema = Type.Object({
  message: Type.String(),
  triggeredCurrencies: Type.Array(
    Type.Object({ currency: Type.String(), symbol: Type.String(), balance: decimalText("In the smallest unit.") }),
  ),
  checkedCurrencies: Type.Integer(),
  failedCurrencies: Type.Integer({ description: "Those whose balance could not be read." }),
});

/** The payments found at a deposit address, as the service sends them. */
export type ReindexResult = ReadResponse<typeof ReindexResultSchema>;

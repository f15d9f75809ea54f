import * as Type from "typebox";

import { AmountSchema } from "@crosscall/protocol/common";
import { nullable, oneOf } from "@crosscall/protocol/schema";
import type { RequestRow } from "../../store/requests/requests.ts";
import type { ListedTransaction } from "../../store/transactions.ts";
import type { ChainReader, Pricer } from "../../market/market.ts";
import { LISTED_STATUSES_V1, toListedStatusV1 } from "./status.ts";
import { toRequestRecordV2 } from "./toRequestRecordV2.ts";

const WeiFeesSchema = Type.Object({ gas: Type.String(), fixed: Type.String(), price: Type.String() });

const TransactionSchema = Type.Object({
  fee: Type.String(),
  data: Type.Optional(Type.Unknown()),
  stateChanges: Type.Optional(Type.Unknown()),
  hash: Type.String(),
  type: Type.String(),
  chainId: Type.Integer(),
  timestamp: Type.Integer(),
});

export const RequestRecordV1Schema = Type.Object(
  {
    id: Type.String(),
    status: oneOf(LISTED_STATUSES_V1, "fallback: refunded; received: deposit confirmed."),
    user: Type.String(),
    recipient: Type.String(),
    data: Type.Object({
      fees: WeiFeesSchema,
      feesUsd: WeiFeesSchema,
      inTxs: Type.Array(TransactionSchema),
      outTxs: Type.Array(TransactionSchema),
      currency: Type.String(),
      feeCurrency: Type.String(),
      appFees: Type.Array(Type.Object({ recipient: Type.String(), amount: Type.String() })),
      metadata: Type.Object({
        sender: nullable(Type.String()),
        recipient: Type.String(),
        currencyIn: Type.Optional(AmountSchema),
        currencyOut: Type.Optional(AmountSchema),
        rate: Type.Optional(Type.String()),
      }),
      price: nullable(Type.String()),
      usesExternalLiquidity: Type.Boolean(),
      timeEstimate: nullable(Type.Number()),
    }),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { description: "A request in the format of the first listing." },
);

/** Builds the record of `GET /requests`, which has a subset of the v2 fields. */
export function toRequestRecordV1(
  parts: Pricer & ChainReader,
  request: RequestRow,
  rows: readonly ListedTransaction[],
): Type.Static<typeof RequestRecordV1Schema> {
  const { id, user, recipient, data, createdAt, updatedAt } = toRequestRecordV2(parts, request, rows);
  const { currency, feeCurrency, price, usesExternalLiquidity, timeEstimate, metadata } = data;
  const toFees = ({ gas, fixed, price: variable }: typeof data.fees) => ({ gas, fixed, price: variable });
  const toTransaction = ({ block: _block, status: _status, ...fields }: (typeof data.inTxs)[number]) => fields;
  const { route: _route, currencyGasTopup: _gas, ...known } = metadata;
  return {
    id,
    status: toListedStatusV1(request.status),
    user,
    recipient,
    data: {
      fees: toFees(data.fees),
      feesUsd: toFees(data.feesUsd),
      inTxs: data.inTxs.map(toTransaction),
      outTxs: data.outTxs.map(toTransaction),
      currency,
      feeCurrency,
      appFees: data.appFees.map(({ recipient: to, amount }) => ({ recipient: to, amount })),
      metadata: known,
      price,
      usesExternalLiquidity,
      timeEstimate,
    },
    createdAt,
    updatedAt,
  };
}

import { doc } from "#doc";
import type * as Type from "typebox";

import type { ReadResponse, Received } from "../schema/readResponse.ts";
import { decimalText } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Schema of a currency (spec 1, section 2.4). */
export const CurrencySchema = T.Object(
  {
    chainId: T.Integer({ description: doc("Chain of the currency.") }),
    address: T.String({
      description: doc("Address on its chain; the zero address for the native currency of EVM chains."),
    }),
    symbol: T.String(),
    name: T.String(),
    decimals: T.Integer({ minimum: 0, description: doc("Number of decimals.") }),
    metadata: T.Object({
      logoURI: T.String(),
      verified: T.Boolean(),
      isNative: T.Boolean({ description: doc("Whether the chain's fees are paid in this currency.") }),
    }),
  },
  { description: doc("A currency.") },
);

/** A currency, as the service sends it. */
export type Currency = Received<Type.Static<typeof CurrencySchema>>;

// Schema of an amount. `amount` can be negative, because a fee can be a reward.
const amountFields = {
  amount: T.String({ pattern: "^-?(0|[1-9][0-9]*)$", description: doc("Amount in the currency's smallest unit.") }),
  amountFormatted: decimalText(doc("In whole units.")),
  amountUsd: decimalText(doc("Value in USD at the time of the request.")),
  amountUsdCurrent: T.Optional(decimalText(doc("In USD, now."))),
  minimumAmount: T.Optional(decimalText(doc("Minimum amount in the smallest unit, after slippage."))),
};

/** Schema of an amount with its currency (spec 1, section 2.4). */
export const AmountSchema = T.Object(
  { currency: CurrencySchema, ...amountFields },
  { description: doc("An amount of a currency.") },
);

/** An amount with its currency. */
export type Amount = Received<Type.Static<typeof AmountSchema>>;

/** Schema of an amount in a v3 group, which has the `currency` (spec 1, section 2.4). */
export const GroupAmountSchema = T.Object(amountFields, {
  description: doc("An amount in the currency of its group."),
});

/** A currency in the lists of the service. */
export const CurrencyEntrySchema = T.Object({
  ...CurrencySchema.properties,
  vmType: T.String({ description: doc("Family of virtual machines: evm, svm, …") }),
});

/** A currency in a list, as the service sends it. */
export type CurrencyEntry = ReadResponse<typeof CurrencyEntrySchema>;

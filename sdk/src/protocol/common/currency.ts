import * as Type from "typebox";

import type { Received, ReadResponse } from "../schema/readResponse.ts";
import { decimalText } from "../schema/schemaParts.ts";

/** Spec 1, section 2.4. */
export const CurrencySchema = Type.Object(
  {
    chainId: Type.Integer({ description: "Chain of the currency." }),
    address: Type.String({ description: "Address on its chain; the zero address for the native currency of EVM." }),
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer({ minimum: 0, description: "Digits after the point of one whole." }),
    metadata: Type.Object({
      logoURI: Type.String(),
      verified: Type.Boolean(),
      isNative: Type.Boolean({ description: "Whether the chain's fees are paid in it." }),
    }),
  },
  { description: "A currency." },
);

/** A currency, as the service sends it. */
export type Currency = Received<Type.Static<typeof CurrencySchema>>;

/** A currency in the lists of the service. */
export const CurrencyEntrySchema = Type.Object({
  ...CurrencySchema.properties,
  vmType: Type.String({ description: "Family of virtual machines: evm, svm, …" }),
});

/** A currency in a list, as the service sends it. */
export type CurrencyEntry = ReadResponse<typeof CurrencyEntrySchema>;

// `amount` may be negative: a fee can be a reward.
const amountFields = {
  amount: Type.String({ pattern: "^-?(0|[1-9][0-9]*)$", description: "In the currency's smallest unit." }),
  amountFormatted: decimalText("In whole units."),
  amountUsd: decimalText("In USD, at the time of the request."),
  amountUsdCurrent: Type.Optional(decimalText("In USD, now.")),
  minimumAmount: Type.Optional(decimalText("In the smallest unit, after slippage.")),
};

/** Spec 1, section 2.4. */
export const AmountSchema = Type.Object(
  { currency: CurrencySchema, ...amountFields },
  { description: "An amount of a currency." },
);

/** An amount with its currency. */
export type Amount = Received<Type.Static<typeof AmountSchema>>;

/** In a v3 group, `currency` is on the group (spec 1, section 2.4). */
export const GroupAmountSchema = Type.Object(amountFields, {
  description: "An amount of the currency of its group.",
});

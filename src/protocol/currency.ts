import * as Type from "typebox";

/** Schema of a currency object (spec 1, section 2.4). */
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

/** A currency. */
export type Currency = Type.Static<typeof CurrencySchema>;

// Fees can be negative (a reward), so `amount` takes a sign.
const amountFields = {
  amount: Type.String({ pattern: "^-?(0|[1-9][0-9]*)$", description: "In the currency's smallest unit." }),
  amountFormatted: Type.String({ description: "In whole units." }),
  amountUsd: Type.String({ description: "In USD, at the time of the request." }),
  amountUsdCurrent: Type.Optional(Type.String({ description: "In USD, now." })),
  minimumAmount: Type.Optional(Type.String({ description: "In the smallest unit, after slippage." })),
};

/** Schema of an amount object with its currency (spec 1, section 2.4). */
export const AmountSchema = Type.Object(
  { currency: CurrencySchema, ...amountFields },
  { description: "An amount of a currency." },
);

/** An amount with its currency. */
export type Amount = Type.Static<typeof AmountSchema>;

/** Schema of an amount object in a v3 group, whose `currency` stands on the group (spec 1, section 2.4). */
export const GroupAmountSchema = Type.Object(amountFields, {
  description: "An amount of the currency of its group.",
});

/** An amount of its group's currency. */
export type GroupAmount = Type.Static<typeof GroupAmountSchema>;

import { expect } from "chai";

import type { PricedCurrency } from "../../../../../../packages/crosscall/src/localnet/market/currencies.ts";
import {
  type Price,
  type PriceParameters,
  priceQuote,
} from "../../../../../../packages/crosscall/src/localnet/market/quote/priceQuote.ts";
import {
  destinationDollar,
  destinationEther,
  originDollar,
  originEther,
  otherCurrency,
  unsponsored,
} from "../fixtures.ts";

const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;
const CENT = 10n ** 16n;

/** 10 dollars into dollars; a fill costs 0.05 dollars of gas (20,000 gwei at 2,500 dollars an ether). */
const base: PriceParameters = {
  tradeType: "EXACT_INPUT",
  amount: 10_000_000n,
  input: originDollar,
  output: destinationDollar,
  native: destinationEther,
  fillCost: 20_000n * GWEI,
  slippageBps: 100n,
  appFeeBps: 0n,
};
const tether = otherCurrency("USDT", 6, ETHER);
const shib = otherCurrency("SHIB", 18, ETHER);

type UserPrice = Omit<Price, keyof ReturnType<typeof unsponsored>>;

const CASES: Record<string, [Partial<PriceParameters>, UserPrice]> = {
  // 10 - 0.02 - 0.05 = 9.93; 1 % less is 9.8307.
  "EXACT_INPUT of a bridge: flat fee and fill, no platform fee": [
    {},
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_930_000n,
      minimumOutput: 9_830_700n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 0n, app: 0n },
    },
  ],
  // 0.01 % of 10 is 0.001: 9.929.
  "EXACT_INPUT of a stablecoin swap: 1 bps": [
    { output: tether, slippageBps: 0n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_929_000n,
      minimumOutput: 9_929_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: CENT / 10n, app: 0n },
    },
  ],
  // 0.06 % of 2,500 is 1.5: 2,498.43 dollars.
  "EXACT_INPUT of a major swap: 6 bps": [
    { input: originEther, amount: ETHER, slippageBps: 0n },
    {
      inputAmount: ETHER,
      expectedOutput: 2_498_430_000n,
      minimumOutput: 2_498_430_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 150n * CENT, app: 0n },
    },
  ],
  // 0.15 % of 10 is 0.015: 9.915 of an 18-decimal token at one dollar.
  "EXACT_INPUT of a minor swap: 15 bps": [
    { output: shib, slippageBps: 0n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: (9_915n * ETHER) / 1_000n,
      minimumOutput: (9_915n * ETHER) / 1_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: (15n * CENT) / 10n, app: 0n },
    },
  ],
  // Platform 1 bps and app 25 bps, both of the input: 10 - 0.07 - 0.001 - 0.025 = 9.904.
  "EXACT_INPUT with app fees: on top, of the input": [
    { output: tether, slippageBps: 0n, appFeeBps: 25n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_904_000n,
      minimumOutput: 9_904_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: CENT / 10n, app: (25n * CENT) / 10n },
    },
  ],
  // 9.9301 * 0.99 = 9.830799, rounded down.
  "EXACT_INPUT with slippage: rounded down": [
    { amount: 10_000_101n, slippageBps: 100n },
    {
      inputAmount: 10_000_101n,
      expectedOutput: 9_930_101n,
      minimumOutput: 9_830_799n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 0n, app: 0n },
    },
  ],
  // 9.93 + 0.07 = 10; an exact output has no tolerance.
  "EXACT_OUTPUT of a bridge: output plus fees, exact": [
    { tradeType: "EXACT_OUTPUT", amount: 9_930_000n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_930_000n,
      minimumOutput: 9_930_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 0n, app: 0n },
    },
  ],
  // (9.904 + 0.07) / (1 - 0.0026) = 10.
  "EXACT_OUTPUT with platform and app fees: of the input, not of the output": [
    { tradeType: "EXACT_OUTPUT", amount: 9_904_000n, output: tether, appFeeBps: 25n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_904_000n,
      minimumOutput: 9_904_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: CENT / 10n, app: (25n * CENT) / 10n },
    },
  ],
  // (1 + 0.07) / (1 - 0.0001) = 1.070107..., rounded up; its fee is 1 bps of 1.070108.
  "EXACT_OUTPUT that does not divide: the input rounded up": [
    { tradeType: "EXACT_OUTPUT", amount: 1_000_000n, output: tether },
    {
      inputAmount: 1_070_108n,
      expectedOutput: 1_000_000n,
      minimumOutput: 1_000_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 107_010_800_000_000n, app: 0n },
    },
  ],
  "EXPECTED_OUTPUT: priced as an exact output, with a tolerance": [
    { tradeType: "EXPECTED_OUTPUT", amount: 9_930_000n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_930_000n,
      minimumOutput: 9_830_700n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 0n, app: 0n },
    },
  ],
};

describe("priceQuote", () => {
  for (const [name, [changes, price]] of Object.entries(CASES)) {
    it(name, () => {
      expect(priceQuote({ ...base, ...changes })).to.deep.equal({ ...price, ...unsponsored(price.fees) });
    });
  }

  describe("is undefined if the fees consume the whole amount", () => {
    it("of an exact input: equal to the fees, or one unit above them", () => {
      expect(priceQuote({ ...base, amount: 69_999n })).to.equal(undefined);
      expect(priceQuote({ ...base, amount: 70_000n })).to.equal(undefined);
      expect(priceQuote({ ...base, amount: 70_001n })).to.include({ expectedOutput: 1n });
    });

    it("of an exact input: the remainder is below the output's smallest unit", () => {
      const coarse = otherCurrency("SHIB", 0, ETHER);
      expect(priceQuote({ ...base, amount: 1_000_000n, output: coarse })).to.equal(undefined);
    });

    it("of an exact output: proportional fees of 100 % and above", () => {
      const exact: PriceParameters = { ...base, tradeType: "EXACT_OUTPUT", output: tether };
      expect(priceQuote({ ...exact, appFeeBps: 9_999n })).to.equal(undefined);
      expect(priceQuote({ ...exact, appFeeBps: 10_000n })).to.equal(undefined);
      // (10 + 0.07) / 0.0001 = 100,700.
      expect(priceQuote({ ...exact, appFeeBps: 9_998n })).to.include({ inputAmount: 100_700_000_000n });
    });

    it("of an exact input: app fees of 100 %", () => {
      expect(priceQuote({ ...base, appFeeBps: 10_000n })).to.equal(undefined);
    });
  });

  describe("is its own inverse", () => {
    const PAIRS: Record<string, [PricedCurrency, PricedCurrency]> = {
      "dollars into dollars": [originDollar, destinationDollar],
      "ether into dollars": [originEther, destinationDollar],
      "dollars into ether": [originDollar, destinationEther],
      "ether into ether": [originEther, destinationEther],
      "dollars into a minor token": [originDollar, shib],
    };
    const FACTORS = [1n, 3n, 7n, 9_999n, 10_000n, 123_457n];

    for (const [name, [input, output]] of Object.entries(PAIRS)) {
      it(`for ${name}: the output of an exact input costs at most that input as an exact output`, () => {
        const unit = 10n ** BigInt(input.currency.decimals);
        for (const appFeeBps of [0n, 1n, 25n, 333n]) {
          for (const factor of FACTORS) {
            // Whole units and neighboring amounts, to cover every rounding.
            for (const offset of [-1n, 0n, 1n, 2n]) {
              const amount = unit * factor + offset;
              const forward = priceQuote({ ...base, input, output, appFeeBps, amount });
              if (forward === undefined) throw new Error(`${amount} cannot be priced`);
              const { expectedOutput } = forward;
              const back = priceQuote({
                ...base,
                input,
                output,
                appFeeBps,
                tradeType: "EXACT_OUTPUT",
                amount: expectedOutput,
              });
              expect(back?.inputAmount, `${amount} with ${appFeeBps} bps`).to.satisfy((cost: bigint) => cost <= amount);
            }
          }
        }
      });

      it(`for ${name}: the cost of an exact output buys at least that output as an exact input`, () => {
        const unit = 10n ** BigInt(output.currency.decimals);
        for (const appFeeBps of [0n, 1n, 25n, 333n]) {
          for (const factor of FACTORS) {
            for (const offset of [-1n, 0n, 1n, 2n]) {
              const amount = unit * factor + offset;
              const cost = priceQuote({ ...base, input, output, appFeeBps, tradeType: "EXACT_OUTPUT", amount });
              if (cost === undefined) throw new Error(`${amount} cannot be priced`);
              const again = priceQuote({ ...base, input, output, appFeeBps, amount: cost.inputAmount });
              expect(again?.expectedOutput, `${amount} with ${appFeeBps} bps`).to.satisfy(
                (given: bigint) => given >= amount,
              );
            }
          }
        }
      });
    }
  });
});

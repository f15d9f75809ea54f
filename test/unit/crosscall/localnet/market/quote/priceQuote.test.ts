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

/**
 * Quote that exchanges 10 dollars for dollars on another chain. The gas of a fill costs 0.05 dollars (20,000 gwei
 * at 2,500 dollars per ether).
 */
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
  // 10 - 0.02 - 0.05 = 9.93, and 1% less is 9.8307.
  "takes the flat fee and the fill's gas from the exact input of a bridge": [
    {},
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_930_000n,
      minimumOutput: 9_830_700n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 0n, app: 0n },
    },
  ],
  // 0.01% of 10 is 0.001, so the output is 9.929.
  "takes 1 bps from the exact input of a stablecoin swap": [
    { output: tether, slippageBps: 0n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_929_000n,
      minimumOutput: 9_929_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: CENT / 10n, app: 0n },
    },
  ],
  // 0.06% of 2,500 is 1.5, so the output is 2,498.43 dollars.
  "takes 6 bps from the exact input of a major swap": [
    { input: originEther, amount: ETHER, slippageBps: 0n },
    {
      inputAmount: ETHER,
      expectedOutput: 2_498_430_000n,
      minimumOutput: 2_498_430_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 150n * CENT, app: 0n },
    },
  ],
  // 0.15% of 10 is 0.015, so the output is 9.915 of an 18-decimal token at one dollar.
  "takes 15 bps from the exact input of a minor swap": [
    { output: shib, slippageBps: 0n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: (9_915n * ETHER) / 1_000n,
      minimumOutput: (9_915n * ETHER) / 1_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: (15n * CENT) / 10n, app: 0n },
    },
  ],
  // The platform takes 1 bps and the app 25 bps, both of the input: 10 - 0.07 - 0.001 - 0.025 = 9.904.
  "takes app fees from an exact input": [
    { output: tether, slippageBps: 0n, appFeeBps: 25n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_904_000n,
      minimumOutput: 9_904_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: CENT / 10n, app: (25n * CENT) / 10n },
    },
  ],
  // 9.9301 * 0.99 = 9.830799, rounded down.
  "rounds down the minimum output of an exact input": [
    { amount: 10_000_101n, slippageBps: 100n },
    {
      inputAmount: 10_000_101n,
      expectedOutput: 9_930_101n,
      minimumOutput: 9_830_799n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 0n, app: 0n },
    },
  ],
  // 9.93 + 0.07 = 10. An exact output has no tolerance.
  "adds the fees to the exact output of a bridge": [
    { tradeType: "EXACT_OUTPUT", amount: 9_930_000n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_930_000n,
      minimumOutput: 9_930_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 0n, app: 0n },
    },
  ],
  // (9.904 + 0.07) / (1 - 0.0026) = 10.
  "calculates platform and app fees for an exact output from its input": [
    { tradeType: "EXACT_OUTPUT", amount: 9_904_000n, output: tether, appFeeBps: 25n },
    {
      inputAmount: 10_000_000n,
      expectedOutput: 9_904_000n,
      minimumOutput: 9_904_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: CENT / 10n, app: (25n * CENT) / 10n },
    },
  ],
  // (1 + 0.07) / (1 - 0.0001) = 1.070107..., rounded up. The fee is 1 bps of 1.070108.
  "rounds up the input of an exact output": [
    { tradeType: "EXACT_OUTPUT", amount: 1_000_000n, output: tether },
    {
      inputAmount: 1_070_108n,
      expectedOutput: 1_000_000n,
      minimumOutput: 1_000_000n,
      fees: { swap: 0n, execution: 7n * CENT, platform: 107_010_800_000_000n, app: 0n },
    },
  ],
  "prices an expected output as an exact output with a tolerance": [
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

  describe("returns undefined", () => {
    it("if the fees equal or exceed an exact input", () => {
      expect(priceQuote({ ...base, amount: 69_999n })).to.equal(undefined);
      expect(priceQuote({ ...base, amount: 70_000n })).to.equal(undefined);
      expect(priceQuote({ ...base, amount: 70_001n })).to.include({ expectedOutput: 1n });
    });

    it("if the remainder of an exact input is below the output's smallest unit", () => {
      const coarse = otherCurrency("SHIB", 0, ETHER);
      expect(priceQuote({ ...base, amount: 1_000_000n, output: coarse })).to.equal(undefined);
    });

    it("if the proportional fees of an exact output reach 100%", () => {
      const exact: PriceParameters = { ...base, tradeType: "EXACT_OUTPUT", output: tether };
      expect(priceQuote({ ...exact, appFeeBps: 9_999n })).to.equal(undefined);
      expect(priceQuote({ ...exact, appFeeBps: 10_000n })).to.equal(undefined);
      // (10 + 0.07) / 0.0001 = 100,700.
      expect(priceQuote({ ...exact, appFeeBps: 9_998n })).to.include({ inputAmount: 100_700_000_000n });
    });

    it("if the app fees of an exact input reach 100%", () => {
      expect(priceQuote({ ...base, appFeeBps: 10_000n })).to.equal(undefined);
    });
  });

  describe("is its own inverse", () => {
    const PAIRS: Record<string, [PricedCurrency, PricedCurrency]> = {
      "dollars to dollars": [originDollar, destinationDollar],
      "ether to dollars": [originEther, destinationDollar],
      "dollars to ether": [originDollar, destinationEther],
      "ether to ether": [originEther, destinationEther],
      "dollars to a minor token": [originDollar, shib],
    };
    const FACTORS = [1n, 3n, 7n, 9_999n, 10_000n, 123_457n];

    for (const [name, [input, output]] of Object.entries(PAIRS)) {
      it(`for ${name}: the output of an exact input costs at most that input`, () => {
        const unit = 10n ** BigInt(input.currency.decimals);
        for (const appFeeBps of [0n, 1n, 25n, 333n]) {
          for (const factor of FACTORS) {
            // Tests whole units and neighboring amounts, to cover every rounding.
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

      it(`for ${name}: the cost of an exact output buys at least that output`, () => {
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

import { expect } from "chai";
import fc from "fast-check";

import { sumFees } from "../../../../../../packages/protocol/src/fees/feeComponents.ts";
import { FEE_COMPONENTS_V2 } from "../../../../../../packages/protocol/src/schema/values.ts";
import {
  amountWorth,
  type PricedCurrency,
  usdValue,
} from "../../../../../../packages/crosscall/src/localnet/market/currencies.ts";
import {
  type PriceParameters,
  priceQuote,
} from "../../../../../../packages/crosscall/src/localnet/market/quote/priceQuote.ts";
import { destinationDollar, destinationEther, originDollar, originEther, otherCurrency } from "../fixtures.ts";
import { TRADE_TYPES } from "../../../../../../packages/protocol/src/schema/index.ts";

const USD = 10n ** 18n;
const shib = otherCurrency("SHIB", 18, USD / 1_000n);
const tether = otherCurrency("USDT", 6, USD);

/**
 * Maximum rounding difference in proportional fees. They are rounded once for the output, and once per component
 * for the record.
 */
const ROUNDING_E18 = 2n;

const sponsorship = fc.oneof(
  fc.constant({}),
  fc.record(
    { subsidizeFees: fc.constant(true), maxSubsidizationAmount: fc.bigInt({ min: 0n, max: 5_000_000n }).map(String) },
    { requiredKeys: ["subsidizeFees"] },
  ),
  fc.record(
    {
      sponsoredFeeComponents: fc.uniqueArray(fc.constantFrom(...FEE_COMPONENTS_V2), { minLength: 1 }),
      maxSubsidizationAmount: fc.bigInt({ min: 0n, max: 5_000_000n }).map(String),
    },
    { requiredKeys: ["sponsoredFeeComponents"] },
  ),
);

const parameters: fc.Arbitrary<PriceParameters> = fc.record({
  tradeType: fc.constantFrom(...TRADE_TYPES),
  amount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  input: fc.constantFrom(originDollar, originEther),
  output: fc.constantFrom(destinationDollar, destinationEther, tether, shib),
  native: fc.constant(destinationEther),
  fillCost: fc.bigInt({ min: 0n, max: 10n ** 16n }),
  slippageBps: fc.bigInt({ min: 0n, max: 10_000n }),
  appFeeBps: fc.bigInt({ min: 0n, max: 9_800n }),
  sponsorship,
  passThroughUsdE18: fc.constantFrom(0n, USD),
  rebalancingBps: fc.constantFrom(0n, 5n, 80n),
});

/** Returns the value of a currency's smallest unit, rounded up. */
function unitWorth({ currency, priceUsdE18 }: PricedCurrency): bigint {
  return priceUsdE18 / 10n ** BigInt(currency.decimals) + 1n;
}

describe("the amounts of a quote", () => {
  it("add up: the input equals the output plus the costs, within a unit of either currency", () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const price = priceQuote(given);
        if (price === undefined) return;
        const { inputAmount, expectedOutput, sponsored, passThroughUsdE18 } = price;
        const inUsd = usdValue(inputAmount, given.input);
        const outUsd = usdValue(expectedOutput, given.output);
        const dust = inUsd - outUsd - sponsored.userPaysTotalUsdE18 - passThroughUsdE18;
        expect(dust >= -ROUNDING_E18, `dust ${dust}`).to.equal(true);
        const unit = given.tradeType === "EXACT_INPUT" ? unitWorth(given.output) : unitWorth(given.input);
        expect(dust <= unit + ROUNDING_E18, `the difference of ${dust} exceeds a unit of ${unit}`).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("split each fee between the user and the sponsor, who pays up to the cap", () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const price = priceQuote(given);
        if (price === undefined) return;
        const { sponsoredTotalUsdE18, userPaysTotalUsdE18 } = price.sponsored;
        expect(sponsoredTotalUsdE18 + userPaysTotalUsdE18).to.equal(sumFees(price.fees));
        const cap = given.sponsorship?.maxSubsidizationAmount;
        if (cap !== undefined) expect(sponsoredTotalUsdE18 <= BigInt(cap) * 10n ** 12n).to.equal(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("deliver an exact output exactly, and include a minimum that does not exceed the expected output", () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const price = priceQuote(given);
        if (price === undefined) return;
        expect(price.minimumOutput <= price.expectedOutput).to.equal(true);
        if (given.tradeType === "EXACT_INPUT") expect(price.inputAmount).to.equal(given.amount);
        else expect(price.expectedOutput).to.equal(given.amount);
        if (given.tradeType === "EXACT_OUTPUT") expect(price.minimumOutput).to.equal(given.amount);
      }),
      { numRuns: 1_000 },
    );
  });

  it("never decrease if the requested amount increases", () => {
    fc.assert(
      fc.property(parameters, fc.bigInt({ min: 1n, max: 10n ** 20n }), (given, more) => {
        const small = priceQuote(given);
        const large = priceQuote({ ...given, amount: given.amount + more });
        if (small === undefined) return;
        expect(large).to.not.equal(undefined);
        if (given.tradeType === "EXACT_INPUT") {
          expect((large?.expectedOutput ?? 0n) >= small.expectedOutput).to.equal(true);
        } else {
          expect((large?.inputAmount ?? 0n) >= small.inputAmount).to.equal(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("can be inverted with and without a sponsor", () => {
    fc.assert(
      fc.property(parameters, (given) => {
        const cost = priceQuote({ ...given, tradeType: "EXACT_OUTPUT" });
        if (cost === undefined || cost.inputAmount === 0n) return;
        const again = priceQuote({ ...given, tradeType: "EXACT_INPUT", amount: cost.inputAmount });
        // An output without measurable value has no inverse.
        if (amountWorth(usdValue(given.amount, given.output), given.output) !== given.amount) return;
        expect((again?.expectedOutput ?? 0n) >= given.amount).to.equal(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("equal the full input for a sponsored bridge", () => {
    const bridge: PriceParameters = {
      tradeType: "EXACT_INPUT",
      amount: 10_000_000n,
      input: originDollar,
      output: destinationDollar,
      native: destinationEther,
      fillCost: 20_000_000_000_000n,
      slippageBps: 0n,
      appFeeBps: 25n,
      sponsorship: { subsidizeFees: true },
    };
    expect(priceQuote(bridge)?.expectedOutput).to.equal(10_000_000n);
    expect(priceQuote({ ...bridge, tradeType: "EXACT_OUTPUT" })?.inputAmount).to.equal(10_000_000n);
    // The execution fee of 0.07 is sponsored. The app fee of 0.025 is not.
    const some = { sponsoredFeeComponents: ["execution" as const] };
    expect(priceQuote({ ...bridge, sponsorship: some })?.expectedOutput).to.equal(9_975_000n);
    // The fees total 0.095. The sponsor pays up to the cap of 0.05.
    const capped = priceQuote({ ...bridge, sponsorship: { subsidizeFees: true, maxSubsidizationAmount: "50000" } });
    expect([capped?.expectedOutput, capped?.sponsored.isCapHit]).to.deep.equal([9_955_000n, true]);
    // With a deposit address, a cap that is too low sponsors nothing.
    const address = { subsidizeFees: true, maxSubsidizationAmount: "50000", useDepositAddress: true };
    expect(priceQuote({ ...bridge, sponsorship: address })?.expectedOutput).to.equal(9_905_000n);
  });
});

import { expect } from "chai";

import { EXCHANGE_CHAIN_ID } from "../../../../packages/protocol/src/chains/chainIds.ts";
import { formatFeeTable } from "../../../../packages/protocol/src/fees/formatFeeTable.ts";
import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import type { Quote } from "../../../../packages/protocol/src/complete.ts";
import { QuoteSchema } from "../../../../packages/protocol/src/quote/quote.ts";
import { quoteFeeTable } from "../../../../packages/protocol/src/quote/quoteFeeTable.ts";
import { malformed } from "../everyField.ts";
import { NATIVE, quote as wholeQuote } from "../fixtures.ts";

const MICRO = 10n ** 12n;
const whole = parseData(QuoteSchema, wholeQuote, "it");

/**
 * Fees of a quote with an input of 1.265112 dollars and an output of 1.229758. The service's own components do not
 * add up to its total.
 */
const quote: Quote = {
  ...whole,
  fees: { ...whole.fees, gas: { ...whole.fees.gas, amountUsd: "0.004" } },
  details: {
    ...whole.details,
    currencyIn: { ...whole.details.currencyIn, amountUsd: "1.265112" },
    currencyOut: { ...whole.details.currencyOut, amountUsd: "1.229758", minimumAmount: "1223660" },
    totalImpact: { usd: "-0.035354", percent: "-2.79" },
    expandedPriceImpact: {
      swap: { usd: "-0.003623" },
      execution: { usd: "-0.026073" },
      relay: { usd: "-0.005905" },
      app: { usd: "0" },
    },
  },
};
const { details } = quote;
const withImpact = (changes: Partial<Quote["details"]["expandedPriceImpact"]>): Quote => ({
  ...quote,
  details: { ...details, expandedPriceImpact: { ...details.expandedPriceImpact, ...changes } },
});

describe("quoteFeeTable", () => {
  it("lists the components as costs, and reports totals that deviate", () => {
    const stated = { statedUsdE18: 35_354n * MICRO, summedUsdE18: 35_601n * MICRO, differenceUsdE18: -247n * MICRO };
    expect(quoteFeeTable(quote)).to.deep.equal({
      lines: [
        { group: "provider", component: "platform", usdE18: 5_905n * MICRO },
        { group: "app", component: "app", usdE18: 0n },
        { group: "swapImpact", component: "swap", usdE18: 3_623n * MICRO },
        { group: "swapImpact", component: "execution", usdE18: 26_073n * MICRO },
      ],
      groups: { provider: 5_905n * MICRO, app: 0n, swapImpact: 29_696n * MICRO, passThrough: 0n },
      totalUsdE18: 35_601n * MICRO,
      sponsorPaysUsdE18: 0n,
      userPaysUsdE18: 35_601n * MICRO,
      originGasUsdE18: 4_000n * MICRO,
      arrivesAtLeast: { currency: details.currencyOut.currency, amount: 1_223_660n },
      mismatches: [
        { field: "details.totalImpact.usd", ...stated },
        { field: "details.currencyOut.amountUsd", ...stated },
      ],
    });
  });

  it("has no mismatch if the amounts add up", () => {
    const exact = withImpact({ swap: { usd: "-0.003376" } });
    expect(quoteFeeTable(exact).mismatches).to.deep.equal([]);
  });

  it("subtracts the sponsored amount with either sign", () => {
    for (const usd of ["0.005905", "-0.005905"]) {
      const { sponsorPaysUsdE18, userPaysUsdE18, totalUsdE18 } = quoteFeeTable(withImpact({ sponsored: { usd } }));
      expect([sponsorPaysUsdE18, userPaysUsdE18, totalUsdE18]).to.deep.equal([
        5_905n * MICRO,
        29_696n * MICRO,
        35_601n * MICRO,
      ]);
    }
  });

  it("does not subtract the sponsored amount from the stated total, and can add it to the output", () => {
    const add = { swap: { usd: "-0.003376" }, sponsored: { usd: "0.02" } };
    const fieldsOf = (usd: string, outputUsd: string): readonly string[] => {
      const { details: sponsored } = withImpact(add);
      const currencyOut = { ...sponsored.currencyOut, amountUsd: outputUsd };
      const changed = { ...sponsored, currencyOut, totalImpact: { usd, percent: "0" } };
      return quoteFeeTable({ ...quote, details: changed }).mismatches.map(({ field }) => field);
    };
    expect(fieldsOf("-0.035354", "1.229758")).to.deep.equal([]);
    expect(fieldsOf("-0.035354", "1.249758")).to.deep.equal([]);
    expect(fieldsOf("-0.015354", "1.249758")).to.deep.equal(["details.totalImpact.usd"]);
    expect(fieldsOf("-0.035354", "1.24")).to.deep.equal(["details.currencyOut.amountUsd"]);
  });

  it("adds the activation fee of a deposit to the exchange chain if only the total includes it", () => {
    const currency = { ...details.currencyOut.currency, chainId: EXCHANGE_CHAIN_ID, address: "3" };
    const toExchange = { ...details, currencyOut: { ...details.currencyOut, currency } };
    const active: Quote = { ...quote, details: toExchange };
    const activated: Quote = {
      ...quote,
      details: { ...toExchange, totalImpact: { usd: "-1.035354", percent: "-81.83" } },
    };
    const { lines, groups, totalUsdE18 } = quoteFeeTable(activated);
    expect(lines.at(-1)).to.deep.equal({ group: "passThrough", component: "activation", usdE18: 10n ** 18n });
    expect([groups.passThrough, totalUsdE18]).to.deep.equal([10n ** 18n, 10n ** 18n + 35_601n * MICRO]);
    expect(quoteFeeTable(active).lines).to.have.length(4);
    const contained = withImpact({ execution: { usd: "-1.026073" } });
    const { totalImpact } = activated.details;
    const both: Quote = {
      ...contained,
      details: { ...contained.details, currencyOut: toExchange.currencyOut, totalImpact },
    };
    expect(quoteFeeTable(both).lines).to.have.length(4);
    expect(quoteFeeTable(activated, { hasActivationFee: false }).lines).to.have.length(4);
    expect(quoteFeeTable(quote, { hasActivationFee: true }).lines).to.have.length(5);
  });

  it("adds no origin gas to a gasless quote", () => {
    const steps = quote.steps.map((step) => ({ ...step, kind: "signature" as const }));
    expect(quoteFeeTable({ ...quote, steps }).originGasUsdE18).to.equal(0n);
    expect(quoteFeeTable({ ...quote, steps: [...steps, ...quote.steps] }).originGasUsdE18).to.equal(4_000n * MICRO);
  });

  it("limits the output to the amount that the order guarantees", () => {
    const currency = { ...details.currencyOut.currency, address: NATIVE };
    const native: Quote = { ...quote, details: { ...details, currencyOut: { ...details.currencyOut, currency } } };
    expect(quoteFeeTable(native).arrivesAtLeast?.amount).to.equal(979n);
  });

  it("reports an invalid number", () => {
    const error = malformed(() => quoteFeeTable(withImpact({ relay: { usd: "free" } })));
    expect([error.what, error.path]).to.deep.equal(["the quote", "details.expandedPriceImpact.relay.usd"]);
    const currencyOut = { ...details.currencyOut, minimumAmount: "some" };
    expect(malformed(() => quoteFeeTable({ ...quote, details: { ...details, currencyOut } })).path).to.equal(
      "details.currencyOut.minimumAmount",
    );
  });
});

describe("formatFeeTable", () => {
  it("prints rounded numbers that add up", () => {
    const text = formatFeeTable(quoteFeeTable(withImpact({ sponsored: { usd: "0.005905" } })));
    expect(text.split("\n")).to.deep.equal([
      "provider fee              0.005905 USD",
      "app fee                   0.000000 USD",
      "swap impact               0.029696 USD",
      "  swap                    0.003623 USD",
      "  execution               0.026073 USD",
      "total                     0.035601 USD",
      "sponsor pays              0.005905 USD",
      "user pays                 0.029696 USD",
      "origin gas, not in total  0.004000 USD",
      "arrives at least 1.22366 USDC",
      "details.totalImpact.usd is 0.035354 USD, which differs by -0.000247 USD",
      "details.currencyOut.amountUsd is 0.035354 USD, which differs by -0.000247 USD",
    ]);
  });

  it("omits unknown values", () => {
    const { mismatches: _, ...table } = quoteFeeTable(quote, { hasActivationFee: true });
    const bare = { ...table, originGasUsdE18: undefined, arrivesAtLeast: undefined, mismatches: [] };
    const labels = formatFeeTable(bare)
      .split("\n")
      .map((line) => line.split("  ")[0]);
    expect(labels).to.deep.equal([
      "provider fee",
      "app fee",
      "swap impact",
      "",
      "",
      "activation fee",
      "total",
      "sponsor pays",
      "user pays",
    ]);
  });
});

import { expect } from "chai";

import type { FeesUsd } from "../../../../../../packages/protocol/src/fees/feeComponents.ts";
import { QuoteDetailsSchema, QuoteFeesSchema } from "../../../../../../packages/protocol/src/quote/quote.ts";
import { sponsorFees } from "../../../../../../packages/protocol/src/quote/sponsorFees.ts";
import { parseData } from "../../../../../../packages/protocol/src/schema/parse.ts";
import {
  amountObject,
  buildDetails,
  buildFees,
} from "../../../../../../packages/crosscall/src/localnet/market/quote/buildDetails.ts";
import type { Price } from "../../../../../../packages/crosscall/src/localnet/market/quote/priceQuote.ts";
import type { EvmQuote } from "../../../../../../packages/crosscall/src/localnet/market/quote/resolveQuote.ts";
import { destinationDollar, originDollar, originEther, quote, RECIPIENT, unsponsored, USER } from "../fixtures.ts";

const ETHER = 10n ** 18n;

// Quote that exchanges one ether for dollars, with fees of 0.02 for execution, 1.5 (6 bps) for the platform and 2.5
// (10 bps) for the app.
const swap: EvmQuote = { ...quote, input: originEther };
const paid: FeesUsd = { swap: 0n, execution: ETHER / 50n, platform: (3n * ETHER) / 2n, app: (5n * ETHER) / 2n };
const price: Price = {
  inputAmount: ETHER,
  expectedOutput: 2_495_980_000n,
  minimumOutput: 2_446_060_400n,
  fees: paid,
  ...unsponsored(paid),
};
const ether = originEther.currency;
const dollar = destinationDollar.currency;

describe("amountObject", () => {
  it("returns an amount in the smallest unit, in whole units and in dollars", () => {
    expect(amountObject(1_500_000n, destinationDollar)).to.deep.equal({
      currency: dollar,
      amount: "1500000",
      amountFormatted: "1.5",
      amountUsd: "1.500000",
    });
  });

  it("returns the minimum, if any", () => {
    expect(amountObject(5n, destinationDollar, 0n)).to.include({ amount: "5", minimumAmount: "0" });
  });
});

describe("buildDetails", () => {
  it("returns all details of a swap, with costs as negative amounts", () => {
    const currencyIn = {
      currency: ether,
      amount: "1000000000000000000",
      amountFormatted: "1",
      amountUsd: "2500.000000",
      minimumAmount: "1000000000000000000",
    };
    const currencyOut = {
      currency: dollar,
      amount: "2495980000",
      amountFormatted: "2495.98",
      amountUsd: "2495.980000",
      minimumAmount: "2446060400",
    };
    const details = buildDetails({ quote: swap, price, slippageBps: 200n, userBalance: 9n });
    expect(details).to.deep.equal({
      operation: "swap",
      sender: USER,
      recipient: RECIPIENT,
      currencyIn,
      currencyOut,
      refundCurrency: currencyIn,
      totalImpact: { usd: "-4.020000", percent: "-0.16" },
      swapImpact: { usd: "0.000000", percent: "0.00" },
      expandedPriceImpact: {
        swap: { usd: "0.000000" },
        execution: { usd: "-0.020000" },
        relay: { usd: "-1.500000" },
        app: { usd: "-2.500000" },
      },
      rate: "2495.98",
      slippageTolerance: {
        total: "200",
        origin: { usd: "0.000000", value: "0", percent: "0.00" },
        destination: { usd: "49.919600", value: "49919600", percent: "2.00" },
      },
      timeEstimate: 1,
      userBalance: "9",
      isFixedRate: false,
      route: {
        origin: { inputCurrency: currencyIn, outputCurrency: currencyIn, router: "crosscall-local" },
        destination: { inputCurrency: currencyOut, outputCurrency: currencyOut, router: "crosscall-local" },
      },
    });
    expect(parseData(QuoteDetailsSchema, details, "the details")).to.equal(details);
  });

  it("returns a bridge operation if both sides have the same symbol", () => {
    const details = buildDetails({
      quote,
      price: { ...price, inputAmount: 2_500_000_000n },
      slippageBps: 0n,
      userBalance: 0n,
    });
    expect([details.operation, details.rate]).to.deep.equal(["bridge", "0.998392"]);
  });
});

describe("buildFees", () => {
  it("returns the service's fees in the input currency, and gas in the native currency", () => {
    const dollars = { ...price, inputAmount: 2_500_000_000n };
    const fees = buildFees({ quote: { ...quote, originNative: originEther }, price: dollars }, ETHER / 1_000n);
    const amounts = Object.entries(fees).map(([name, { currency, amount, minimumAmount }]) => {
      expect(minimumAmount, name).to.equal(amount);
      return [name, currency, amount];
    });
    const { currency } = originDollar;
    expect(amounts).to.deep.equal([
      ["gas", ether, "1000000000000000"],
      ["relayer", currency, "1520000"],
      ["relayerGas", currency, "20000"],
      ["relayerService", currency, "1500000"],
      ["app", currency, "2500000"],
      ["subsidized", currency, "0"],
    ]);
    expect(parseData(QuoteFeesSchema, fees, "the fees")).to.equal(fees);
  });

  it("returns the sponsored amount, and its price impact", () => {
    const sponsored = sponsorFees(paid, { subsidizeFees: true });
    const withSponsor = { ...swap, request: { ...swap.request, subsidizeFees: true } };
    const sponsoredPrice = { ...price, expectedOutput: 2_500_000_000n, sponsored };
    expect(buildFees({ quote: withSponsor, price: sponsoredPrice }, 0n).subsidized?.amount).to.equal(
      ((402n * ETHER) / 250_000n).toString(),
    );
    const details = buildDetails({ quote: withSponsor, price: sponsoredPrice, slippageBps: 0n, userBalance: 0n });
    expect(details.expandedPriceImpact.sponsored).to.deep.equal({ usd: "4.020000" });
    expect(details.totalImpact).to.deep.equal({ usd: "-4.020000", percent: "-0.16" });
  });
});

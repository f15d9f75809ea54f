import { expect } from "chai";

import {
  CurrencyTable,
  pricedCurrencies,
  type PricedCurrency,
} from "../../../../../../packages/crosscall/src/localnet/market/currencies.ts";
import { priceSwapped } from "../../../../../../packages/crosscall/src/localnet/market/quote/priceSwapped.ts";
import { RejectionError } from "../../../../../../packages/crosscall/src/localnet/market/rejection.ts";
import { destination, destinationDollar, destinationEther, originDollar, quote } from "../fixtures.ts";

const currencies = new CurrencyTable(pricedCurrencies(destination.id, destination.tokens));
const wrapped = currencies.require(destination.id, destination.contracts.wrappedNative);
const tether = currencies.require(destination.id, destination.contracts.tether);

const price = (output: PricedCurrency, tradeType: "EXACT_INPUT" | "EXACT_OUTPUT", amount: bigint) =>
  priceSwapped(quote, currencies, {
    tradeType,
    amount,
    input: originDollar,
    output,
    native: destinationEther,
    fillCost: 0n,
    slippageBps: 100n,
    appFeeBps: 0n,
  });

// The fixture's chain has no pools and no node, so these tests send no requests.
describe("priceSwapped", () => {
  it("skips the swap for currencies that the solver holds", async () => {
    const swapped = await price(destinationDollar, "EXACT_INPUT", 5_000_000n);
    expect(swapped?.quoted).to.equal(undefined);
    expect(swapped?.price.fees.swap).to.equal(0n);
  });

  it("wraps native currency one to one at no cost", async () => {
    const swapped = await price(wrapped, "EXACT_INPUT", 2_500_000_000n);
    const { expectedOutput = 0n, minimumOutput = 0n, fees } = swapped?.price ?? {};
    expect(swapped?.quoted).to.deep.include({
      source: "wrapped-native",
      amountIn: expectedOutput,
      amountOut: expectedOutput,
    });
    expect(swapped?.quoted?.inventory).to.equal(currencies.nativeOf(destination.id));
    expect(minimumOutput).to.equal((expectedOutput * 99n) / 100n);
    expect(fees?.swap).to.equal(0n);
    const exact = await price(wrapped, "EXACT_OUTPUT", 10n ** 18n);
    expect(exact?.quoted).to.deep.include({ amountIn: 10n ** 18n, amountOut: 10n ** 18n });
  });

  it("rejects currencies without a path of pools", async () => {
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
      const refused = await price(tether, tradeType, 5_000_000n).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(RejectionError);
      expect((refused as RejectionError).body).to.deep.include({ errorCode: "NO_SWAP_ROUTES_FOUND" });
      expect((refused as RejectionError).status).to.equal(400);
    }
  });

  it("returns no price if the fees exceed the amount, regardless of the pools", async () => {
    expect(await price(tether, "EXACT_INPUT", 1n)).to.equal(undefined);
  });
});

import { expect } from "chai";

import { createServiceClient } from "../../packages/sdk/src/index.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/index.ts";
import { getQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { recordOf, recordV2Of } from "./support/serviceCalls.ts";
import { depositAndWatch, etherRequest, quoteEther, requestIdOf } from "./support/requests.ts";

const AUGUST = Date.parse("2026-08-15T12:00:00Z");

describe("v2 records of the local service", () => {
  const network = useNetwork({ clock: { now: () => AUGUST }, sponsoringApiKeys: [LOCAL_API_KEY] });

  it("report the price in the currency that the user receives, and sponsored components by their v2 names", async () => {
    const [, destination] = network.chains;
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const quote = await getQuote(client, {
      ...etherRequest(network),
      destinationCurrency: destination.contracts.token,
      sponsoredFeeComponents: ["execution", "relay"],
    });
    const { currencyOut, route } = quote.details;
    expect(route.destination?.inputCurrency.currency.symbol).to.not.equal(currencyOut.currency.symbol);
    const id = quote.steps[0]?.requestId ?? "";
    const { data: v3 } = await recordOf(network, id);
    expect(v3.route?.quoted.destination?.outputCurrency).to.deep.equal(currencyOut);
    expect(v3.route?.actual.destination?.outputCurrency).to.deep.equal(currencyOut);
    expect(v3.route?.actual.destination?.inputCurrency).to.deep.equal(route.destination?.inputCurrency);
    const { data } = await recordV2Of(network, id);
    expect(data.price).to.equal(currencyOut.amount);
    const selected = ["execution", "relay"];
    expect(data).to.have.deep.nested.property("feeSponsorship.quoted.selectedComponents", selected);
  });

  it("include the same settlement as v3, but no transaction fees in USD", async () => {
    const quote = await quoteEther(network);
    await depositAndWatch(network, quote);
    const id = requestIdOf(quote);
    const { protocol, data: v3 } = await recordOf(network, id);
    const [deposit, fill] = [...v3.inTxs, ...v3.outTxs];
    // One ether is worth 2,500 US dollars.
    for (const entry of [deposit, fill]) {
      const difference = Number(entry?.feeUsd) - (Number(entry?.fee) * 2_500) / 1e18;
      expect(Math.abs(difference) <= 0.000_001, `${difference}`).to.equal(true);
    }
    const v2 = await recordV2Of(network, id);
    expect(v2.protocol).to.deep.equal(protocol);
    expect(protocol?.deposit?.origin?.transactionId).to.equal(deposit?.txHash);
    const { txHash: hash, feeUsd: _, ...entry } = deposit ?? expect.fail("no deposit");
    expect(v2.data.inTxs).to.deep.equal([{ hash, ...entry }]);
  });
});

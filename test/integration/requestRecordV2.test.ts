import { expect } from "chai";

import { parseData } from "../../packages/protocol/src/index.ts";
import { createServiceClient } from "../../packages/sdk/src/index.ts";
import { RequestRecordV2Schema, toV3 } from "../../packages/sdk/src/migrate.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/index.ts";
import { getQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { recordOf, recordV2Of } from "./support/serviceCalls.ts";
import { callAdmin } from "./support/adminCalls.ts";
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

  it("convert to the v3 records of the same requests, except for what v2 lacks", async () => {
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const request = {
      ...etherRequest(network),
      appFees: [{ recipient: network.accounts.stranger.address, fee: "10" }],
    };
    for (const subsidizeFees of [false, true]) {
      const quote = await getQuote(client, { ...request, subsidizeFees });
      const id = requestIdOf(quote);
      await callAdmin(network, "POST", `/admin/requests/${id}/record`, {
        usesOraclePrice: true,
        partnerId: "partner-7",
      });
      expect(await differences(id), "before the payment").to.deep.equal([]);
      await depositAndWatch(network, quote);
      expect(await differences(id), "after the fill").to.deep.equal([]);
      const { data } = await recordOf(network, id);
      expect(data.feeSponsorship?.actual?.sponsorPayment !== undefined).to.equal(subsidizeFees);
    }
  });

  /** Returns the paths at which the converted v2 record differs from the v3 record, except for fields that v2 lacks. */
  async function differences(id: string): Promise<string[]> {
    const record = await recordOf(network, id);
    const { record: converted, lost } = toV3(
      parseData(RequestRecordV2Schema, await recordV2Of(network, id), "the record"),
    );
    expect(lost.map(({ path }) => path).filter((path) => !/^data\.fees(Usd)?\./u.test(path))).to.deep.equal([]);
    return differingPaths(record, converted).filter((path) => !LACKED.test(path));
  }
});

/** Fields of v3 records that v2 records lack. */
const LACKED =
  /^(requestType|data\.(in|out)Txs\.\d+\.feeUsd|data\.fees\.\w+\.\w+\.amount(Formatted)?|data\.quoteOraclePrice\.\w+\.(amountUsd|minimumAmount))$/u;

function differingPaths(left: unknown, right: unknown, path = ""): string[] {
  if (typeof left === "object" && left !== null && typeof right === "object" && right !== null) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].flatMap((name) =>
      differingPaths(Reflect.get(left, name), Reflect.get(right, name), path === "" ? name : `${path}.${name}`),
    );
  }
  return (left ?? null) === (right ?? null) ? [] : [path];
}

import { expect } from "chai";
import { encodeFunctionData, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { createServiceClient, verifySignature } from "../../packages/sdk/src/index.ts";
import type { IntentStatus } from "../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { getQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import {
  etherRequest,
  depositAndWatch,
  depositNative,
  orderIdOf,
  quoteEther,
  requestIdOf,
  watchToEnd,
} from "./support/requests.ts";
import { get, listRequests, recordOf } from "./support/serviceCalls.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const AUGUST = Date.parse("2026-08-15T12:00:00Z");
const NAMED = "crosscall-named";

describe("records and statuses of the local service", () => {
  const network = useNetwork({
    clock: { now: () => AUGUST },
    keys: [{ apiKey: NAMED, label: "checkout" }],
  });

  const statusOf = async (id: string): Promise<IntentStatus> =>
    (await get(network, `/intents/status/v3?requestId=${id}`)).body as IntentStatus;

  const quoteWith = (apiKey: string, change: Partial<QuoteRequest> = {}) => {
    return getQuote(
      createServiceClient({ baseUrl: network.url, apiKey }),
      etherRequest(network, {
        destinationCurrency: zeroAddress,
        referrer: "app",
        ...change,
      }),
    );
  };

  it("include reasons only for failures and refunds", async () => {
    const waiting = await quoteEther(network);
    expect(await statusOf(requestIdOf(waiting))).to.include({ failReason: "N/A", refundFailReason: "N/A" });
    expect(await depositAndWatch(network, waiting)).to.include({ status: "success", failReason: "N/A" });

    const small = await quoteEther(network);
    await depositNative(network, { id: orderIdOf(small), value: parseEther("0.5") });
    expect(await watchToEnd(network, requestIdOf(small))).to.include({
      status: "refund",
      failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
      refundFailReason: "N/A",
    });

    const unsendable = await quoteEther(network, { refundTo: network.chains[0].contracts.dollar });
    await depositNative(network, { id: orderIdOf(unsendable), value: parseEther("0.5") });
    expect(await watchToEnd(network, requestIdOf(unsendable))).to.include({
      status: "failure",
      failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL",
      refundFailReason: "MANUAL_REFUND_REQUIRED",
    });
    const { data } = await recordOf(network, requestIdOf(unsendable));
    expect(data.refundFailReason).to.equal("MANUAL_REFUND_REQUIRED");
  });

  it("are found by ids in upper case, with their transactions and signature", async () => {
    const quote = await quoteEther(network);
    await depositAndWatch(network, quote);
    const id = `0x${requestIdOf(quote).slice(2).toUpperCase()}`;
    const status = await statusOf(id);
    expect(status).to.deep.equal(await statusOf(requestIdOf(quote)));
    expect(status.inTxHashes).to.have.length(1);
    const client = createServiceClient({ baseUrl: network.url });
    expect((await verifySignature(client, { requestId: id })).isValid).to.equal(true);
  });

  it("include the payer, but no refund address without a deposit address", async () => {
    const [origin] = network.chains;
    const quote = await quoteEther(network);
    expect(await recordOf(network, requestIdOf(quote))).to.include({ sender: network.accounts.user.address });
    const stranger = chainClient(origin.id, origin.rpcUrl, network.accounts.stranger);
    const hash = await sendTransaction(stranger, {
      to: origin.contracts.depository,
      data: encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositNative",
        args: [zeroAddress, orderIdOf(quote)],
      }),
      value: parseEther("1"),
    });
    await waitForTransactionReceipt(stranger, { hash });
    await watchToEnd(network, requestIdOf(quote));
    const record = await recordOf(network, requestIdOf(quote));
    expect(record).to.include({
      user: network.accounts.user.address,
      sender: network.accounts.stranger.address,
      refundTo: null,
    });
    expect(record.data.appFees).to.deep.equal({
      quoted: [],
      actual: [],
      currency: quote.details.currencyIn.currency,
    });
  });

  it("include the key's name for its integrator, on request", async () => {
    const named = requestIdOf(await quoteWith(NAMED));
    const unnamed = requestIdOf(await quoteWith(network.apiKey));
    const namesOf = async (id: string, query = "&includeAuthenticatedData=true") =>
      (await listRequests(network, `?id=${id}${query}`)).requests.map(({ data }) => data.apiKeyName);
    expect(await namesOf(named)).to.deep.equal(["checkout"]);
    expect(await namesOf(unnamed)).to.deep.equal([null]);
    expect(await namesOf(named, "")).to.deep.equal([undefined]);
  });

  it("include the referrer in v2 for its integrator, on request", async () => {
    const id = requestIdOf(await quoteWith(network.apiKey));
    const referrerOf = async (query: string, headers: Record<string, string> = {}) => {
      const { body } = await get(network, `/requests/v2?id=${id}${query}`, headers);
      return (body as { requests: { referrer: string | null }[] }).requests[0]?.referrer;
    };
    const key = { "x-api-key": network.apiKey };
    expect(await referrerOf("&includeAuthenticatedData=true", key)).to.equal("app");
    expect(await referrerOf("", key)).to.equal(null);
    expect(await referrerOf("&includeAuthenticatedData=true")).to.equal(null);
  });

  it("cannot be filtered by a parameter that v2 lacks", async () => {
    for (const [query, field] of [
      ["term=0x12", "term"],
      ["statsu=success", "statsu"],
    ]) {
      const { status, body } = await get(network, `/requests/v2?${query}`);
      expect([status, (body as { field: string }).field]).to.deep.equal([400, field]);
    }
  });
});

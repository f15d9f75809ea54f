import { expect } from "chai";
import { type Address, zeroAddress } from "viem";

import { createServiceClient } from "../../packages/sdk/src/index.ts";
import { RequestRecordV2Schema, toV3 } from "../../packages/sdk/src/migrate.ts";
import { parseData, type QuoteRequest } from "../../packages/protocol/src/index.ts";
import { getQuote, getStatus } from "../support/complete.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { callAdmin } from "./support/adminCalls.ts";
import {
  etherRequest,
  depositNative,
  onNode,
  orderIdOf,
  quoteEther,
  requestIdOf,
  watchToEnd,
} from "./support/requests.ts";
import { get, listRequests, post, recordOf, recordV2Of } from "./support/serviceCalls.ts";

const AUGUST = Date.parse("2026-08-15T12:00:00Z");
const SHARING = "crosscall-sharing";
const WALLET: Address = "0x00000000000000000000000000000000000000bb";

describe("record fields that do not come from quotes and transactions", () => {
  const network = useNetwork({ clock: { now: () => AUGUST }, keys: [{ apiKey: SHARING, integrator: "sharing" }] });

  const quoteWith = (apiKey: string, change: Partial<QuoteRequest> = {}) => {
    return getQuote(createServiceClient({ baseUrl: network.url, apiKey }), etherRequest(network, { ...change }));
  };
  const ownData = async (id: string, apiKey: string) => {
    const query = `/requests/v3?id=${id}&includeAuthenticatedData=true`;
    const { body } = await get(network, query, { "x-api-key": apiKey });
    return (body as { requests: { data: Record<string, unknown> }[] }).requests[0]?.data ?? expect.fail("no record");
  };

  it("are set by an admin, and returned in both versions", async () => {
    const id = requestIdOf(await quoteWith(network.apiKey));
    const other = requestIdOf(await quoteWith(network.apiKey));
    const before = await recordOf(network, id);
    expect(before).to.include({ supersededByRequestId: null });
    expect(before.data).to.deep.include({
      triggeredByFastFill: null,
      quoteOraclePrice: null,
      externalMetadata: { moonpayId: null },
    });
    const path = `/admin/requests/${id}/record`;
    const fields = { supersededByRequestId: other, usesOraclePrice: true, triggeredByFastFill: true };
    expect(await callAdmin(network, "POST", path, fields)).to.deep.equal({ status: 200, body: fields });
    expect((await callAdmin(network, "POST", path, { partnerId: "partner-7" })).status).to.equal(200);
    expect((await callAdmin(network, "POST", path, { status: "success" })).status).to.equal(400);
    expect((await post(network, path, fields)).status).to.equal(401);

    const record = await recordOf(network, id);
    const { currencyIn } = (await quoteWith(network.apiKey)).details;
    expect(record.supersededByRequestId).to.equal(other);
    expect(record.data.triggeredByFastFill).to.equal(true);
    expect(record.data.externalMetadata).to.deep.equal({ moonpayId: "partner-7" });
    expect(record.data.quoteOraclePrice).to.deep.include({ rate: "2500", observedAt: record.createdAt });
    expect(record.data.quoteOraclePrice?.inputCurrency).to.deep.equal(currencyIn);
    // The expected value is the output amount before fees.
    expect(record.data.quoteOraclePrice?.outputCurrency.amount).to.equal("2500000000");

    const v2 = await recordV2Of(network, id);
    expect(v2).to.include({ moonpayId: "partner-7" });
    expect(v2.data).to.include({ supersededByRequestId: other, triggeredByFastFill: true });
    expect(v2.data).to.have.nested.property("metadata.quoteOraclePrice.outputAmount", "2500000000");
    expect(toV3(parseData(RequestRecordV2Schema, v2, "the record")).record.data?.externalMetadata).to.deep.equal(
      record.data.externalMetadata,
    );
  });

  it("contain the payment partner's id that a client attached", async () => {
    const requestId = requestIdOf(await quoteWith(network.apiKey));
    const body = { requestId, additionalMetadata: { moonPayId: "purchase-1" }, referrer: "app" };
    const answer = await post(network, "/requests/metadata", body);
    expect([answer.status, Object.keys(answer.body as object)]).to.deep.equal([200, ["message"]]);
    expect((await recordOf(network, requestId)).data.externalMetadata).to.deep.equal({ moonpayId: "purchase-1" });
    const unknown = { ...body, requestId: `0x${"00".repeat(32)}` };
    expect((await post(network, "/requests/metadata", unknown)).status).to.equal(404);
  });

  it("report the integrator's share of the platform fee without changing the price", async () => {
    const plain = await quoteWith(SHARING);
    expect((await ownData(requestIdOf(plain), SHARING)).platformFee).to.deep.include({
      totalFeeBps: 6,
      integratorFeeBps: 0,
      integratorFeeRecipient: null,
    });
    const terms = { apiKey: SHARING, businessVerified: true, wallet: WALLET, otherVolumeUsd: "9999999" };
    const { body: tooLow } = await callAdmin(network, "POST", "/admin/revenue-share", terms);
    expect(tooLow).to.include({ volumeUsd: "9999999.000000", accruedUsd: "0.000000" });
    const unshared = await quoteWith(SHARING);
    expect((await ownData(requestIdOf(unshared), SHARING)).platformFee).to.include({ integratorFeeBps: 0 });

    await callAdmin(network, "POST", "/admin/revenue-share", { ...terms, otherVolumeUsd: "42000000" });
    const shared = await quoteWith(SHARING);
    const id = requestIdOf(shared);
    expect(shared.details.expandedPriceImpact).to.deep.equal(plain.details.expandedPriceImpact);
    await depositNative(network, { id: orderIdOf(shared) });
    await watchToEnd(network, id);
    // The share is 25% of 6 bps of 2,500 dollars.
    const fee = (await ownData(id, SHARING)).platformFee as Record<string, { amountUsd: string }>;
    expect(fee).to.include({
      bucket: "majorSwap",
      relayFeeBps: 4.5,
      integratorFeeBps: 1.5,
      totalFeeBps: 6,
      integratorFeeRecipient: WALLET,
    });
    const amounts = ["relayFee", "integratorFee", "totalPlatformFee"].map((name) => fee[name]?.amountUsd);
    expect(amounts).to.deep.equal(["1.125000", "0.375000", "1.500000"]);
    const { body } = await callAdmin(network, "GET", `/admin/revenue-share?apiKey=${SHARING}`);
    expect(body).to.include({ accruedUsd: "0.375000", volumeUsd: "42002500.000000" });

    // Other keys do not see the fee, and an unverified business gets no share.
    const { requests } = await listRequests(network, `?id=${id}&includeAuthenticatedData=true`);
    expect(requests.map(({ data }) => data.platformFee)).to.deep.equal([null]);
    await callAdmin(network, "POST", "/admin/revenue-share", {
      ...terms,
      otherVolumeUsd: "42000000",
      businessVerified: false,
    });
    const unverified = await quoteWith(SHARING);
    expect((await ownData(requestIdOf(unverified), SHARING)).platformFee).to.include({ integratorFeeBps: 0 });
  });

  it("name the address that can recover a deposit made through a deposit address", async () => {
    const quote = await quoteWith(network.apiKey, { useDepositAddress: true, recoveryAddress: WALLET });
    const { depositAddress, refundTo } = await recordOf(network, requestIdOf(quote));
    expect([depositAddress?.recoveryAddress, refundTo]).to.deep.equal([WALLET, null]);
    const refunded = await quoteWith(network.apiKey, { useDepositAddress: true, refundTo: WALLET });
    const record = await recordOf(network, requestIdOf(refunded));
    expect([record.depositAddress?.recoveryAddress, record.refundTo]).to.deep.equal([null, WALLET]);
    const request = refunded.quotedRequest;
    for (const change of [
      { useDepositAddress: false, recoveryAddress: WALLET },
      { recoveryAddress: zeroAddress },
      { recoveryAddress: "0x12" },
    ]) {
      const { status, body } = await post(network, "/quote/v2", { ...request, ...change });
      expect([status, (body as { field: string }).field]).to.deep.equal([400, "recoveryAddress"]);
    }
  });

  it("include, in v2, a deposit in a block that a reorg replaced", async () => {
    const [origin] = network.chains;
    await network.scenarios.set("stuck", { next: 1 });
    const quote = await quoteEther(network);
    const id = requestIdOf(quote);
    const untilStatus = async (status: string) => {
      const client = createServiceClient({ baseUrl: network.url });
      await until(async () => (await getStatus(client, { requestId: id })).status === status);
    };
    const snapshot = await onNode(origin, "evm_snapshot");
    const hash = await depositNative(network, { id: orderIdOf(quote) });
    await untilStatus("pending");
    const [deposit] = (await recordOf(network, id)).data.inTxs;
    await onNode(origin, "evm_revert", snapshot);
    await onNode(origin, "evm_mine");
    await untilStatus("depositing");
    expect((await recordOf(network, id)).data.inTxs).to.deep.equal([]);
    const { inTxs } = (await recordV2Of(network, id)).data as { inTxs: Record<string, unknown>[] };
    const { metadata, ...entry } = inTxs[0] ?? expect.fail("no entry");
    expect([inTxs.length, entry]).to.deep.equal([
      1,
      {
        hash,
        fee: deposit?.fee,
        block: deposit?.block,
        type: "onchain",
        chainId: origin.id,
        timestamp: deposit?.timestamp,
        status: "failure",
      },
    ]);
    const { reorg } = metadata as { reorg: Record<string, unknown> };
    expect(reorg).to.include({
      detectedAt: AUGUST,
      action: "refund",
      blockNumber: deposit?.block,
      receiptStatus: "success",
    });
    expect(reorg.blockHash).to.match(/^0x[0-9a-f]{64}$/u);
    await network.scenarios.clear();
  });
});

import { expect } from "chai";
import { encodeFunctionData, erc20Abi, parseEther, zeroAddress } from "viem";

import type { RequestList, RequestRecord } from "../../packages/protocol/src/complete.ts";
import { getQuote } from "../support/complete.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { parseData, type QuoteRequest } from "../../packages/protocol/src/index.ts";
import { failureOf } from "./support/failureOf.ts";
import { appClock, userWallet } from "./support/parties.ts";
import { get, recordOf } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";
import { RequestListSchema } from "../../packages/protocol/src/request/records.ts";

const MINE = "mine";
const MINE_TOO = "mine-too";
const THEIRS = "theirs";
const START_SECOND = 1_800_000_000;

type Name = "filled" | "refunded" | "bridge" | "foreign";

describe("the filters of GET /requests/v3", () => {
  const network = useNetwork({
    apiKeys: [MINE, MINE_TOO],
    otherApiKeys: [THEIRS],
    clock: { now: () => now },
  });
  const [origin, destination] = chainsOf(network);
  let now = START_SECOND * 1_000;
  const ids = {} as Record<Name, string>;
  let filled: RequestRecord;
  let refunded: RequestRecord;

  const quote = async (name: Name, apiKey: string | undefined, change: Partial<QuoteRequest> = {}) => {
    const client = createServiceClient({ baseUrl: network.url, ...(apiKey === undefined ? {} : { apiKey }) });
    const answer = await getQuote(
      client,
      etherRequest(network, { recipient: network.accounts.stranger.address, ...change }),
    );
    ids[name] = answer.steps[0]?.requestId ?? "";
    now += 10_000;
    return answer;
  };

  before(async () => {
    const wallet = userWallet(network, origin);
    const client = createServiceClient({ baseUrl: network.url });
    await executeSteps(client, {
      quote: await quote("filled", MINE, {
        referrer: "app",
        appFees: [{ recipient: network.accounts.stranger.address, fee: "100" }],
      }),
      wallet,
      pollIntervalMs: 25,
      clock: appClock(network),
      freshness: false,
    });
    const moveMoreThanArrives = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [network.accounts.user.address, parseEther("1")],
    });
    await failureOf(
      executeSteps(client, {
        quote: await quote("refunded", MINE_TOO, {
          amount: parseEther("2").toString(),
          txs: [{ to: destination.contracts.dollar, data: moveMoreThanArrives, value: "0" }],
        }),
        wallet,
        pollIntervalMs: 25,
        clock: appClock(network),
        freshness: false,
      }),
    );
    await quote("bridge", undefined, { destinationCurrency: zeroAddress, amount: parseEther("3").toString() });
    await quote("foreign", THEIRS, {
      recipient: network.accounts.user.address,
      referrer: "app",
      amount: parseEther("4").toString(),
    });
    filled = await recordOf(network, ids.filled);
    refunded = await recordOf(network, ids.refunded);
  });

  const list = async (query: Record<string, string>, apiKey = MINE): Promise<RequestList> => {
    const { body } = await get(network, `/requests/v3?${new URLSearchParams(query).toString()}`, {
      "x-api-key": apiKey,
    });
    return parseData(RequestListSchema, body, "the listing");
  };
  const namesOf = ({ requests }: RequestList): Name[] =>
    requests.map(({ id }) => (Object.keys(ids) as Name[]).find((name) => ids[name] === id) ?? expect.fail(id));
  const expectList = async (query: Record<string, string>, ...names: Name[]) => {
    expect([query, namesOf(await list(query))]).to.deep.equal([query, names]);
  };

  it("search by id, order, transaction and wallet", async () => {
    const { user, stranger, allocator } = network.accounts;
    const depositTxHash = filled.data.inTxs[0]?.txHash ?? "";
    const fillTxHash = filled.data.outTxs[0]?.txHash ?? "";
    const refundTxHash = refunded.data.outTxs[0]?.txHash ?? "";
    await expectList({ id: ids.bridge.toUpperCase().replace("0X", "0x") }, "bridge");
    await expectList({ orderId: refunded.protocol?.orderId ?? "" }, "refunded");
    await expectList({ depositTxHash }, "filled");
    await expectList({ fillTxHash: depositTxHash });
    await expectList({ fillTxHash }, "filled");
    await expectList({ refundTxHash }, "refunded");
    await expectList({ recipient: stranger.address.toLowerCase() }, "bridge", "refunded", "filled");
    await expectList({ user: stranger.address }, "bridge", "refunded", "filled");
    await expectList({ user: user.address }, "foreign", "bridge", "refunded", "filled");
    await expectList({ depositAddress: user.address });
    for (const term of [depositTxHash, fillTxHash, ids.filled]) await expectList({ term }, "filled");
    await expectList({ term: refundTxHash }, "refunded");
    await expectList({ term: stranger.address }, "bridge", "refunded", "filled");
    await expectList({ term: allocator.address });
  });

  it("select by status, reason, kind and features", async () => {
    await expectList({ status: "success" }, "filled");
    await expectList({ status: "refund" }, "refunded");
    await expectList({ failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE" }, "refunded");
    await expectList({ refundFailReason: "REFUND_RECIPIENT_IS_VASP" });
    await expectList({ requestType: "crosschain swap" }, "foreign", "filled");
    await expectList({ requestType: "CALL" }, "refunded");
    await expectList({ features: "fast_fill,app_fees" }, "filled");
    await expectList({ features: "fast_fill" });
  });

  it("select by chain and currency", async () => {
    const all: Name[] = ["foreign", "bridge", "refunded", "filled"];
    for (const name of ["originChainId", "chainId", "currencyInChainId"]) {
      await expectList({ [name]: String(origin.id) }, ...all);
    }
    for (const name of ["destinationChainId", "chainId", "currencyOutChainId"]) {
      await expectList({ [name]: String(destination.id) }, ...all);
    }
    await expectList({ originChainId: String(destination.id) });
    await expectList({ currencyInSymbol: "eth" }, ...all);
    await expectList({ currencyOutSymbol: "Eth" }, "bridge");
    await expectList({ currencyInAddress: zeroAddress }, ...all);
    await expectList(
      { currencyOutAddress: destination.contracts.dollar.toLowerCase() },
      "foreign",
      "refunded",
      "filled",
    );
    await expectList({ privateChainsToInclude: "7d4f2e0a-0000-4000-8000-000000000000" }, ...all);
  });

  it("select by bounds", async () => {
    await expectList(
      { startTimestamp: String(START_SECOND + 10), endTimestamp: String(START_SECOND + 20) },
      "bridge",
      "refunded",
    );
    await expectList({ amountUsdMin: "5000", amountUsdMax: "7500.0" }, "bridge", "refunded");
    await expectList({ appFeesAmountUsdMin: "25" }, "filled");
    await expectList({ appFeesAmountUsdMin: "25.01" });
    await expectList({ fillTimeMin: "0" }, "filled");
    await expectList({ fillTimeMin: "1000000.5" });
    const block = String(filled.data.inTxs[0]?.block);
    await expectList({ startBlock: block, endBlock: block }, "filled");
  });

  it("select by updatedAt if the list is sorted by updatedAt", async () => {
    const updatedAt = Math.floor(Date.parse(refunded.updatedAt) / 1_000);
    const bounds = { startTimestamp: String(updatedAt), endTimestamp: String(updatedAt) };
    expect(namesOf(await list({ ...bounds, sortBy: "updatedAt" }))).to.include("refunded");
    expect(namesOf(await list({ ...bounds, sortBy: "updatedAt" }))).to.not.include("filled");
    expect(namesOf(await list(bounds))).to.not.include("refunded");
  });

  it("sort in both directions, and count", async () => {
    await expectList({ sortBy: "amountUsd" }, "filled", "refunded", "bridge", "foreign");
    await expectList({ sortBy: "amountUsd", sortDirection: "desc" }, "foreign", "bridge", "refunded", "filled");
    await expectList({ sortBy: "createdAt", sortDirection: "asc" }, "filled", "refunded", "bridge", "foreign");
    const page = await list({
      sortBy: "updatedAt",
      limit: "1",
      includeTotal: "true",
      user: network.accounts.stranger.address,
    });
    expect([page.requests.length, page.total]).to.deep.equal([1, 3]);
    expect(await list({})).to.not.have.property("total");
  });

  it("accept groups, alone and in addition to other parameters", async () => {
    const filters = (...groups: object[]): Record<string, string> => ({ filters: JSON.stringify(groups) });
    await expectList(filters({ status: ["success", "refund"] }), "refunded", "filled");
    await expectList(filters({ "not:status": ["success", "refund"] }), "foreign", "bridge");
    await expectList(filters({ failReason: null }), "foreign", "bridge", "filled");
    await expectList(filters({ "not:failReason": null }), "refunded");
    await expectList(filters({ status: "success" }, { currencyOutSymbol: "ETH" }), "bridge", "filled");
    await expectList(filters({ status: "success", currencyOutSymbol: "ETH" }));
    await expectList(
      { ...filters({ status: "success" }, { currencyOutSymbol: "ETH" }), amountUsdMax: "2500" },
      "filled",
    );
    await expectList({ ...filters({ referrer: "app" }), apiKey: `${MINE},${MINE_TOO}` }, "filled");
    await expectList({ referrer: "app", apiKey: `${MINE},${MINE_TOO}` }, "filled");
    await expectList(filters({ apiKey: [MINE_TOO] }), "refunded");
  });

  it("find requests by the integrator's keys", async () => {
    await expectList({ apiKey: MINE }, "filled");
    await expectList({ apiKey: `${MINE},${MINE_TOO}` }, "refunded", "filled");
    const byReferrer = { apiKey: THEIRS, filters: JSON.stringify([{ referrer: "app" }]) };
    expect(namesOf(await list(byReferrer, THEIRS))).to.deep.equal(["foreign"]);
    for (const [query, status] of [
      [`apiKey=${THEIRS}`, 403],
      [`referrer=app&apiKey=${THEIRS}`, 403],
      ["referrer=app", 400],
      [`referrer=&apiKey=${MINE}`, 400],
    ]) {
      const answer = await get(network, `/requests/v3?${query}`, { "x-api-key": MINE });
      expect([query, answer.status]).to.deep.equal([query, status]);
    }
  });

  it("return the referrer only to the request's own integrator, on request", async () => {
    const referrers = ({ requests }: RequestList) => requests.map(({ data }) => data.referrer);
    const query = { includeAuthenticatedData: "true" };
    expect(referrers(await list(query, MINE_TOO))).to.deep.equal([undefined, undefined, null, "app"]);
    expect(referrers(await list(query, THEIRS))).to.deep.equal(["app", undefined, undefined, undefined]);
    expect(referrers(await list({}, MINE))).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it("reject a cursor from another query", async () => {
    const { continuation = "" } = await list({ limit: "1", status: "success", sortBy: "createdAt" });
    expect(continuation).to.equal("");
    const first = await list({ limit: "1", currencyInSymbol: "ETH" });
    const cursor = { continuation: first.continuation ?? "" };
    await expectList({ ...cursor, currencyInSymbol: "ETH", limit: "2", sortBy: "createdAt" }, "bridge", "refunded");
    for (const other of [{ sortBy: "updatedAt" }, { sortDirection: "asc" }, { currencyInSymbol: "USDC" }]) {
      const query = new URLSearchParams({ ...cursor, currencyInSymbol: "ETH", limit: "1", ...other });
      const { status, body } = await get(network, `/requests/v3?${query.toString()}`, { "x-api-key": MINE });
      expect(status).to.equal(400);
      expect(body).to.have.property("field", "continuation");
    }
  });

  it("return records with fees, sponsors and fail reasons", () => {
    const { data } = filled;
    expect(filled.features).to.deep.equal(["app_fees"]);
    const fee = { recipient: network.accounts.stranger.address, bps: "100", amount: "10000000000000000" };
    expect(data.appFees.quoted).to.deep.equal([{ ...fee, amountFormatted: "0.01", amountUsd: "25.000000" }]);
    expect(data.appFees.actual).to.deep.equal(data.appFees.quoted);
    expect(data.fees?.quoted.sponsored).to.deep.equal({ usd: "0.000000", amount: "0", amountFormatted: "0" });
    const { quoted, actual } = data.feeSponsorship ?? expect.fail("no sponsorship");
    expect(quoted).to.include({ maxSubsidizationAmount: null, capHit: false });
    const nothing = { amount: "0", amountFormatted: "0", amountUsd: "0.000000" };
    expect(quoted.sponsoredTotal).to.deep.equal({ ...nothing, amountUsdCurrent: "0.000000" });
    expect(quoted.components.app).to.deep.equal({
      selected: false,
      total: { amount: fee.amount, amountFormatted: "0.01", amountUsd: "25.000000" },
      sponsored: nothing,
      userPays: quoted.components.app.total,
    });
    expect(actual?.components.execution.total.amount).to.equal(data.fees?.actual?.execution.amount);
    expect(actual?.components.app).to.deep.equal(quoted.components.app);

    expect(refunded.data).to.include({ failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE", failedTxHash: null });
    expect(refunded.data.failedCallData).to.include({
      from: network.solver,
      to: destination.contracts.router.toLowerCase(),
      value: "0",
    });
    expect(refunded.data.feeSponsorship?.actual).to.equal(null);
    expect(refunded.data.appFees).to.deep.equal({
      quoted: [],
      actual: [],
      currency: refunded.data.fees?.currency,
    });
  });
});

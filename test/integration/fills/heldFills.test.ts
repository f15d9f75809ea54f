import { expect } from "chai";
import type { Hex } from "viem";

import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { createServiceClient, getQuote } from "../../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { SVM_TETHER, svmAddress } from "../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { callAdmin } from "../support/adminCalls.ts";
import { failureOf } from "../support/failureOf.ts";
import { ADDRESS_ONE, countFills } from "../support/heldFills.ts";
import { etherRequest } from "../support/requests.ts";
import { createSender, endOf, quoteDollars, reaches, requestIdOf } from "../support/scenarioRuns.ts";
import { get, post, recordOf } from "../support/serviceCalls.ts";

const SVM = 792_703_809;

describe("held fills", () => {
  const network = useNetwork({
    apiKeys: ["crosscall-local", "sponsor"],
    sponsoringApiKeys: ["sponsor"],
    logLevel: "error",
  });
  let send: ReturnType<typeof createSender>;

  before(() => {
    send = createSender(network);
  });
  afterEach(async () => {
    network.clock.reset();
    await network.fills.releaseAll();
    await network.scenarios.clear();
  });

  const statusOf = async (quote: Quote): Promise<string> =>
    ((await get(network, `/intents/status/v3?requestId=${requestIdOf(quote)}`)).body as { status: string }).status;
  const heldIds = async () => (await network.fills.list()).held.map(({ requestId }) => requestId);
  const untilHeld = (quote: Quote) => until(async () => (await heldIds()).includes(requestIdOf(quote)));
  /** Deposits for a new request, and waits until its fill is held. */
  async function hold(change: Partial<QuoteRequest> = {}): Promise<Quote> {
    const quote = await quoteDollars(network, change);
    await send(quote);
    await untilHeld(quote);
    return quote;
  }
  const fillsOf = (quote: Quote) => countFills(network.chains[1], quote);
  const deliveredOf = async (quote: Quote) =>
    (await recordOf(network, requestIdOf(quote))).data.route?.actual.destination?.outputCurrency.amount;
  const rejectionOf = async (work: Promise<unknown>) => {
    const { status, body } = (await failureOf(work)) as { status: number; body: { field?: string } };
    return [status, body.field];
  };

  it("stay pending until they are released", async () => {
    const { filter } = await network.fills.hold();
    expect(filter).to.deep.equal({});
    const quote = await hold();
    expect(await statusOf(quote)).to.equal("pending");
    expect((await recordOf(network, requestIdOf(quote))).status).to.equal("pending");
    const { held, total } = await network.fills.list();
    const [{ heldAt, ...fill } = { heldAt: "" }] = held;
    expect(new Date(heldAt).toISOString()).to.equal(heldAt);
    expect([total, fill]).to.deep.equal([
      1,
      {
        requestId: requestIdOf(quote),
        status: "pending",
        user: network.accounts.user.address,
        recipient: network.accounts.user.address,
        originChainId: network.chains[0].id,
        destinationChainId: network.chains[1].id,
        destinationCurrency: network.chains[1].contracts.dollar.toLowerCase(),
        destinationSymbol: "USDC",
        destinationDecimals: 6,
        tradeType: "EXACT_INPUT",
        expectedAmount: quote.details.currencyOut.amount,
        expectedUsd: quote.details.currencyOut.amountUsd,
        minimumAmount: quote.details.currencyOut.minimumAmount,
      },
    ]);
    await network.fills.release(requestIdOf(quote));
    expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
    expect(await heldIds()).to.deep.equal([]);
  });

  it("include only the fills that match the filter", async () => {
    await network.fills.hold({ currencyOutSymbol: "eth", "not:user": ADDRESS_ONE });
    await network.fills.hold({ user: [ADDRESS_ONE, network.accounts.stranger.address], originChainId: 5 });
    const free = await quoteDollars(network);
    await send(free);
    expect((await endOf(network, requestIdOf(free))).status).to.equal("success");
    await network.fills.hold({ user: network.accounts.user.address, destinationChainId: network.chains[1].id });
    const held = await hold();
    expect((await network.fills.list()).holds.map(({ filter }) => filter)).to.deep.equal([
      { currencyOutSymbol: ["eth"], "not:user": [ADDRESS_ONE] },
      { user: [ADDRESS_ONE, network.accounts.stranger.address], originChainId: [5] },
      { user: [network.accounts.user.address], destinationChainId: [network.chains[1].id] },
    ]);
    expect(await network.fills.releaseAll()).to.deep.equal([requestIdOf(held)]);
    expect((await endOf(network, requestIdOf(held))).status).to.equal("success");
    expect((await network.fills.list()).holds).to.deep.equal([]);
  });

  it("end a hold of ids once all of them are released", async () => {
    const [one, two, other] = [await quoteDollars(network), await quoteDollars(network), await quoteDollars(network)];
    const ids = [requestIdOf(one), requestIdOf(two)];
    await network.fills.hold({ id: ids });
    await network.fills.hold({ "not:id": requestIdOf(other) });
    await network.fills.hold({ id: requestIdOf(other) });
    for (const quote of [one, two]) {
      await send(quote);
      await untilHeld(quote);
    }
    const filters = async () => (await network.fills.list()).holds.map(({ filter }) => filter);
    const others = [{ "not:id": [requestIdOf(other)] }, { id: [requestIdOf(other)] }];
    await network.fills.release(requestIdOf(one));
    expect(await filters()).to.deep.equal([{ id: ids }, ...others]);
    expect(await network.fills.releaseOldest()).to.equal(requestIdOf(two));
    expect(await filters()).to.deep.equal(others);
    for (const quote of [one, two]) expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
  });

  it("are released one at a time, oldest first", async () => {
    await network.fills.hold();
    const quotes = [await hold(), await hold(), await hold()];
    for (const [index, quote] of quotes.entries()) {
      expect(await network.fills.releaseOldest()).to.equal(requestIdOf(quote));
      expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
      expect(await heldIds()).to.deep.equal(quotes.slice(index + 1).map(requestIdOf));
    }
    expect(await network.fills.releaseOldest()).to.equal(undefined);
  });

  it("are filled once when several callers release them at once", async () => {
    await network.fills.hold();
    const quote = await hold();
    const body = { requestId: requestIdOf(quote) };
    const answers = await Promise.all([1, 2, 3, 4].map(() => callAdmin(network, "POST", "/admin/fills/release", body)));
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 409, 409, 409]);
    expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
    expect((await callAdmin(network, "POST", "/admin/fills/release", body)).status).to.equal(409);
    expect(await fillsOf(quote)).to.equal(1);
  });

  for (const currency of ["dollar", "tether"] as const) {
    it(`deliver the chosen amount of ${currency}`, async () => {
      await network.fills.hold();
      const quote = await hold({
        destinationCurrency: network.chains[1].contracts[currency],
        slippageTolerance: "100",
      });
      const { minimumAmount = "0" } = quote.details.currencyOut;
      const below = { amount: BigInt(minimumAmount) - 7n };
      expect(await rejectionOf(network.fills.release(requestIdOf(quote), below))).to.deep.equal([400, "amount"]);
      await network.fills.release(requestIdOf(quote), { ...below, belowMinimum: true });
      expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
      expect(await deliveredOf(quote)).to.equal(below.amount.toString());
    });
  }

  it("reject an amount if the output is exact", async () => {
    await network.fills.hold();
    const quote = await hold({ tradeType: "EXACT_OUTPUT", amount: "5000000" });
    const release = network.fills.release(requestIdOf(quote), { amount: 6_000_000n });
    expect(await rejectionOf(release)).to.deep.equal([400, "amount"]);
    expect(await heldIds()).to.deep.equal([requestIdOf(quote)]);
  });

  it("fail if a scenario applies to them", async () => {
    await network.fills.hold();
    const refunded = await hold();
    await network.fills.release(requestIdOf(refunded), { scenario: "SLIPPAGE" });
    const end = await endOf(network, requestIdOf(refunded));
    expect([end.status, end.details?.startsWith("SLIPPAGE")]).to.deep.equal(["refund", true]);
    const failed = await hold();
    await network.fills.release(requestIdOf(failed), { scenario: "refund:REFUND_RECIPIENT_IS_VASP" });
    expect((await endOf(network, requestIdOf(failed))).status).to.equal("failure");
    const moved = await hold();
    await network.fills.release(requestIdOf(moved), { scenario: "delivery", parameters: { bps: 10 } });
    expect((await endOf(network, requestIdOf(moved))).status).to.equal("success");
    expect(BigInt((await deliveredOf(moved)) ?? 0) > BigInt(moved.details.currencyOut.amount)).to.equal(true);
  });

  it("are dropped if a reorg removes their deposit", async () => {
    await network.fills.hold();
    const quote = await hold();
    await network.fills.release(requestIdOf(quote), { deposit: "drop" });
    await reaches(network, requestIdOf(quote), "depositing");
    network.clock.set(network.clock.now() + 3_600_000);
    expect(await endOf(network, requestIdOf(quote))).to.include({ status: "failure", failReason: "DEPOSIT_REORGED" });
    expect(await fillsOf(quote)).to.equal(0);
  });

  it("are filled once if a reorg moves the deposit to another block", async () => {
    await network.fills.hold();
    const quote = await hold();
    const depositOf = async () => (await recordOf(network, requestIdOf(quote))).data.inTxs[0];
    const before = await depositOf();
    await network.chains[0].mine({ blocks: 2 });
    await network.fills.release(requestIdOf(quote), { deposit: "reorg" });
    expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
    const after = await depositOf();
    expect([after?.txHash, (after?.block ?? 0) > (before?.block ?? 0)]).to.deep.equal([before?.txHash, true]);
    expect(await fillsOf(quote)).to.equal(1);
  });

  it("do not time out", async () => {
    await network.fills.hold();
    const [quote, late] = [await hold(), await hold()];
    network.clock.set(network.clock.now() + 7 * 86_400_000);
    await network.fills.release(requestIdOf(quote));
    expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
    await network.fills.release(requestIdOf(late), { scenario: "TTL_EXPIRED" });
    const end = await endOf(network, requestIdOf(late));
    expect([end.status, end.details]).to.deep.equal(["refund", "TTL_EXPIRED"]);
  });

  it("are held even before the deposit", async () => {
    const client = createServiceClient({ baseUrl: network.url, apiKey: "sponsor" });
    await network.fills.hold();
    const { steps } = await getQuote(client, etherRequest(network, { amount: "10000000000000000" }));
    const requestId = steps?.[0]?.requestId ?? "";
    await post(network, "/fast-fill", { requestId }, { "x-api-key": "sponsor" });
    await until(async () => (await heldIds()).includes(requestId));
    await network.fills.release(requestId);
    expect((await endOf(network, requestId)).status).to.equal("success");
  });

  it("deliver the chosen amount on a simulated chain", async () => {
    await network.fills.hold();
    const quote = await hold({
      destinationChainId: SVM,
      destinationCurrency: SVM_TETHER,
      recipient: svmAddress("a wallet"),
    });
    const amount = BigInt(quote.details.currencyOut.amount) + 5n;
    await network.fills.release(requestIdOf(quote), { amount });
    expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
    expect(await deliveredOf(quote)).to.equal(amount.toString());
  });

  describe("over HTTP", () => {
    const release = (body: object) => callAdmin(network, "POST", "/admin/fills/release", body);
    const shortOf = ({ status, body }: { status: number; body: unknown }) => [
      status,
      (body as { field?: string }).field,
    ];

    it("are listed and released", async () => {
      const filter = { user: [network.accounts.user.address] };
      const set = await callAdmin(network, "POST", "/admin/fills/hold", { filter });
      expect([set.status, (set.body as { filter: unknown }).filter]).to.deep.equal([200, filter]);
      const quotes = [await hold(), await hold(), await hold()];
      const page = (await callAdmin(network, "GET", "/admin/fills?limit=2")).body as { held: object[]; total: number };
      expect([page.held.length, page.total]).to.deep.equal([2, 3]);
      const [first, second, third] = quotes.map(requestIdOf);
      expect(await release({ oldest: true })).to.deep.equal({ status: 200, body: { released: [first] } });
      expect(await release({ requestId: third })).to.deep.equal({ status: 200, body: { released: [third] } });
      expect(await release({ all: true })).to.deep.equal({ status: 200, body: { released: [second] } });
      expect(await release({ oldest: true })).to.deep.equal({ status: 200, body: { released: [] } });
      for (const quote of quotes) expect((await endOf(network, requestIdOf(quote))).status).to.equal("success");
    });

    it("require the admin key", async () => {
      expect((await get(network, "/admin/fills", { "x-admin-key": network.apiKey })).status).to.equal(401);
      for (const path of ["hold", "release"])
        expect((await post(network, `/admin/fills/${path}`, {})).status).to.equal(401);
    });

    for (const [what, path, body, field] of [
      ["an unknown field", "hold", { filter: { status: "pending" } }, "filter.status"],
      ["an empty value", "hold", { filter: { user: "" } }, "filter.user"],
      ["a chain that is not a number", "hold", { filter: { chainId: "x" } }, "filter.chainId"],
      ["no target", "release", {}, "body"],
      ["two targets", "release", { all: true, oldest: true }, "body"],
      ["an outcome for all", "release", { all: true, scenario: "SLIPPAGE" }, "scenario"],
      ["a misspelled property", "release", { request: "0x1" }, "request"],
    ] as const) {
      it(`reject ${what}`, async () => {
        expect(shortOf(await callAdmin(network, "POST", `/admin/fills/${path}`, body))).to.deep.equal([400, field]);
        expect((await network.fills.list()).holds).to.deep.equal([]);
      });
    }

    it("stay held after an attempt to release them with an impossible outcome", async () => {
      await network.fills.hold();
      const quote = await hold();
      const requestId = requestIdOf(quote);
      for (const [outcome, field] of [
        [{ scenario: "SLIPAGE" }, "scenario"],
        [{ scenario: "stuck" }, "scenario"],
        [{ scenario: "http:503" }, "scenario"],
        [{ scenario: "DOUBLE_SPEND" }, "scenario"],
        [{ scenario: "refund:AMOUNT_TOO_LOW_TO_REFUND" }, "scenario"],
        [{ scenario: "SLIPPAGE", amount: "1" }, "scenario"],
        [{ amount: "0" }, "amount"],
        [{ amount: "9".repeat(78) }, "amount"],
        [{ belowMinimum: true }, "belowMinimum"],
        [{ parameters: {} }, "parameters"],
        [{ deposit: "lose" }, "deposit"],
      ] as const) {
        expect(shortOf(await release({ requestId, ...outcome })), JSON.stringify(outcome)).to.deep.equal([400, field]);
      }
      expect(await heldIds()).to.deep.equal([requestId]);
    });

    it("cannot be released if the request is not held", async () => {
      const quote = await quoteDollars(network);
      expect(shortOf(await release({ requestId: requestIdOf(quote) }))).to.deep.equal([409, "requestId"]);
      const unknown: Hex = `0x${"12".repeat(32)}`;
      expect((await release({ requestId: unknown })).status).to.equal(404);
    });
  });
});

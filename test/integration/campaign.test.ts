import { expect } from "chai";

import {
  ChainsNotServedError,
  type ReplayItem,
  workCampaigns,
} from "../../packages/crosscall/src/campaign/workCampaigns.ts";
import {
  eachFinishedItem,
  junitLines,
  summarizeCampaign,
} from "../../packages/crosscall/src/campaign/campaignResults.ts";
import { runCampaign, type RunCampaignParameters } from "../../packages/crosscall/src/campaign/runCampaign.ts";
import { systemClock } from "../../packages/protocol/src/core/timer.ts";
import { AbortedError, ChainError } from "../../packages/protocol/src/core/errors.ts";
import { parseReport } from "../../packages/crosscall/src/replay/report/reportJson.ts";
import { type CampaignItem, findItemReport } from "../../packages/crosscall/src/localnet/store/campaigns.ts";
import { openStore, type Store } from "../../packages/crosscall/src/localnet/store/store.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { rejected } from "../support/rejection.ts";
import { failingReport } from "../unit/crosscall/replay/report/fixtures.ts";
import { onEachDatabase } from "./support/onEachDatabase.ts";

const SELECTION = { kind: "plans", folder: "plans" };

/** Fills in the campaign. Every third fill fails, and every fifth cannot be replayed. */
async function* fills(count: number): AsyncGenerator<CampaignItem> {
  for (let index = 0; index < count; index++) yield await Promise.resolve({ id: `fill-${index}`, subject: { index } });
}

/** Replays a fill immediately, and records the received ids. */
function replayOf(seen: string[]): ReplayItem {
  return async ({ id, subject }) => {
    seen.push(id);
    const { index } = subject as { readonly index: number };
    if (index % 5 === 4) {
      throw new ChainError({ message: `the chain of ${id} is down`, hint: "Try later.", chainId: 31338 });
    }
    const report = failingReport();
    return Promise.resolve(index % 3 === 2 ? report : { ...report, verdict: { outcome: "success" } });
  };
}

/** Replays every other fill. The other fills are on chains without a node. */
function lackingReplay(seen: string[]): ReplayItem {
  return async (item, signal) => {
    const { index } = item.subject as { readonly index: number };
    if (index % 2 === 1) throw new ChainsNotServedError({ chainIds: [index % 4 === 1 ? 8453 : 10] });
    return replayOf(seen)(item, signal);
  };
}

function parametersOf(
  store: Store,
  fields: Partial<RunCampaignParameters> & Pick<RunCampaignParameters, "id" | "replay">,
): RunCampaignParameters {
  return {
    store,
    selection: SELECTION,
    list: () => fills(20),
    workers: 4,
    clock: systemClock,
    signal: new AbortController().signal,
    ...fields,
  };
}

onEachDatabase("a campaign of replays", function (open) {
  let store: Store;

  before(async () => {
    store = await open();
  });
  after(() => store.close());

  it("replays each fill once, keeps the reports, and counts the causes", async () => {
    const seen: string[] = [];
    const summary = await runCampaign(parametersOf(store, { id: "once", replay: replayOf(seen) }));
    expect(summary).to.deep.equal({
      total: 20,
      works: 11,
      fails: 5,
      errors: 4,
      waiting: 0,
      causes: [
        { outcome: "failure", cause: "TRANSFER_AMOUNT_EXCEEDS_BALANCE", count: 5 },
        { outcome: "error", cause: "CHAIN_ERROR", count: 4 },
      ],
    });
    expect(seen.toSorted()).to.deep.equal(Array.from({ length: 20 }, (_, index) => `fill-${index}`).toSorted());
    expect(parseReport(await findItemReport(store.db, "once", "fill-2"))).to.deep.equal(failingReport());
    expect(await findItemReport(store.db, "once", "fill-4")).to.equal(undefined);
  });

  it("repeats nothing in a second run, and on request retries only the errors", async () => {
    const seen: string[] = [];
    await runCampaign(parametersOf(store, { id: "again", replay: replayOf([]) }));
    const again = parametersOf(store, { id: "again", replay: replayOf(seen) });
    const before = await summarizeCampaign(store.db, "again");
    expect(await runCampaign(again)).to.deep.equal(before);
    expect(seen).to.deep.equal([]);
    await runCampaign({ ...again, retryErrors: true });
    expect(seen.toSorted()).to.deep.equal(["fill-14", "fill-19", "fill-4", "fill-9"]);
  });

  it("resumes where it stopped, during the listing and during replays", async () => {
    const controller = new AbortController();
    const aborted = Promise.withResolvers<undefined>();
    const first: string[] = [];
    let listings = 0;
    const listing = async function* (): AsyncGenerator<CampaignItem> {
      listings += 1;
      yield* fills(60);
    };
    const stopped = runCampaign(
      parametersOf(store, {
        id: "stopped",
        signal: controller.signal,
        list: async function* () {
          yield* listing();
          await aborted.promise;
        },
        replay: async (item, signal) => {
          if (first.length === 7) {
            controller.abort(new AbortedError({ what: "the test" }));
            aborted.resolve(undefined);
          }
          if (first.length >= 7) {
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
            signal.throwIfAborted();
          }
          return replayOf(first)(item, signal);
        },
      }),
    );
    expect((await rejected(stopped)).code).to.equal("ABORTED");
    expect(first).to.have.length(7);

    const second: string[] = [];
    const again = parametersOf(store, { id: "stopped", list: listing, replay: replayOf(second) });
    const summary = await runCampaign(again);
    expect([summary.total, summary.waiting]).to.deep.equal([60, 0]);
    expect([...first, ...second].toSorted()).to.deep.equal(
      Array.from({ length: 60 }, (_, index) => `fill-${index}`).toSorted(),
    );
    expect(listings).to.equal(2);
    // A complete listing is not requested again.
    await runCampaign(again);
    expect(listings).to.equal(2);
  });

  it("records no error for a chain without a node, reports the chain, and replays its fills once a node exists", async () => {
    const seen: string[] = [];
    const parameters = parametersOf(store, { id: "missing", list: () => fills(8), replay: replayOf(seen) });
    const error = await rejected(runCampaign({ ...parameters, replay: lackingReplay([]) }));
    expect(error.code).to.equal("CHAINS_NOT_SERVED");
    expect(error).to.have.deep.property("chainIds", [10, 8453]);
    expect(await summarizeCampaign(store.db, "missing")).to.deep.include({ total: 8, errors: 1, waiting: 4 });

    const summary = await runCampaign(parameters);
    expect([summary.total, summary.waiting]).to.deep.equal([8, 0]);
    expect(seen.toSorted()).to.deep.equal(["fill-1", "fill-3", "fill-5", "fill-7"]);
  });

  it("rejects a name that belongs to another selection", async () => {
    await runCampaign(parametersOf(store, { id: "kept", replay: replayOf([]) }));
    const other = runCampaign(parametersOf(store, { id: "kept", selection: { kind: "other" }, replay: replayOf([]) }));
    expect((await rejected(other)).code).to.equal("INVALID_STATE");
  });

  it("completes without fills", async () => {
    const summary = await runCampaign(parametersOf(store, { id: "none", list: () => fills(0), replay: replayOf([]) }));
    expect(summary).to.deep.equal({ total: 0, works: 0, fails: 0, errors: 0, waiting: 0, causes: [] });
  });

  it("reports each fill in JUnit format", async () => {
    const summary = await runCampaign(parametersOf(store, { id: `<"&>`, list: () => fills(5), replay: replayOf([]) }));
    let xml = "";
    for await (const line of junitLines(`<"&>`, summary, eachFinishedItem(store.db, `<"&>`))) xml += line;
    expect(xml.split("\n")).to.deep.equal([
      `<?xml version="1.0" encoding="UTF-8"?>`,
      `<testsuite name="&lt;&quot;&amp;&gt;" tests="5" failures="1" errors="1">`,
      `  <testcase classname="&lt;&quot;&amp;&gt;" name="fill-0"/>`,
      `  <testcase classname="&lt;&quot;&amp;&gt;" name="fill-1"/>`,
      `  <testcase classname="&lt;&quot;&amp;&gt;" name="fill-2"><failure type="TRANSFER_AMOUNT_EXCEEDS_BALANCE" ` +
        `message="ERC20InsufficientBalance(sender: 0x1000000000000000000000000000000000000001, balance: 990000000, ` +
        `needed: 1000000000)">Let the call use what arrives, by a proxy that reads its balance.</failure></testcase>`,
      `  <testcase classname="&lt;&quot;&amp;&gt;" name="fill-3"/>`,
      `  <testcase classname="&lt;&quot;&amp;&gt;" name="fill-4"><error type="CHAIN_ERROR" ` +
        `message="the chain of fill-4 is down">Try later.</error></testcase>`,
      `</testsuite>`,
      "",
    ]);
  });
});

describe("a campaign on several machines", () => {
  let stores: readonly [Store, Store];

  beforeEach(async () => {
    const url = await newPostgresDatabase();
    const onError = (error: Error): never => expect.fail(error.message);
    stores = await Promise.all([openStore({ url, onError }), openStore({ url, onError })]);
  });
  afterEach(() => Promise.all(stores.map((store) => store.close())));

  it("leaves fills to a worker that has a node for their chain", async () => {
    const [here, there] = stores;
    const queue = await here.replays();
    const given = Promise.withResolvers<undefined>();
    const underWay: [string, boolean][] = [];
    const lacking = new Set<string>();
    const running = runCampaign(
      parametersOf(here, {
        id: "parted",
        list: () => fills(4),
        replay: async (item, signal) => {
          lacking.add(item.id);
          if (lacking.size === 4) given.resolve(undefined);
          return lackingReplay([])(item, signal);
        },
        othersWaitMs: 20_000,
      }),
    );
    await given.promise;
    const replay: ReplayItem = async (item, signal) => {
      underWay.push([item.id, await queue.isUnderWay({ campaignId: "parted", itemId: item.id })]);
      return replayOf([])(item, signal);
    };
    const work = await workCampaigns({ store: there, replay, workers: 2, clock: systemClock });
    expect(await running).to.deep.include({ total: 4, errors: 0, waiting: 0 });
    await work.stop();
    expect(underWay.toSorted()).to.deep.equal([
      ["fill-1", true],
      ["fill-3", true],
    ]);
    expect(await queue.isUnderWay({ campaignId: "parted", itemId: "fill-1" })).to.equal(false);
  });

  it("is shared by all workers that use one PostgreSQL database", async () => {
    const [here, there] = stores;
    const seen: Record<"here" | "there", string[]> = { here: [], there: [] };
    const both = Promise.withResolvers<undefined>();
    // Each worker waits until both have claimed a fill.
    const replayAt =
      (place: "here" | "there"): ReplayItem =>
      async (item, signal) => {
        seen[place].push(item.id);
        if (seen.here.length > 0 && seen.there.length > 0) both.resolve(undefined);
        await both.promise;
        return replayOf([])(item, signal);
      };
    const work = await workCampaigns({ store: there, replay: replayAt("there"), workers: 2, clock: systemClock });
    const summary = await runCampaign(
      parametersOf(here, { id: "shared", list: () => fills(40), workers: 2, replay: replayAt("here") }),
    );
    await work.stop();
    expect([summary.total, summary.waiting]).to.deep.equal([40, 0]);
    expect([...seen.here, ...seen.there].toSorted()).to.deep.equal(
      Array.from({ length: 40 }, (_, index) => `fill-${index}`).toSorted(),
    );
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { followScenarios } from "../../../packages/crosscall/src/localnet/scenarios/followScenarios.ts";
import {
  deleteScenarios,
  insertScenario,
  listScenarios,
  takeScenario,
} from "../../../packages/crosscall/src/localnet/store/scenarios.ts";
import { openStore, type Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { createSender, endOf, quoteDollars, requestIdOf } from "../support/scenarioRuns.ts";
import { get, recordOf } from "../support/serviceCalls.ts";

const AT = new Date(1_800_000_000_000);

describe("the scenario controls", () => {
  const network = useNetwork();
  let send: ReturnType<typeof createSender>;

  before(() => {
    send = createSender(network);
  });
  afterEach(() => network.scenarios.clear());

  const call = async (method: string, query = "", body?: unknown, key = network.adminKey) => {
    const response = await fetch(`${network.url}/admin/scenarios${query}`, {
      method,
      headers: { "x-admin-key": key, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const endsOf = async (count: number): Promise<string[]> => {
    const quotes = [];
    for (let at = 0; at < count; at += 1) quotes.push(await quoteDollars(network));
    await Promise.all(quotes.map(send));
    return Promise.all(quotes.map(async (quote) => (await endOf(network, requestIdOf(quote))).status));
  };

  it("set, list and clear scenarios over HTTP", async () => {
    const set = await call("POST", "", { name: "delivery", next: 3, parameters: { bps: -20 } });
    expect(set.status).to.equal(200);
    const { createdAt, ...fields } = set.body;
    expect(fields).to.deep.equal({ name: "delivery", parameters: { bps: -20 }, next: 3, uses: 0 });
    expect(await call("GET")).to.deep.equal({ status: 200, body: { scenarios: [{ ...fields, createdAt }] } });
    expect(await call("DELETE", "?name=stuck")).to.deep.equal({ status: 200, body: { scenarios: [] } });
    expect(await call("DELETE", "?name=delivery")).to.deep.equal({
      status: 200,
      body: { scenarios: [{ ...fields, createdAt }] },
    });
    expect(await network.scenarios.list()).to.deep.equal([]);
  });

  for (const [what, body] of [
    ["an unknown name", { name: "SLIPAGE" }],
    ["an unknown parameter", { name: "SLIPPAGE", parameters: { bps: 1 } }],
    ["a missing parameter", { name: "delivery" }],
    ["text for a number", { name: "delivery", parameters: { bps: "1" } }],
    ["a count of zero", { name: "SLIPPAGE", next: 0 }],
    ["a fractional count", { name: "SLIPPAGE", next: 1.5 }],
    ["no name", {}],
  ] as const) {
    it(`reject ${what}`, async () => {
      const { status, body: answer } = await call("POST", "", body);
      expect([status, answer.errorCode]).to.deep.equal([400, "INVALID_REQUEST"]);
      expect(await network.scenarios.list()).to.deep.equal([]);
    });
  }

  it("require the admin key", async () => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const { status } = await call(method, "", method === "POST" ? { name: "stuck" } : undefined, network.apiKey);
      expect(status).to.equal(401);
    }
    expect(await network.scenarios.list()).to.deep.equal([]);
  });

  it("apply a scenario only to the given number of requests", async () => {
    await network.scenarios.set("BLOCKED_WALLET", { next: 2 });
    expect(await endsOf(3)).to.deep.equal(["refund", "refund", "success"]);
  });

  it("do not count rejected quotes as uses", async () => {
    await network.scenarios.set("BLOCKED_WALLET", { next: 1 });
    await failureOf(quoteDollars(network, { amount: "1" }));
    expect(await network.scenarios.list()).to.have.length(1);
    await quoteDollars(network);
    expect(await network.scenarios.list()).to.deep.equal([]);
  });

  it("are overridden by a scenario in the quote, and apply to the next request", async () => {
    await network.scenarios.set("BLOCKED_WALLET", { next: 1 });
    const named = await quoteDollars(network, { referrer: "scenario:ORDER_EXPIRED" });
    const next = await quoteDollars(network);
    await send(named);
    await send(next);
    expect((await endOf(network, requestIdOf(named))).details).to.equal("ORDER_EXPIRED");
    expect((await endOf(network, requestIdOf(next))).details).to.equal("BLOCKED_WALLET");
  });

  it("pause requests until the scenarios are cleared", async () => {
    await network.scenarios.set("stuck", { next: 1 });
    const held = await quoteDollars(network);
    const other = await quoteDollars(network);
    await send(held);
    await send(other);
    expect((await endOf(network, requestIdOf(other))).status).to.equal("success");
    const { status } = (await get(network, held.steps[0]!.items[0]!.check!.endpoint)).body as { status: string };
    expect(status).to.equal("pending");
    await network.scenarios.clear("stuck");
    expect((await endOf(network, requestIdOf(held))).status).to.equal("success");
  });

  it("deliver the same amounts for the same seed", async () => {
    const deliveries = async (): Promise<bigint[]> => {
      await network.scenarios.set("delivery", { next: 4, parameters: { kind: "uniform", bps: 100, seed: "s" } });
      const moved = [];
      for (let at = 0; at < 4; at += 1) {
        const quote = await quoteDollars(network);
        await send(quote);
        await endOf(network, requestIdOf(quote));
        const record = await recordOf(network, requestIdOf(quote));
        const delivered = BigInt(record.data.route!.actual.destination!.outputCurrency.amount);
        moved.push((delivered * 10_000n) / BigInt(quote.details.currencyOut.amount) - 10_000n);
      }
      return moved;
    };
    const first = await deliveries();
    expect(new Set(first).size).to.be.greaterThan(1);
    expect(await deliveries()).to.deep.equal(first);
  });

  it("deliver below the minimum only if configured", async () => {
    const shortOf = async (referrer: string): Promise<boolean> => {
      const quote = await quoteDollars(network, { referrer, slippageTolerance: "50" });
      await send(quote);
      await endOf(network, requestIdOf(quote));
      const record = await recordOf(network, requestIdOf(quote));
      const delivered = BigInt(record.data.route!.actual.destination!.outputCurrency.amount);
      return delivered < BigInt(quote.details.currencyOut.minimumAmount ?? "0");
    };
    expect(await shortOf("scenario:delivery?bps=-500")).to.equal(false);
    expect(await shortOf("scenario:delivery?bps=-500&belowMinimum=true")).to.equal(true);
  });

  it("refund deposits at a stale price if the output is below the minimum", async () => {
    const endWith = async (slippageTolerance: string): Promise<unknown> => {
      const quote = await quoteDollars(network, { referrer: "scenario:stale-price?bps=100", slippageTolerance });
      await send(quote);
      const { status, details } = await endOf(network, requestIdOf(quote));
      return [status, details];
    };
    expect(await endWith("99")).to.deep.equal(["refund", "SLIPPAGE"]);
    expect(await endWith("100")).to.include("success");
  });
});

onEachDatabase("the store of scenarios", (open) => {
  let store: Store;

  before(async () => {
    store = await open();
  });
  after(() => store.close());
  afterEach(() => deleteScenarios(store.db));

  it("assign each use to only one of several concurrent requests", async () => {
    const { id } = await insertScenario(store.db, { name: "stuck", parameters: {}, usesLeft: 7, at: AT });
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeScenario(store.db, id)));
    const numbers = taken.filter((number) => number !== undefined);
    expect(numbers.toSorted((left, right) => left - right)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(await listScenarios(store.db)).to.deep.equal([]);
    expect(await deleteScenarios(store.db)).to.deep.equal([]);
  });

  it("are read once, then only after a change", async () => {
    const known = await followScenarios(store);
    const reads = [await known.list(), await known.list()];
    expect(reads[1]).to.equal(reads[0]);
    await insertScenario(store.db, { name: "stuck", parameters: {}, usesLeft: 1, at: AT });
    await until(async () => (await known.list()).length === 1);
    const [{ id } = { id: -1 }] = await known.list();
    expect([await known.take(id), await known.take(id), await known.list()]).to.deep.equal([0, undefined, []]);
    await known.close();
  });
});

describe("scenarios in two processes that share a database", () => {
  it("are shared, and each use applies to only one request", async () => {
    const url = await newPostgresDatabase();
    const open = () => openStore({ url, onError: (error) => expect.fail(error.message) });
    const stores = [await open(), await open()] as const;
    try {
      const known = await Promise.all(stores.map(followScenarios));
      expect(await Promise.all(known.map((each) => each.list()))).to.deep.equal([[], []]);
      await insertScenario(stores[0].db, { name: "stuck", parameters: {}, usesLeft: 9, at: AT });
      await until(async () =>
        (await Promise.all(known.map((each) => each.list()))).every(({ length }) => length === 1),
      );
      const taken = await Promise.all(
        known.flatMap((each) =>
          Array.from({ length: 20 }, async () => Promise.all((await each.list()).map(({ id }) => each.take(id)))),
        ),
      );
      const numbers = taken.flat().filter((number) => number !== undefined);
      expect(numbers.toSorted((left, right) => left - right)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      await Promise.all(known.map((each) => each.close()));
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
});

describe("scenarios in a project folder", () => {
  it("survive a restart, with their remaining uses", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-"));
    const open = () => openStore({ folder, onError: (error) => expect.fail(error.message) });
    try {
      const before = await open();
      const { id } = await insertScenario(before.db, {
        name: "delivery",
        parameters: { bps: 1 },
        usesLeft: null,
        at: AT,
      });
      expect([await takeScenario(before.db, id), await takeScenario(before.db, id)]).to.deep.equal([0, 1]);
      await before.close();
      const after = await open();
      expect(await listScenarios(after.db)).to.deep.equal([
        { id, name: "delivery", parameters: { bps: 1 }, uses_left: null, uses: 2, created_at: AT },
      ]);
      expect(await takeScenario(after.db, id)).to.equal(2);
      await after.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

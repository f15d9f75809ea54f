import { expect } from "chai";

import { LedgerLog } from "../../../packages/crosscall/src/localnet/ledgers/ledgerLog.ts";
import { listLedgerEntries } from "../../../packages/crosscall/src/localnet/store/ledgerEntries.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { failureOf } from "../support/failureOf.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";

const CHAIN_ID = 7;

interface Entry {
  readonly value: string;
}

onEachDatabase("the log of a ledger", (open) => {
  let store: Store;

  before(async () => {
    store = await open();
  });
  after(() => store.close());

  /** Returns a ledger that keeps its values, as one process has it. */
  const openLog = (onListenerError: (error: unknown) => void = () => expect.fail("a listener failed")) =>
    new LedgerLog<string[], Entry, number>({
      db: store.db,
      chainId: CHAIN_ID,
      create: () => [],
      apply: (values, { value }) => values.push(value),
      onListenerError,
    });

  it("gives every process the committed entries in order, during concurrent changes that may be rolled back", async () => {
    const logs = [openLog(), openLog(), openLog()];
    const change = async (log: (typeof logs)[number], index: number): Promise<void> => {
      const changed = log.write(async ({ state, add }) => {
        const length = state.length;
        expect(await add({ value: `${index}` })).to.equal(length + 1);
        expect(await add({ value: `${index} again` })).to.equal(length + 2);
        if (index % 3 === 0) throw new Error("rolled back");
      });
      await (index % 3 === 0 ? changed.catch(() => undefined) : changed);
    };
    const indexes = Array.from({ length: 60 }, (_, index) => index);
    await Promise.all(
      indexes.map(async (index) => {
        const log = logs[index % logs.length]!;
        // Reads run at the same time, also while a change is not committed.
        await Promise.all([change(log, index), log.read(), logs[0]!.read()]);
      }),
    );
    const stored = (await listLedgerEntries(store.db, CHAIN_ID, 0)).map(({ entry }) => (entry as Entry).value);
    expect(stored.toSorted()).to.deep.equal(
      indexes
        .filter((index) => index % 3 !== 0)
        .flatMap((index) => [`${index}`, `${index} again`])
        .toSorted(),
    );
    for (const log of [...logs, openLog()]) expect(await log.read()).to.deep.equal(stored);
  });

  it("applies each entry once, even if it is read while changes are in progress", async () => {
    const calls = { create: 0, apply: 0 };
    const log = new LedgerLog<string[], Entry, number>({
      db: store.db,
      chainId: CHAIN_ID,
      create() {
        calls.create += 1;
        return [];
      },
      apply(values, { value }) {
        calls.apply += 1;
        return values.push(value);
      },
    });
    const { length } = await log.read();
    expect(calls).to.deep.equal({ create: 1, apply: length });
    const reads: Promise<string[]>[] = [];
    for (const value of ["first", "second", "third"]) {
      await log.write(async ({ db, add }) => {
        await add({ value });
        reads.push(log.read(), log.read());
        // Lets other connections run their queries.
        for (let count = 0; count < 20; count++) await listLedgerEntries(db, CHAIN_ID, 0);
      });
    }
    for (const values of await Promise.all(reads)) expect(values.slice(length)).to.include("first");
    expect(calls).to.deep.equal({ create: 1, apply: length + 3 });
  });

  it("reports new entries of every process, once, and after they are committed", async () => {
    const [log, other] = [openLog(), openLog()];
    const values = await log.read();
    const reported: number[] = [];
    const stop = log.listen((length) => reported.push(length));
    const start = values.length;
    const lost = new Error("rolled back");
    const failing = log.write(async ({ add }) => {
      await add({ value: "lost" });
      throw lost;
    });
    expect(await failureOf(failing)).to.equal(lost);
    await log.read();
    expect(reported).to.deep.equal([]);
    await other.write(({ add }) => add({ value: "of another process" }));
    await log.write(async ({ add }) => {
      expect(reported).to.deep.equal([start + 1]);
      await add({ value: "own" });
      await add({ value: "own again" });
      expect(reported).to.deep.equal([start + 1]);
    });
    await Promise.all([log.read(), log.read()]);
    expect(reported).to.deep.equal([start + 1, start + 2, start + 3]);
    stop();
    await log.write(({ add }) => add({ value: "after it stops" }));
    await log.read();
    expect(reported).to.have.length(3);
  });

  it("stores and reports entries even if a listener throws", async () => {
    const failure = new Error("cannot be encoded");
    const [errors, reported]: [unknown[], number[]] = [[], []];
    const log = openLog((error) => errors.push(error));
    const { length } = await log.read();
    log.listen(() => {
      throw failure;
    });
    log.listen((count) => reported.push(count));
    await log.write(({ add }) => add({ value: "reported" }));
    expect(await log.read()).to.have.length(length + 1);
    expect([errors, reported]).to.deep.equal([[failure], [length + 1]]);
  });
});

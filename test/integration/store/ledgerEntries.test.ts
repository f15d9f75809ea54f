import { expect } from "chai";

import { LedgerLog } from "../../../packages/crosscall/src/localnet/ledgers/ledgerLog.ts";
import { listLedgerEntries } from "../../../packages/crosscall/src/localnet/store/ledgerEntries.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
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
  const openLog = () =>
    new LedgerLog<string[], Entry, number>({
      db: store.db,
      chainId: CHAIN_ID,
      create: () => [],
      apply: (values, { value }) => values.push(value),
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
});

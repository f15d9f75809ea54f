import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import {
  debitFastFill,
  failFastFill,
  failQueuedFastFill,
  findFastFill,
  holdAgain,
  holdFastFill,
  insertFastFill,
  releaseFastFill,
} from "../../../packages/crosscall/src/localnet/store/fastFills.ts";
import { insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { findSponsorBalance, setSponsorBalance } from "../../../packages/crosscall/src/localnet/store/sponsors.ts";
import { openStore, type Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { newOrder, newRequest } from "../support/storeRows.ts";

const BALANCE = 10n ** 21n;
const HELD = 1_000_000_000_000_000_001n;
const WANTED = 3n;

async function queue(store: Store, requestId: string): Promise<void> {
  await insertRequest(store.db, newRequest(requestId), newOrder());
  await setSponsorBalance(store.db, "sponsor", BALANCE);
  const at = new Date(1_800_000_000_000);
  const order = { requestId, apiKeyHash: "sponsor", inputAmount: WANTED, maxFillUsdE18: null, at };
  expect(await insertFastFill(store.db, order)).to.equal(true);
}

const debited = async ({ db }: Store): Promise<bigint> => BALANCE - ((await findSponsorBalance(db, "sponsor")) ?? 0n);

onEachDatabase("a fast fill's debit from a balance", (open) => {
  let store: Store;
  let requests = 0;
  let id = "";

  before(async () => {
    store = await open();
  });
  after(() => store.close());
  beforeEach(async () => {
    requests += 1;
    id = `request ${requests}`;
    await queue(store, id);
    expect(await holdFastFill(store.db, id, HELD)).to.equal(true);
  });

  it("is exactly the shortfall of a deposit, regardless of how often the deposit is processed", async () => {
    for (const [deposited, missing] of [
      [2n, 333_333_333_333_333_334n],
      [2n, 333_333_333_333_333_334n],
      [1n, 666_666_666_666_666_668n],
      [0n, HELD],
      [3n, 0n],
      [9n, 0n],
    ] as const) {
      await releaseFastFill(store.db, id, deposited);
      expect(await debited(store)).to.equal(missing);
    }
  });

  it("is the full amount until a deposit arrives", async () => {
    await debitFastFill(store.db, id);
    await debitFastFill(store.db, id);
    expect(await debited(store)).to.equal(HELD);
    await releaseFastFill(store.db, id, 2n);
    expect(await debited(store)).to.equal(333_333_333_333_333_334n);
  });

  it("is zero right after a deposit is removed, and the full amount if the deposit does not return", async () => {
    await releaseFastFill(store.db, id, 2n);
    await holdAgain(store.db, id, "released");
    expect(await debited(store)).to.equal(0n);
    await debitFastFill(store.db, id);
    expect(await debited(store)).to.equal(HELD);
  });

  it("is zero if the fill failed, even after a debit", async () => {
    await releaseFastFill(store.db, id, 1n);
    await failFastFill(store.db, id);
    await failFastFill(store.db, id);
    expect(await debited(store)).to.equal(0n);
    await holdAgain(store.db, id, "failed");
    await debitFastFill(store.db, id);
    await failFastFill(store.db, id);
    expect(await debited(store)).to.equal(0n);
  });

  it("is zero if no fill was signed", async () => {
    const unsigned = `${id} unsigned`;
    await queue(store, unsigned);
    await failQueuedFastFill(store.db, unsigned);
    await holdAgain(store.db, unsigned, "failed");
    expect((await findFastFill(store.db, unsigned))?.state).to.equal("failed");
    await debitFastFill(store.db, unsigned);
    expect(await debited(store)).to.equal(0n);
  });
});

describe("a debit of a fast fill", () => {
  it("is made only once across a restart", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-fast-fills-"));
    const open = () => openStore({ folder, onError: (error) => expect.fail(error.message) });
    const first = await open();
    await queue(first, "one");
    await holdFastFill(first.db, "one", HELD);
    await releaseFastFill(first.db, "one", 2n);
    await first.close();
    const second = await open();
    await releaseFastFill(second.db, "one", 2n);
    expect(await debited(second)).to.equal(333_333_333_333_333_334n);
    await failFastFill(second.db, "one");
    expect(await debited(second)).to.equal(0n);
    await second.close();
    await rm(folder, { recursive: true, force: true });
  });
});

import { expect } from "chai";

import {
  type DepositToSettle,
  listDepositsToSettle,
  type NewDeposit,
} from "../../../packages/crosscall/src/localnet/store/deposits.ts";
import { insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import {
  findScannedBlock,
  followChain,
  listScannedBlocks,
  type NextBlock,
  recordScannedBlock,
  rememberBlock,
  scanNextBlock,
} from "../../../packages/crosscall/src/localnet/store/scans.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { newOrder, newRequest } from "../support/storeRows.ts";

const NEXT: NextBlock = { number: 11, hash: "block 11", parentHash: "block 10" };

onEachDatabase("the next block of a scan", (open) => {
  let store: Store;
  let chainId = 0;

  before(async () => {
    store = await open();
  });
  after(() => store.close());
  beforeEach(async () => {
    chainId += 1;
    await followChain(store.db, chainId, "genesis");
    await recordScannedBlock(store.db, chainId, { number: 10, hash: "block 10" });
  });

  const deposit = (change: Partial<NewDeposit> = {}): NewDeposit => ({
    chain_id: chainId,
    tx_hash: "0xhash",
    position: 0,
    order_id: `order of ${chainId}`,
    depositor: "0xdepositor",
    currency: "0xcurrency",
    amount: 2n ** 255n,
    block_number: 11,
    block_timestamp: 1_800_000_000,
    fee: 21n,
    gas_used: 21_000,
    seen_at: new Date(1_800_000_000_123),
    ...change,
  });
  const scan = (block: NextBlock, deposits: readonly NewDeposit[] = [], upToBlock = block.number) =>
    scanNextBlock(store.db, chainId, block, deposits, upToBlock);

  it("is recorded with its deposits, which are returned with the requests of their orders", async () => {
    await insertRequest(store.db, newRequest(`${chainId}`), newOrder());
    const found = await scan(NEXT, [deposit(), deposit({ position: 1, order_id: "unknown" })]);
    const expected: DepositToSettle = {
      ...deposit(),
      amount: (2n ** 255n).toString(),
      fee: "21",
      seen_at: new Date(1_800_000_000_123),
      state: "seen",
      request_id: null,
      reorged_at: null,
      block_hash: null,
      order_request_id: `${chainId}`,
    };
    const other = { ...expected, position: 1, order_id: "unknown", order_request_id: null };
    expect(found).to.deep.equal([expected, other]);
    expect(await listDepositsToSettle(store.db, chainId, 11)).to.deep.equal(found);
    expect(await listScannedBlocks(store.db, chainId)).to.deep.equal([
      { block_number: 11, block_hash: "block 11" },
      { block_number: 10, block_hash: "block 10" },
    ]);
    expect(await scan(NEXT, [deposit({ tx_hash: "0xother" })])).to.equal(undefined);
  });

  it("returns deposits after they are confirmed", async () => {
    expect(await scan(NEXT, [deposit()], 10)).to.deep.equal([]);
    const found = await scan({ number: 12, hash: "block 12", parentHash: "block 11" }, [], 11);
    expect(found?.map(({ tx_hash }) => tx_hash)).to.deep.equal(["0xhash"]);
    expect(await findScannedBlock(store.db, chainId)).to.equal(12);
  });

  it("is not recorded after a reorg of the last block, or of a block with a fill", async () => {
    expect(await scan({ ...NEXT, parentHash: "another block 10" }, [deposit()])).to.equal(undefined);
    expect(await scan({ ...NEXT, number: 12 }, [deposit()])).to.equal(undefined);
    await rememberBlock(store.db, chainId, { number: 11, hash: "a removed block 11" });
    expect(await scan(NEXT, [deposit()])).to.equal(undefined);
    expect(await findScannedBlock(store.db, chainId)).to.equal(10);
    expect(await listDepositsToSettle(store.db, chainId, 99)).to.deep.equal([]);
  });

  it("is not recorded if one of its transactions was previously in another block", async () => {
    await scan(NEXT, [deposit()]);
    const block = { number: 12, hash: "block 12", parentHash: "block 11" };
    expect(await scan(block, [deposit({ block_number: 12 })])).to.equal(undefined);
    expect(await findScannedBlock(store.db, chainId)).to.equal(11);
  });

  it("is recorded by only one of two concurrent callers", async () => {
    const found = await Promise.all([scan(NEXT, [deposit()]), scan(NEXT, [deposit()])]);
    expect(found.filter((deposits) => deposits !== undefined)).to.have.length(1);
    expect(await listDepositsToSettle(store.db, chainId, 11)).to.have.length(1);
  });
});

import { expect } from "chai";

import {
  type DepositToSettle,
  listDepositsToSettle,
  noteDeposit,
} from "../../../packages/crosscall/src/localnet/store/deposits.ts";
import type { RequestJob } from "../../../packages/crosscall/src/localnet/store/jobs.ts";
import { payRequest } from "../../../packages/crosscall/src/localnet/store/requests/payRequest.ts";
import { findRequest, insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { listTransactions } from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { newOrder, newRequest } from "../support/storeRows.ts";

const AT = new Date(1_800_000_000_000);
const CONTENTS = { to: "0xto", input: "0x", value: 5n, stateChanges: [] };

onEachDatabase("the deposit of a waiting request", (open) => {
  let store: Store;
  let requests = 0;
  let requestId = "";

  before(async () => {
    store = await open();
  });
  after(() => store.close());

  const deposit = async (change: { readonly chain_id?: number } = {}): Promise<DepositToSettle> => {
    requests += 1;
    requestId = `0xpaid${requests}`;
    const request = newRequest(requestId);
    await insertRequest(store.db, request, newOrder());
    await noteDeposit(store.db, {
      chain_id: request.origin_chain_id,
      tx_hash: `0xhash${requests}`,
      position: 0,
      order_id: `order of ${requestId}`,
      depositor: "0xdepositor",
      currency: "0xcurrency",
      amount: 2n ** 255n,
      block_number: requests,
      block_timestamp: 1_800_000_000,
      fee: 21n,
      gas_used: 21_000,
      seen_at: AT,
      ...change,
    });
    const { chain_id = request.origin_chain_id } = change;
    const rows = await listDepositsToSettle(store.db, chain_id, requests);
    const row = rows.find(({ tx_hash }) => tx_hash === `0xhash${requests}`);
    if (row === undefined) throw new Error("the deposit is not listed");
    return row;
  };
  const pay = async (row: DepositToSettle): Promise<boolean> => {
    const job = await store.jobs.insertion({ requestId });
    return payRequest(store.db, { requestId, deposit: row, contents: CONTENTS, at: AT, job });
  };

  it("changes the request's status only once, and wakes a worker", async () => {
    const row = await deposit();
    expect(row.order_request_id).to.equal(requestId);
    const { promise: job, resolve } = Promise.withResolvers<RequestJob>();
    const worker = await store.jobs.work((found) => {
      resolve(found);
      return Promise.resolve();
    });
    expect(await pay(row)).to.equal(true);
    expect(await job).to.deep.equal({ requestId });
    await worker.stop();
    const request = await findRequest(store.db, requestId);
    expect(request).to.include({ status: "pending", deposit_block: row.block_number });
    const [transaction] = await listTransactions(store.db, [requestId]);
    expect(transaction).to.deep.include({
      purpose: "deposit",
      hash: row.tx_hash,
      sender: "0xdepositor",
      status: "success",
      amount: (2n ** 255n).toString(),
      created_at: AT,
      contents: CONTENTS,
    });
    expect(await listDepositsToSettle(store.db, row.chain_id, row.block_number)).to.deep.equal([]);
    expect(await pay(row)).to.equal(false);
    expect(await listTransactions(store.db, [requestId])).to.have.length(1);
  });

  it("is not used if its block was removed", async () => {
    const row = await deposit();
    await store.db.updateTable("deposits").set({ state: "vanished" }).where("tx_hash", "=", row.tx_hash).execute();
    expect(await pay(row)).to.equal(false);
    expect(await findRequest(store.db, requestId)).to.include({ status: "waiting" });
    expect(await listTransactions(store.db, [requestId])).to.deep.equal([]);
  });

  it("is not used if it is on another chain", async () => {
    expect(await pay(await deposit({ chain_id: 77 }))).to.equal(false);
    expect(await findRequest(store.db, requestId)).to.include({ status: "waiting" });
  });
});

import { expect } from "chai";

import { listDepositingRequests } from "../../../packages/crosscall/src/localnet/store/deposits.ts";
import { insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { insertTransaction } from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { newOrder, newRequest, newTransaction } from "../support/storeRows.ts";

const NOW = 1_800_000_000;

onEachDatabase("requests whose deposit can time out", (open) => {
  let store: Store;

  before(async () => {
    store = await open();
  });
  after(() => store.close());

  it("include partly paid ones only after their deadline", async () => {
    const add = async (id: string, { inputs = 1, isPaid = false, deadline = NOW + 100, terms = {} }): Promise<void> => {
      const updated_at = new Date((NOW - 10) * 1_000 + added.push(id));
      const request = newRequest(id, { status: "depositing", input_count: inputs, updated_at });
      const order_data = JSON.stringify({ output: { deadline } });
      await insertRequest(store.db, request, newOrder({ order_data, terms: JSON.stringify(terms) }));
      if (isPaid) await insertTransaction(store.db, newTransaction(id, { purpose: "deposit", nonce: null }));
    };
    const added: string[] = [];
    await add("partly paid", { inputs: 2, isPaid: true });
    await add("unpaid", { inputs: 2 });
    await add("partly paid, at its deadline", { inputs: 2, isPaid: true, deadline: NOW });
    await add("partly paid, after its deadline", { inputs: 2, isPaid: true, deadline: NOW - 1 });
    await add("partly paid, after its ttl", { inputs: 2, isPaid: true, terms: { expiresAt: NOW - 1 } });
    await add("with one input", {});
    const listed = await listDepositingRequests(store.db, NOW);
    expect(listed.map(({ id }) => id)).to.deep.equal([
      "unpaid",
      "partly paid, after its deadline",
      "partly paid, after its ttl",
      "with one input",
    ]);
  });
});

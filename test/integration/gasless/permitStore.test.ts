import { expect } from "chai";

import {
  findPermit,
  insertPermit,
  listFailedPermits,
  signPermit,
  type StoredPermit,
} from "../../../packages/crosscall/src/localnet/store/permits.ts";
import { insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { transition } from "../../../packages/crosscall/src/localnet/store/requests/transitions.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { newOrder, newRequest } from "../support/storeRows.ts";

const PERMIT: StoredPermit = {
  kind: "eip3009",
  chainId: 31_337,
  token: "0xtoken",
  owner: "0xuser",
  amount: "1",
  nonce: "0",
  deadline: 1_800_000_600,
  domain: { name: "Token", version: "1" },
};

onEachDatabase("stored permits", (open) => {
  let store: Store;

  before(async () => {
    store = await open();
    for (const id of ["one", "two", "three"]) await insertRequest(store.db, newRequest(id), newOrder());
    for (const id of ["one", "two"]) await insertPermit(store.db, id, PERMIT);
    await insertPermit(store.db, "three", { ...PERMIT, kind: "eip2612" });
  });
  after(() => store.close());

  it("store one signature per permit, and each signature once, even if two messages are equal", async () => {
    const signed = await Promise.all(["0xaa", "0xbb"].map((signature) => signPermit(store.db, "one", signature)));
    expect(signed.filter((isSigned) => isSigned)).to.have.length(1);
    const { signature } = (await findPermit(store.db, "one")) ?? expect.fail("no permit");
    expect(await signPermit(store.db, "two", signature ?? "")).to.equal(false);
    expect(await findPermit(store.db, "two")).to.deep.equal({ request_id: "two", permit: PERMIT, signature: null });
    expect(await signPermit(store.db, "two", "0xcc")).to.equal(true);
  });

  it("are listed after their request failed, while other accounts can still use them", async () => {
    await signPermit(store.db, "three", "0xdd");
    await transition(store.db, { requestId: "three", from: ["waiting"], to: "failure", at: new Date() });
    expect(await listFailedPermits(store.db, PERMIT.deadline - 1)).to.deep.equal([]);
    await transition(store.db, { requestId: "one", from: ["waiting"], to: "failure", at: new Date() });
    expect(await listFailedPermits(store.db, PERMIT.deadline - 1)).to.deep.equal(["one"]);
    expect(await listFailedPermits(store.db, PERMIT.deadline)).to.deep.equal([]);
  });
});

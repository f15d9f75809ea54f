import { expect } from "chai";

import { INTERNAL_ERROR } from "./support/familyOracle.ts";
import { DEPOSITORY, LighterNetwork, STATUS_V2, STATUS_V3, STRANGER, TIME } from "./support/lighterNetwork.ts";
import { EXECUTED, LIBRARY_REJECTED, WITHDRAWAL } from "./support/lighterShapes.ts";

describe("Lighter withdrawals", () => {
  let lighter: LighterNetwork;
  before(async () => {
    lighter = await LighterNetwork.start();
  });
  beforeEach(() => {
    lighter.list();
    lighter.now = TIME * 1000;
  });
  after(() => lighter.close());

  describe("from a busy depository", () => {
    const rejected = () => lighter.take({}, LIBRARY_REJECTED);
    /** Lists the latest entries first: deposits, which are not from the depository, then the given transfers. */
    const listAfter = (deposits: number, ...sent: readonly { readonly log: object }[]): void =>
      lighter.list(
        ...new Array<{ log: object }>(deposits).fill(
          lighter.take({ FromAccountIndex: STRANGER, ToAccountIndex: DEPOSITORY }),
        ),
        ...sent,
      );

    it("are executed if the explorer lists the transfer on its first three pages", async () => {
      listAfter(
        299,
        lighter.take(),
        ...new Array<{ log: object }>(100).fill(lighter.take({ FromAccountIndex: STRANGER })),
      );
      const calls = lighter.explorer.calls.length;
      expect(await lighter.statusesOf()).to.deep.equal([1, 1]);
      expect(lighter.explorer.calls).to.have.length(calls + 6);
      listAfter(300, lighter.take());
      expect(await lighter.statusesOf()).to.deep.equal([0, 0]);
    });

    it("are not expired while an older transfer could have executed them", async () => {
      const { hash: transactionId } = rejected();
      listAfter(300);
      expect(await lighter.statusesOf({ transactionId })).to.deep.equal([0, 0]);
      for (const older of [
        lighter.take({ Nonce: 43 }),
        lighter.take({ ApiKeyIndex: 6, Nonce: 1 }),
        lighter.take({ Nonce: 41 }, LIBRARY_REJECTED),
        lighter.take({ Nonce: 41 }, EXECUTED, { type: WITHDRAWAL }),
      ]) {
        listAfter(299, older);
        expect(await lighter.statusesOf({ transactionId })).to.deep.equal([0, 0]);
      }
      // A different transfer used the nonce of the withdrawal.
      listAfter(299, lighter.take({ Amount: 1 }));
      expect(await lighter.statusesOf({ transactionId })).to.deep.equal([2, 2]);
      listAfter(298);
      expect(await lighter.statusesOf({ transactionId })).to.deep.equal([2, 2]);
    });

    it("are expired when a page reaches a lower nonce, after which no further page is read", async () => {
      const { hash: transactionId } = rejected();
      const calls = lighter.explorer.calls.length;
      listAfter(99, lighter.take({ Nonce: 41 }), ...new Array<{ log: object }>(300).fill(lighter.take({ Nonce: 40 })));
      expect(await lighter.statusesOf({ transactionId })).to.deep.equal([2, 2]);
      expect(lighter.explorer.calls).to.have.length(calls + 2);
    });
  });

  it("can appear in two formats, and only transfers to the recipient are read", async () => {
    const { log } = lighter.take();
    const { pubdata, ...rest } = log as { readonly pubdata: { readonly l2_transfer_pubdata_v2: object } };
    const older = { ...rest, pubdata: { l2_transfer_pubdata: pubdata.l2_transfer_pubdata_v2 } };
    const other = lighter.take({ ToAccountIndex: STRANGER });
    const calls = lighter.exchange.calls.length;
    lighter.list(other, { log: { ...rest, pubdata: undefined } });
    expect(await lighter.statusesOf()).to.deep.equal([0, 0]);
    expect(lighter.exchange.calls).to.have.length(calls);
    lighter.list(other, { log: older });
    expect(await lighter.statusesOf()).to.deep.equal([1, 1]);
    // The executed transfer is read only once.
    expect(lighter.exchange.calls).to.have.length(calls + 1);
  });

  describe("without a usable explorer", () => {
    it("never expire if no explorer is configured", async () => {
      await using alone = await lighter.startOracle({});
      const [executed, failed] = [lighter.take(), lighter.take({}, LIBRARY_REJECTED)];
      expect(await lighter.statusesOf({}, alone)).to.deep.equal([0, 0]);
      expect(await lighter.statusesOf({ transactionId: failed.hash }, alone)).to.deep.equal([0, 0]);
      expect(await lighter.statusesOf({ transactionId: executed.hash }, alone)).to.deep.equal([1, 1]);
    });

    it("fail if the explorer is down, denies access to the account or responds in another format", async () => {
      const [executed, failed] = [lighter.take(), lighter.take({}, LIBRARY_REJECTED)];
      for (const answer of [
        "hang up" as const,
        { status: 404, body: { message: "account not found" } },
        { status: 429, body: "Too Many Requests" },
        { body: { code: 200, logs: [] } },
        { body: [{ hash: "odd", status: "executed" }] },
        { body: "null" },
      ]) {
        lighter.explorer.answer(() => answer);
        for (const path of [STATUS_V2, STATUS_V3]) {
          expect(await lighter.statusOf(path)).to.deep.equal(INTERNAL_ERROR);
          expect(await lighter.statusOf(path, { transactionId: failed.hash })).to.deep.equal(INTERNAL_ERROR);
        }
        expect(await lighter.statusesOf({ transactionId: executed.hash })).to.deep.equal([1, 1]);
      }
      lighter.explorer.answer();
    });
  });
});

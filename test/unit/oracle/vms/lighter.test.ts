import { expect } from "chai";
import { zeroHash } from "viem";

import { InvalidInputError } from "../../../../sdk/src/core/errors.ts";
import { LIGHTER_VM } from "../../../../src/oracle/vms/lighter/lighterVm.ts";
import { depositedCurrency, memoId, paidCurrency } from "../../../../src/oracle/vms/lighter/transfer.ts";
import { startRecordedServer } from "../../../integration/oracle/support/recordedServer.ts";

const transfer = { from: 1n, to: 2n, amount: 3n, memo: [] };

describe("the second exchange", () => {
  it("identifies currencies by asset and market", () => {
    for (const [asset, route, deposited, paid] of [
      [3, 0, "0", "0"],
      [3, 1, "3", "3"],
      [3, 2, "3", undefined],
      [1, 1, "1", "1"],
      [1, 0, "1", undefined],
      [7, 1, "7", undefined],
    ] as const) {
      const moved = { ...transfer, asset, route };
      expect([depositedCurrency(moved), paidCurrency(moved)]).to.deep.equal([deposited, paid]);
    }
  });

  it("reports ids from other memos", () => {
    const bytes = (length: number, value: number) => new Array<number>(length).fill(value);
    expect(memoId(bytes(32, 0xab))).to.equal(`0x${"ab".repeat(32)}`);
    for (const memo of [[], bytes(31, 1), bytes(33, 1), bytes(32, 0), [...bytes(20, 1), ...bytes(12, 0)]]) {
      expect(memoId(memo)).to.equal(zeroHash);
    }
  });

  it("reads the owner of an account", async () => {
    const owner = "0x8B5E4dB198FfC7f69f8F11F6592f682717dF1D92";
    const exchange = await startRecordedServer(({ path }) =>
      path === "/api/v1/account?by=index&value=5"
        ? { body: { code: 200, total: 1, accounts: [{ index: 5, l1_address: owner, status: 1 }] } }
        : { status: 400, body: { code: 21100, message: "account not found" } },
    );
    const chain = LIGHTER_VM.open(
      { id: "lighter", rpcUrls: [exchange.url], depository: undefined, additionalData: {} },
      {
        clock: { now: () => 0 },
        observer: { called: () => undefined, failed: () => undefined },
        hub: { mappingEntry: () => Promise.resolve(undefined) },
      },
    );
    expect(await chain.readSigner?.("5")).to.equal(owner);
    expect(await chain.readSigner?.("6")).to.equal(undefined);
    expect(() => chain.readSigner?.("5&by=l1_address")).to.throw(InvalidInputError);
    chain.close();
    exchange.close();
  });
});

import { expect } from "chai";
import { type Hex, zeroHash } from "viem";

import { InvalidInputError, MalformedDataError } from "../../../../packages/protocol/src/core/errors.ts";
import { lighterCurrency } from "../../../../packages/protocol/src/vms/lighter.ts";
import { AttestationRefusedError } from "../../../../packages/oracle/src/attestationRefusedError.ts";
import { LIGHTER_VM } from "../../../../packages/oracle/src/vms/lighter/lighterVm.ts";
import { decodeWithdrawal, memoId, paidCurrency } from "../../../../packages/oracle/src/vms/lighter/withdrawals.ts";
import { startRecordedServer } from "../../../integration/oracle/support/recordedServer.ts";

/** Returns the allocator's payload for an action, with the parameters of a transfer. */
function payloadOf(kind: number): Hex {
  const parameters = [12, 100, 0, 1, 200, 0, 0, 1_000_000, 100, 304];
  const words = [0x20, kind, 0x40, 0x160, ...parameters].map((value) => value.toString(16).padStart(64, "0"));
  return `0x${words.join("")}${"ab".repeat(32)}`;
}

describe("the Lighter codec", () => {
  it("identifies currencies by asset and market", () => {
    for (const [asset, route, deposited, paid] of [
      [3, 0, "0", "0"],
      [3, 1, "3", "3"],
      [3, 2, "3", undefined],
      [1, 1, "1", "1"],
      [1, 0, "1", undefined],
      [7, 1, "7", undefined],
    ] as const) {
      expect([lighterCurrency(asset, route), paidCurrency({ asset, route })]).to.deep.equal([deposited, paid]);
    }
  });

  it("reads ids from full 32-byte memos only", () => {
    const bytes = (length: number, value: number) => new Array<number>(length).fill(value);
    expect(memoId(bytes(32, 0xab))).to.equal(`0x${"ab".repeat(32)}`);
    for (const memo of [[], bytes(31, 1), bytes(33, 1), bytes(32, 0), [...bytes(20, 1), ...bytes(12, 0)]]) {
      expect(memoId(memo)).to.equal(zeroHash);
    }
  });

  it("identifies a transfer by the text that Lighter wallets sign", () => {
    // Values from the public settlement SDK's tests.
    const withdrawal = decodeWithdrawal(payloadOf(0));
    expect(withdrawal.withdrawalId).to.equal("0xea01ccdd989a0baf828ee39059c424a6849522fb10dc114b85565179e4e9f50a");
    expect(withdrawal.payout()).to.deep.equal({ currency: "0", recipient: "200", amount: 1_000_000n });
  });

  it("rejects payloads that are not transfers", () => {
    for (const payload of ["0x", "0x12", payloadOf(1), payloadOf(0).slice(0, -64) as Hex] as const) {
      expect(() => decodeWithdrawal(payload)).to.throw(MalformedDataError);
    }
  });

  it("reads an account's owner, and rejects a missing account or one without an owner", async () => {
    const owner = "0x8B5E4dB198FfC7f69f8F11F6592f682717dF1D92";
    const exchange = await startRecordedServer(({ path }) =>
      path === "/api/v1/account?by=index&value=5"
        ? { body: { code: 200, total: 1, accounts: [{ index: 5, l1_address: owner, status: 1 }] } }
        : path === "/api/v1/account?by=index&value=7"
          ? { body: { code: 200, total: 1, accounts: [{ index: 7, status: 1 }] } }
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
    const failureOf = (account: string) => chain.readSigner?.(account).catch((error: unknown) => error);
    for (const account of ["6", "7"]) {
      expect(await failureOf(account)).to.be.instanceOf(AttestationRefusedError);
    }
    expect(await failureOf("5&by=l1_address")).to.be.instanceOf(InvalidInputError);
    chain.close();
    exchange.close();
  });
});

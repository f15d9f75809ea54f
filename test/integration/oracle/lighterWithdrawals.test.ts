import { expect } from "chai";
import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";

import type { WithdrawalAttestation } from "../../../packages/protocol/src/attestation/messages/withdrawals.ts";
import { ask } from "../support/oracleNetwork.ts";
import { expectRejection, INTERNAL_ERROR, SOLVER_CHAIN } from "./support/familyOracle.ts";
import {
  account,
  alias,
  AMOUNT,
  CHAIN,
  DEPOSITORY,
  encode,
  EXPIRES,
  id,
  INFO,
  LighterNetwork,
  NONCE,
  ownerAddress,
  payload,
  RECIPIENT,
  requestHash,
  SECOND,
  STATUS_V2,
  STATUS_V3,
  STRANGER,
  TIME,
  token,
} from "./support/lighterNetwork.ts";
import {
  COMMITTED,
  ETHER,
  EXECUTED,
  FAILED,
  LIBRARY_FAILED,
  LIBRARY_REJECTED,
  lighterWithdrawal,
  PERPETUALS,
  SPOT,
  WAITING,
  WITHDRAWAL,
} from "./support/lighterShapes.ts";
import { burnOf, expectExecution, idOf, mintOf, tokenOf, transferOf, withdrawnOf } from "./support/vectors.ts";

const STATUS_V1 = "/attestations/depository-withdrawals/v1";

describe("withdrawals on Lighter", () => {
  let lighter: LighterNetwork;
  before(async () => {
    lighter = await LighterNetwork.start();
  });
  beforeEach(() => {
    lighter.list();
    lighter.now = TIME * 1000;
  });
  after(() => lighter.close());

  it("are pending until the allocator signs the payload", async () => {
    lighter.list(lighter.take());
    await lighter.build("0x");
    expect(await lighter.statusOf(STATUS_V2)).to.deep.equal({ status: 200, body: { status: 0 } });
    await expectRejection(lighter.statusOf(STATUS_V3), "Withdraw request not yet available");
    await lighter.build(payload);
    await lighter.older.set({ functionName: "signedPayloads", result: "0x" });
    expect(await lighter.statusOf(STATUS_V2)).to.deep.equal({ status: 200, body: { status: 0 } });
    await lighter.older.set({ functionName: "signedPayloads", result: "0x1234" });
    await lighter.builder.set({ functionName: "family", result: "bitcoin-vm" });
    for (const path of [STATUS_V2, STATUS_V3]) await expectRejection(lighter.statusOf(path), "Vm type not implemented");
    await lighter.builder.set({ functionName: "family", result: "lighter-vm" });
  });

  it("are pending while there is no transfer", async () => {
    expect(await lighter.statusesOf()).to.deep.equal([0, 0]);
  });

  it("burn the amount after the explorer lists the executed transfer", async () => {
    for (const state of [EXECUTED, COMMITTED]) {
      lighter.list(lighter.take({ ToAccountIndex: STRANGER }), lighter.take({}, state));
      const { status, body } = await lighter.statusOf(STATUS_V2);
      expect([status, body.status], JSON.stringify(body)).to.deep.equal([200, 1]);
      await expectExecution(body.execution, idOf(id, ""), [burnOf(account, token, BigInt(AMOUNT))]);
      // The allocator burned the amount when it accepted the request.
      expect(await lighter.statusOf(STATUS_V3)).to.deep.equal({ status: 200, body: { status: 1 } });
    }
  });

  it("are executed by the transaction that the caller names, without the explorer", async () => {
    const { hash: transactionId } = lighter.take();
    const calls = lighter.explorer.calls.length;
    const { body } = await lighter.statusOf(STATUS_V2, { transactionId });
    await expectExecution(body.execution, idOf(id, transactionId), [burnOf(account, token, BigInt(AMOUNT))]);
    expect(await lighter.statusOf(STATUS_V3, { transactionId })).to.deep.equal({ status: 200, body: { status: 1 } });
    expect(lighter.explorer.calls).to.have.length(calls);
    const missing = "ee".repeat(40);
    for (const path of [STATUS_V2, STATUS_V3]) {
      const refusal = `Missing transaction ${missing} on chain ${CHAIN}`;
      await expectRejection(lighter.statusOf(path, { transactionId: missing }), refusal);
      await expectRejection(
        lighter.statusOf(path, { transactionId: "0x12" }),
        'transactionId "0x0x12" is not hex without 0x',
      );
    }
  });

  it("are pending while the transfer can still be executed", async () => {
    for (const state of [WAITING, FAILED, 9]) {
      const sent = lighter.take({}, state);
      lighter.list(sent);
      lighter.now = EXPIRES + 60_000;
      expect(await lighter.statusesOf()).to.deep.equal([0, 0]);
      expect(await lighter.statusesOf({ transactionId: sent.hash })).to.deep.equal([0, 0]);
      const timeless = lighter.take({ ExpiredAt: 0 }, state);
      lighter.list(timeless);
      lighter.now = EXPIRES * 2;
      expect(await lighter.statusesOf({ transactionId: timeless.hash })).to.deep.equal([0, 0]);
    }
  });

  it("return the balance after the transfer expired or was rejected", async () => {
    for (const [state, time] of [
      [WAITING, EXPIRES + 60_001],
      [FAILED, EXPIRES + 60_001],
      [LIBRARY_FAILED, TIME * 1000],
      [LIBRARY_REJECTED, TIME * 1000],
    ] as const) {
      const sent = lighter.take({}, state);
      lighter.list(sent);
      lighter.now = time;
      const { body } = await lighter.statusOf(STATUS_V2);
      expect(body.status).to.equal(2);
      await expectExecution(body.execution, idOf(id, "", "2"), [transferOf(account, alias, token, BigInt(AMOUNT))]);
      const { body: later } = await lighter.statusOf(STATUS_V3);
      expect(later.status).to.equal(2);
      await expectExecution(later.execution, idOf(requestHash, "2"), [mintOf(alias, token, BigInt(AMOUNT))]);
      // Explorers can omit unexecuted transfers.
      lighter.list();
      expect(await lighter.statusesOf({ transactionId: sent.hash })).to.deep.equal([2, 2]);
    }
  });

  it("use the most successful of several attempts, in any order", async () => {
    const [rejected, waiting, executed] = [
      lighter.take({}, LIBRARY_REJECTED),
      lighter.take({}, WAITING),
      lighter.take(),
    ];
    lighter.list(waiting, rejected);
    expect(await lighter.statusesOf()).to.deep.equal([0, 0]);
    for (const attempts of [
      [rejected, executed],
      [executed, rejected],
    ]) {
      lighter.list(...attempts);
      expect(await lighter.statusesOf()).to.deep.equal([1, 1]);
      expect(await lighter.statusesOf({ transactionId: rejected.hash })).to.deep.equal([1, 1]);
    }
    lighter.list(rejected);
    expect(await lighter.statusesOf({ transactionId: waiting.hash })).to.deep.equal([0, 0]);
  });

  it("are not settled by a transfer with a different signed field", async () => {
    for (const change of [
      { FromAccountIndex: SECOND },
      { ApiKeyIndex: 6 },
      { ToAccountIndex: STRANGER },
      { AssetIndex: ETHER },
      { FromRouteType: SPOT },
      { ToRouteType: PERPETUALS },
      { Amount: AMOUNT - 1 },
      { USDCFee: 2_999_999 },
      { Memo: [1] },
      { Memo: new Array<number>(33).fill(0) },
      { Nonce: 43 },
      { Nonce: undefined as unknown as number },
    ]) {
      for (const state of [EXECUTED, LIBRARY_REJECTED]) {
        const sent = lighter.take(change, state);
        lighter.list(sent);
        expect(await lighter.statusesOf(), JSON.stringify(change)).to.deep.equal([0, 0]);
        expect(await lighter.statusesOf({ transactionId: sent.hash })).to.deep.equal([0, 0]);
      }
    }
    const other = lighter.take({}, EXECUTED, { type: WITHDRAWAL });
    expect(await lighter.statusesOf({ transactionId: other.hash })).to.deep.equal([0, 0]);
    // The exchange pads memos with zeros.
    const short = lighter.take({ Memo: [] });
    expect(await lighter.statusesOf({ transactionId: short.hash })).to.deep.equal([1, 1]);
  });

  it("are rejected if the payload belongs to another depository, and fail if it is not a transfer", async () => {
    const foreign = lighterWithdrawal({ ...INFO, FromAccountIndex: STRANGER }).payload;
    await lighter.build(foreign);
    const refusal = `Depository ${STRANGER} is not configured for chain ${CHAIN}`;
    for (const path of [STATUS_V2, STATUS_V3]) await expectRejection(lighter.statusOf(path), refusal);
    await lighter.build(
      encodeAbiParameters(parseAbiParameters("(uint8 kind, bytes parameters)"), [{ kind: 1, parameters: "0x" }]),
    );
    for (const path of [STATUS_V2, STATUS_V3]) expect(await lighter.statusOf(path)).to.deep.equal(INTERNAL_ERROR);
    await lighter.build(payload);
  });

  describe("with a payload from the caller", () => {
    const attestV1 = async (withdrawal: Hex, change: object = {}, transactionId?: string) => {
      const request = {
        ...{ chainId: CHAIN, currency: "0", withdrawer: ownerAddress, withdrawerChainId: SOLVER_CHAIN },
        ...{ recipient: `${RECIPIENT}`, withdrawalNonce: NONCE, ...change },
      };
      const { status, body } = await ask<WithdrawalAttestation>(lighter.oracle, STATUS_V1, {
        chainId: CHAIN,
        withdrawal,
        withdrawalAddressRequest: request,
        ...(transactionId === undefined ? {} : { transactionId }),
      });
      return { status, body };
    };

    it("burn the payload's amount in each currency", async () => {
      for (const [change, currency] of [
        [{}, "0"],
        [{ FromRouteType: SPOT }, "3"],
        [{ FromRouteType: SPOT, AssetIndex: ETHER }, "1"],
      ] as const) {
        const stated = lighterWithdrawal({ ...INFO, ...change });
        const { hash } = lighter.take(change);
        const { body } = await attestV1(stated.payload, { currency }, hash);
        const result = { withdrawalId: stated.id, depository: `${DEPOSITORY}`, status: 1 };
        expect(body.message.result, JSON.stringify(body)).to.deep.equal(result);
        const from = withdrawnOf(CHAIN, [encode(DEPOSITORY), encode(currency), encode(RECIPIENT), alias, NONCE]);
        const burned = burnOf(from, tokenOf(CHAIN, encode(currency)), BigInt(AMOUNT));
        await expectExecution(body.execution, idOf(stated.id, hash), [burned]);
      }
    });

    it("are rejected for another recipient or currency, and for transactions that are not transfers", async () => {
      const message = "Withdrawal does not match the withdrawal address request";
      await expectRejection(attestV1(payload, { recipient: `${STRANGER}` }), message);
      await expectRejection(attestV1(payload, { currency: "3" }), message);
      await expectRejection(attestV1(lighterWithdrawal({ ...INFO, AssetIndex: ETHER }).payload), message);
      for (const other of ["0x", "0x12", payload.slice(0, 200) as Hex] as const) {
        const { status, body } = await attestV1(other);
        expect([status, (body as unknown as { message: string }).message.split(" ")[0]]).to.deep.equal([
          400,
          "withdrawal",
        ]);
      }
    });
  });
});

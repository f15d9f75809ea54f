import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, parseAbi, zeroAddress, zeroHash } from "viem";

import { depositoryAbi } from "../../../packages/protocol/src/abi/depository.generated.ts";
import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import type { ExecutionAttestation } from "../../../packages/protocol/src/attestation/messages/transfer.ts";
import { decodeAction, hubAlias, hubTokenId, orderAddress } from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/deterministicId.ts";
import { noFillEntryId } from "../../../packages/protocol/src/attestation/genericMapping.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { Answers } from "../support/answers.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";
import { type DepositedOrder, depositFor, simpleOrder } from "../support/orders.ts";

const ROUTE = "/attestations/recover/v1";
const MAPPING: Address = "0x0000000000000000000000000000000000003a99";
const MAPPING_ABI = parseAbi(["function getEntry(address, bytes32) view returns (bytes, uint256)"]);
const WEEK_SECONDS = 604_800;
const { user, solver } = localAccounts;
const depositor = user.address.toLowerCase() as Address;
const tokenId = hubTokenId(CHAIN, zeroAddress);

describe("an attestation of a recovered deposit", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let mapping: Answers<typeof MAPPING_ABI>;
  let salt = 0n;
  /** Unix seconds of the oracle's clock. */
  let now = 0;

  before(async () => {
    network = await startOracleNetwork();
    mapping = await Answers.at(network, MAPPING, MAPPING_ABI, [{ functionName: "getEntry", result: ["0x", 0n] }]);
    oracle = await startTestOracle(network, {
      hub: { genericMappingAddress: MAPPING },
      clock: { now: () => now * 1000 },
    });
  });
  after(async () => {
    await oracle.close();
    await network.close();
  });

  async function paid(): Promise<DepositedOrder> {
    salt += 1n;
    const deposited = await depositFor(network, oracle, simpleOrder(network, salt));
    now = deposited.timestamp + WEEK_SECONDS;
    return deposited;
  }
  const accountOf = ({ orderId, timestamp }: DepositedOrder): Address =>
    orderAddress({ chainId: CHAIN, depositor, depositTimestamp: timestamp, depositId: orderId });
  const referenceOf = ({ transactionId, onchainId }: DepositedOrder) => ({ chainId: CHAIN, transactionId, onchainId });
  const bodyOf = (deposited: DepositedOrder, change: object = {}) => ({
    ...referenceOf(deposited),
    order: deposited.order,
    orderSignature: deposited.orderSignature,
    ...change,
  });
  const declare = (deposited: DepositedOrder): Promise<void> =>
    mapping.set({
      functionName: "getEntry",
      args: [hubAlias(CHAIN, solver.address.toLowerCase() as Hex), noFillEntryId(deposited.orderId)],
      result: ["0x01", 1n],
    });
  const refusalOf = async (body: object) => {
    const { status, body: answer } = await ask(oracle, ROUTE, body);
    return [status, answer.message];
  };

  async function expectRecovered(deposited: DepositedOrder, body: object): Promise<void> {
    const { status, body: answer } = await ask<ExecutionAttestation>(oracle, ROUTE, body);
    expect(status, JSON.stringify(answer)).to.equal(200);
    const { execution } = answer;
    expect(execution.idempotencyKey).to.equal(deterministicId(deposited.onchainId, "recover"));
    const [transfer] = execution.actions.map((action) => decodeAction(action as Hex));
    expect(transfer).to.deep.include({ type: "transfer", to: hubAlias(CHAIN, depositor), tokenId, amount: 1000n });
    expect(transfer?.type === "transfer" && transfer.from.toLowerCase()).to.equal(accountOf(deposited));
    expect(await executionSigners(execution)).to.deep.equal([ORACLE_SIGNER]);
  }

  it("returns the deposit after the solver's statement that it did nothing", async () => {
    const deposited = await paid();
    await network.setHubBalance(accountOf(deposited), tokenId, 999n);
    expect(await refusalOf(bodyOf(deposited))).to.deep.equal([
      400,
      "Insufficient balance at order address for recovery",
    ]);
    await network.setHubBalance(accountOf(deposited), tokenId, 1000n);
    expect(await refusalOf(bodyOf(deposited))).to.deep.equal([400, "No fill or refund entry not found for this order"]);
    await declare(deposited);
    await expectRecovered(deposited, bodyOf(deposited));
    for (const [change, message] of [
      [{ order: simpleOrder(network, 999n) }, "Deposit depositId does not match the computed orderId"],
      [{ orderSignature: "nothing" }, "Invalid order signature"],
      [{ order: undefined }, "Order data and signature are required for deposits less than 7 days old"],
      [{ orderSignature: undefined }, "Order data and signature are required for deposits less than 7 days old"],
      [{ onchainId: zeroHash }, `Deposit with onchainId ${zeroHash} not found in transaction`],
    ] as const) {
      expect(await refusalOf(bodyOf(deposited, change))).to.deep.equal([400, message]);
    }
  });

  it("returns the deposit without a statement of the solver after seven days, by the oracle's clock", async () => {
    const deposited = await paid();
    await network.setHubBalance(accountOf(deposited), tokenId, 1000n);
    expect(await refusalOf(referenceOf(deposited))).to.deep.equal([
      400,
      "Order data and signature are required for deposits less than 7 days old",
    ]);
    now += 1;
    await expectRecovered(deposited, referenceOf(deposited));
  });

  it("is rejected for deposits without an order", async () => {
    const transactionId = await network.send({
      to: network.contracts.depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [zeroAddress, zeroHash] }),
      value: 5n,
    });
    const { body } = await ask<DepositsAttestation>(oracle, "/attestations/depository-deposits/v1", {
      chainId: CHAIN,
      transactionId,
    });
    const { onchainId } = body.messages[0]!.result;
    expect(await refusalOf({ chainId: CHAIN, transactionId, onchainId })).to.deep.equal([
      400,
      "Deposit does not have a depositId",
    ]);
  });

  it("is rejected while the deposit is not final, and when it is reorganized away", async () => {
    await using patient = await startTestOracle(network, {
      additionalData: { finalizationBlocks: 3, finalizationTime: 0 },
      hub: { genericMappingAddress: MAPPING },
    });
    const snapshot = await network.control("evm_snapshot", []);
    const deposited = await paid();
    await network.setHubBalance(accountOf(deposited), tokenId, 1000n);
    await declare(deposited);
    const { transactionId } = deposited;
    expect((await ask(patient, ROUTE, bodyOf(deposited))).body.message).to.equal(
      `Transaction ${transactionId} is not finalized`,
    );
    await network.control("evm_revert", [snapshot]);
    await network.mine(8, 10);
    expect((await ask(patient, ROUTE, bodyOf(deposited))).body.message).to.equal(
      `Missing transaction ${transactionId} on chain ${CHAIN}`,
    );
  });
});

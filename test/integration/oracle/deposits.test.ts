import { expect } from "chai";
import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  pad,
  parseEther,
  zeroAddress,
  zeroHash,
} from "viem";
import { getBlock, getTransactionReceipt } from "viem/actions";

import { depositoryAbi } from "../../../packages/protocol/src/abi/depository.generated.ts";
import { routerAbi } from "../../../packages/protocol/src/abi/router.generated.ts";
import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import {
  type Action,
  decodeAction,
  depositExecutionKey,
  hubAlias,
  hubTokenId,
  onchainId,
  orderAddress,
} from "../../../packages/sdk/src/attestation.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  ORACLE_CONTRACT,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";

const ROUTE = "/attestations/depository-deposits/v1";
const ID: Hex = `0x${"c1".repeat(32)}`;
const user = localAccounts.user.address.toLowerCase() as Address;
const stranger = localAccounts.stranger.address.toLowerCase() as Address;

describe("an attestation of deposits", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let depository: Address;
  let router: Address;
  let dollar: Address;

  before(async () => {
    network = await startOracleNetwork();
    oracle = await startTestOracle(network);
    ({ depository, router, dollar } = network.contracts);
    await network.send({
      to: dollar,
      data: encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [user, 10n ** 12n] }),
    });
    await network.send({
      to: dollar,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [depository, maxUint256] }),
    });
  });
  after(async () => {
    await oracle.close();
    await network.close();
  });

  const attest = (transactionId: string, change: object = {}) =>
    ask<DepositsAttestation>(oracle, ROUTE, { chainId: CHAIN, transactionId, ...change });

  const native = (id: Hex, value: bigint, depositor: Address = zeroAddress) =>
    network.send({
      to: depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, id] }),
      value,
    });

  const transferOf = (amount: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [depository, amount] });

  interface Expected {
    readonly depositor: Address;
    readonly currency: Address;
    readonly amount: bigint;
    readonly id: Hex;
    /** Its index among the transaction's logs. */
    readonly log: number;
  }

  /** Checks the whole response against the chain and the published derivations. */
  async function expectDeposits(transactionId: Hex, deposits: readonly Expected[]): Promise<void> {
    const { status, body } = await attest(transactionId);
    const receipt = await getTransactionReceipt(network.client, { hash: transactionId });
    const { timestamp } = await getBlock(network.client, { blockHash: receipt.blockHash });
    const messages = deposits.map(({ depositor, currency, amount, id, log }) => ({
      data: { chainId: CHAIN, transactionId },
      result: {
        onchainId: onchainId(CHAIN, transactionId, receipt.logs[log]!.logIndex),
        depository,
        depositor,
        currency: currency.toLowerCase(),
        amount: amount.toString(),
        depositId: id,
      },
      extraData: { timestamp: timestamp.toString() },
    }));
    expect({ status, messages: body.messages }).to.deep.equal({ status: 200, messages });
    const { execution } = body;
    expect(execution?.idempotencyKey).to.equal(depositExecutionKey(CHAIN, transactionId));
    expect(execution?.actions.map((action) => lower(decodeAction(action as Hex)))).to.deep.equal(
      deposits.map(({ depositor, currency, amount, id }) => ({
        type: "mint",
        to: (id === zeroHash
          ? hubAlias(CHAIN, depositor)
          : orderAddress({ chainId: CHAIN, depositor, depositTimestamp: Number(timestamp), depositId: id })
        ).toLowerCase(),
        tokenId: hubTokenId(CHAIN, currency.toLowerCase() as Hex),
        amount,
      })),
    );
    expect(execution && (await executionSigners(execution))).to.deep.equal([ORACLE_SIGNER]);
    expect(execution?.signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal([
      { oracleChainId: "31337", oracleContract: ORACLE_CONTRACT, oracleSigner: ORACLE_SIGNER },
    ]);
    expect(execution?.metadata).to.deep.equal(
      deposits.map(({ currency }) => ({
        hubTokenId: hubTokenId(CHAIN, currency.toLowerCase() as Hex).toString(),
        origin: { address: currency.toLowerCase(), chainId: CHAIN, family: "ethereum-vm" },
        oracleChainId: "31337",
        oracleContract: ORACLE_CONTRACT,
      })),
    );
  }

  it("attests a native deposit with keys in the known order, repeatedly", async () => {
    const transactionId = await native(ID, 5n, stranger);
    const expected = { depositor: stranger, currency: zeroAddress, amount: 5n, id: ID, log: 0 };
    await expectDeposits(transactionId, [expected]);
    await expectDeposits(transactionId, [expected]);
    const { body } = await attest(transactionId);
    expect(Object.keys(body)).to.deep.equal(["messages", "execution"]);
    expect(Object.keys(body.messages[0]!.result)).to.deep.equal([
      "onchainId",
      "depository",
      "depositor",
      "currency",
      "amount",
      "depositId",
    ]);
    expect(Object.keys(body.execution!)).to.deep.equal(["idempotencyKey", "actions", "signatures", "metadata"]);
  });

  it("credits the depositor if a deposit has no id", async () => {
    const transactionId = await native(zeroHash, 6n);
    await expectDeposits(transactionId, [{ depositor: user, currency: zeroAddress, amount: 6n, id: zeroHash, log: 0 }]);
  });

  it("reads the depositor and the id of a token deposit from its event", async () => {
    const deposit = (depositor: Address, amount: bigint, id: Hex) =>
      network.send({
        to: depository,
        data: encodeFunctionData({
          abi: depositoryAbi,
          functionName: "depositErc20",
          args: [depositor, dollar, amount, id],
        }),
      });
    const withId = await deposit(stranger, 7n, ID);
    await expectDeposits(withId, [{ depositor: stranger, currency: dollar, amount: 7n, id: ID, log: 0 }]);
    const without = await deposit(stranger, 7n, zeroHash);
    await expectDeposits(without, [{ depositor: stranger, currency: dollar, amount: 7n, id: zeroHash, log: 0 }]);
  });

  it("reads the id of a plain transfer after its call data", async () => {
    const withId = await network.send({ to: dollar, data: concat([transferOf(8n), ID]) });
    await expectDeposits(withId, [{ depositor: user, currency: dollar, amount: 8n, id: ID, log: 0 }]);
    const without = await network.send({ to: dollar, data: transferOf(8n) });
    await expectDeposits(without, [{ depositor: user, currency: dollar, amount: 8n, id: zeroHash, log: 0 }]);
    const withPadding = await network.send({ to: dollar, data: concat([transferOf(8n), pad("0x05")]) });
    await expectDeposits(withPadding, [{ depositor: user, currency: dollar, amount: 8n, id: zeroHash, log: 0 }]);
  });

  it("reads the id of a transfer inside a contract call", async () => {
    await network.send({
      to: dollar,
      data: encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [router, 8n] }),
    });
    const call = { target: dollar, allowFailure: false, value: 0n, callData: concat([transferOf(8n), ID]) };
    const transactionId = await network.send({
      to: router,
      data: encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [[call], user, user, "0x"] }),
    });
    const by = router.toLowerCase() as Address;
    await expectDeposits(transactionId, [{ depositor: by, currency: dollar, amount: 8n, id: ID, log: 0 }]);
  });

  it("reports several deposits of one transaction, in their order", async () => {
    await network.send({
      to: dollar,
      data: encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [router, 20n] }),
    });
    const transactionId = await network.send({
      to: router,
      value: 3n,
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: "multicall",
        args: [
          [
            { target: dollar, allowFailure: false, value: 0n, callData: transferOf(9n) },
            {
              target: depository,
              allowFailure: false,
              value: 3n,
              callData: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [user, ID] }),
            },
            { target: dollar, allowFailure: false, value: 0n, callData: transferOf(11n) },
          ],
          user,
          user,
          "0x",
        ],
      }),
    });
    const receipt = await getTransactionReceipt(network.client, { hash: transactionId });
    const places = receipt.logs.flatMap((log, index) =>
      [dollar, depository].some((address) => address.toLowerCase() === log.address.toLowerCase()) ? [index] : [],
    );
    const by = router.toLowerCase() as Address;
    await expectDeposits(transactionId, [
      { depositor: by, currency: dollar, amount: 9n, id: zeroHash, log: places[0]! },
      { depositor: user, currency: zeroAddress, amount: 3n, id: ID, log: places[1]! },
      { depositor: by, currency: dollar, amount: 11n, id: zeroHash, log: places[2]! },
    ]);
  });

  it("is empty for a transaction without deposits", async () => {
    const transactionId = await network.send({ to: stranger, value: 1n });
    expect(await attest(transactionId)).to.deep.include({ status: 200, body: { messages: [] } });
  });

  it("is rejected for transactions that are missing or reverted, and for unknown chains", async () => {
    const missing = `0x${"ee".repeat(32)}`;
    const reverted = await network.sendReverting({
      to: depository,
      data: encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositErc20",
        args: [user, dollar, 10n ** 18n, ID],
      }),
    });
    const refusals: [string, string, string][] = [
      [CHAIN, missing, `Missing transaction ${missing} on chain ${CHAIN}`],
      [CHAIN, reverted, `Reverted transaction ${reverted} on chain ${CHAIN}`],
      ["other", reverted, "Chain other is not available"],
    ];
    for (const [chainId, transactionId, message] of refusals) {
      const { status, body } = await ask(oracle, ROUTE, { chainId, transactionId });
      expect({ status, body }).to.deep.equal({ status: 400, body: { message } });
    }
  });

  it("is rejected if the id is malformed, and fails without showing the cause if the endpoint is down", async () => {
    const broken = { statusCode: 500, error: "Internal Server Error", message: "Something went wrong" };
    expect(await ask(oracle, ROUTE, { chainId: CHAIN, transactionId: "0x12" })).to.deep.include({
      status: 400,
      body: { message: 'transactionId is "0x12": it is not a transaction hash of 32 bytes' },
    });
    await using alone = await startTestOracle(network, { rpcUrl: "http://127.0.0.1:1" });
    expect(await ask(alone, ROUTE, { chainId: CHAIN, transactionId: ID })).to.deep.include({
      status: 500,
      body: broken,
    });
  });

  it("waits for blocks and time", async () => {
    const transactionId = await native(ID, parseEther("1"));
    const notFinal = { status: 400, body: { message: `Transaction ${transactionId} is not finalized` } };
    await using byBlocks = await startTestOracle(network, {
      additionalData: { finalizationBlocks: 3, finalizationTime: 0 },
    });
    await using byTime = await startTestOracle(network, {
      additionalData: { finalizationBlocks: 0, finalizationTime: 4 },
    });
    const statuses = () =>
      Promise.all(
        [byBlocks, byTime].map(async (other) => (await ask(other, ROUTE, { chainId: CHAIN, transactionId })).status),
      );
    await network.mine(2, 1);
    expect(await ask(byBlocks, ROUTE, { chainId: CHAIN, transactionId })).to.deep.include(notFinal);
    expect(await statuses()).to.deep.equal([400, 400]);
    await network.mine(1, 2);
    expect(await statuses()).to.deep.equal([200, 400]);
    await network.mine(1, 1);
    expect(await statuses()).to.deep.equal([200, 200]);
  });

  it("is rejected if the deposit is reorganized away before it is final, and valid after", async () => {
    await using careful = await startTestOracle(network, {
      additionalData: { finalizationBlocks: 2, finalizationTime: 0 },
    });
    const snapshot = await network.control("evm_snapshot", []);
    const transactionId = await native(ID, 4n);
    expect((await ask(careful, ROUTE, { chainId: CHAIN, transactionId })).status).to.equal(400);
    await network.control("evm_revert", [snapshot]);
    await network.mine(5, 0);
    expect(await ask(careful, ROUTE, { chainId: CHAIN, transactionId })).to.deep.include({
      status: 400,
      body: { message: `Missing transaction ${transactionId} on chain ${CHAIN}` },
    });
  });

  function lower(action: Action): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(action).map(([name, value]) => [name, typeof value === "string" ? value.toLowerCase() : value]),
    );
  }
});

import { expect } from "chai";
import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, maxUint256, zeroAddress, zeroHash } from "viem";
import { getBlock, getTransactionReceipt } from "viem/actions";

import {
  depositExecutionKey,
  hubAlias,
  hubTokenId,
  onchainId,
  orderAddress,
} from "../../../packages/sdk/src/attestation.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { CHAIN, ORACLE_CONTRACT, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { DEPOSITS, expectSigned, oracleSuite, owner as user, recipient as stranger } from "./support/oracleSuite.ts";
import { depositoryAbi, routerAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const ID: Hex = `0x${"c1".repeat(32)}`;

describe("an attestation of deposits", () => {
  const suite = oracleSuite({
    async prepare(network) {
      const { depository, dollar, router } = network.contracts;
      for (const to of [user, router]) {
        const data = encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [to, 10n ** 12n] });
        await suite.network.send({ to: dollar, data });
      }
      const args = [depository, maxUint256] as const;
      await suite.network.send({
        to: dollar,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }),
      });
      return {};
    },
  });
  const { attest, attested, expectRejected, deposit } = suite;
  const depositData = (depositor: Address, id: Hex): Hex =>
    encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, id] });
  const transferOf = (amount: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [suite.contracts.depository, amount] });
  const multicall = (calls: readonly { target: Address; value: bigint; callData: Hex }[]) =>
    suite.network.send({
      to: suite.contracts.router,
      value: calls.reduce((sum, { value }) => sum + value, 0n),
      data: encodeFunctionData({
        abi: routerAbi,
        functionName: "multicall",
        args: [calls.map((call) => ({ ...call, allowFailure: false })), user, user, "0x"],
      }),
    });

  interface Expected {
    readonly depositor: Address;
    readonly currency: Address;
    readonly amount: bigint;
    readonly id: Hex;
  }

  /** Checks the entire response against the chain and the published derivations. */
  async function expectDeposits(transactionId: Hex, ...expected: readonly Expected[]): Promise<void> {
    const { client, contracts } = suite.network;
    const body = await attested(DEPOSITS, { chainId: CHAIN, transactionId });
    const receipt = await getTransactionReceipt(client, { hash: transactionId });
    const { timestamp } = await getBlock(client, { blockHash: receipt.blockHash });
    const deposits = expected.map((one) => ({ ...one, currency: one.currency.toLowerCase() as Address }));
    const logs = receipt.logs.filter(({ address }) =>
      [contracts.dollar, contracts.depository].some((other) => other.toLowerCase() === address.toLowerCase()),
    );
    expect(body.messages).to.deep.equal(
      deposits.map(({ id: depositId, amount, ...result }, index) => ({
        data: { chainId: CHAIN, transactionId },
        result: {
          ...result,
          depositId,
          amount: amount.toString(),
          depository: contracts.depository,
          onchainId: onchainId(CHAIN, transactionId, logs[index]!.logIndex),
        },
        extraData: { timestamp: timestamp.toString() },
      })),
    );
    const tokens = deposits.map(({ currency }) => hubTokenId(CHAIN, currency));
    await expectSigned(body.execution, {
      key: depositExecutionKey(CHAIN, transactionId),
      actions: deposits.map(({ depositor, amount, id: depositId }, index) => {
        const order = { chainId: CHAIN, depositor, depositTimestamp: Number(timestamp), depositId };
        const to = depositId === zeroHash ? hubAlias(CHAIN, depositor) : orderAddress(order);
        return { type: "mint", to: to.toLowerCase(), tokenId: tokens[index]!, amount };
      }),
      signers: [ORACLE_SIGNER],
    });
    const contract = { oracleChainId: "31337", oracleContract: ORACLE_CONTRACT };
    expect(body.execution?.signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal([
      { ...contract, oracleSigner: ORACLE_SIGNER },
    ]);
    expect(body.execution?.metadata).to.deep.equal(
      deposits.map(({ currency }, index) => ({
        hubTokenId: `${tokens[index]}`,
        origin: { address: currency, chainId: CHAIN, family: "ethereum-vm" },
        ...contract,
      })),
    );
  }

  it("attests a native deposit with response fields in the expected order, repeatedly", async () => {
    const transactionId = await deposit(5n, ID, stranger);
    const expected = { depositor: stranger, currency: zeroAddress, amount: 5n, id: ID };
    await expectDeposits(transactionId, expected);
    await expectDeposits(transactionId, expected);
    const body = await attested(DEPOSITS, { chainId: CHAIN, transactionId });
    expect([body, body.messages[0]!.result, body.execution!].map((part) => Object.keys(part).join())).to.deep.equal([
      "messages,execution",
      "onchainId,depository,depositor,currency,amount,depositId",
      "idempotencyKey,actions,signatures,metadata",
    ]);
  });

  it("reads the depositor and id of a token deposit from its event, and of a transfer from its call data", async () => {
    const { dollar, depository, router } = suite.contracts;
    const args = [stranger, dollar, 7n, ID] as const;
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositErc20", args });
    const token = { currency: dollar, id: ID };
    await expectDeposits(await suite.network.send({ to: depository, data }), {
      ...token,
      depositor: stranger,
      amount: 7n,
    });
    const withId = await suite.network.send({ to: dollar, data: concat([transferOf(8n), ID]) });
    await expectDeposits(withId, { ...token, depositor: user, amount: 8n });
    const bare = await suite.network.send({ to: dollar, data: transferOf(8n) });
    await expectDeposits(bare, { ...token, depositor: user, amount: 8n, id: zeroHash });
    const inside = await multicall([{ target: dollar, value: 0n, callData: concat([transferOf(8n), ID]) }]);
    await expectDeposits(inside, { ...token, depositor: router.toLowerCase() as Address, amount: 8n });
  });

  it("reports several deposits in one transaction in order", async () => {
    const { dollar, depository, router } = suite.contracts;
    const transactionId = await multicall([
      { target: dollar, value: 0n, callData: transferOf(9n) },
      { target: depository, value: 3n, callData: depositData(user, ID) },
      { target: dollar, value: 0n, callData: transferOf(11n) },
    ]);
    const byRouter = { depositor: router.toLowerCase() as Address, currency: dollar, id: zeroHash };
    await expectDeposits(
      transactionId,
      { ...byRouter, amount: 9n },
      { depositor: user, currency: zeroAddress, amount: 3n, id: ID },
      { ...byRouter, amount: 11n },
    );
  });

  it("is rejected for missing or reverted transactions, unknown chains and malformed ids", async () => {
    const missing = `0x${"ee".repeat(32)}`;
    const { depository, dollar } = suite.contracts;
    const args = [user, dollar, 10n ** 18n, ID] as const;
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositErc20", args });
    const reverted = await suite.network.sendReverting({ to: depository, data });
    for (const [chainId, transactionId, message] of [
      [CHAIN, missing, `Missing transaction ${missing} on chain ${CHAIN}`],
      [CHAIN, reverted, `Reverted transaction ${reverted} on chain ${CHAIN}`],
      ["other", reverted, "Chain other is not available"],
      [CHAIN, "0x12", 'transactionId "0x12" is not a transaction hash of 32 bytes'],
    ] as const) {
      await expectRejected(DEPOSITS, { chainId, transactionId }, message);
    }
  });

  it("waits for the required blocks and time", async () => {
    const transactionId = await deposit(10n ** 18n, ID);
    await using byBlocks = await suite.start({ additionalData: { finalizationBlocks: 3, finalizationTime: 0 } });
    await using byTime = await suite.start({ additionalData: { finalizationBlocks: 0, finalizationTime: 4 } });
    const statuses = async () => {
      const responses = [byBlocks, byTime].map((to) => attest(DEPOSITS, { chainId: CHAIN, transactionId }, to));
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    for (const [blocks, seconds, expected] of [
      [2, 1, [400, 400]],
      [1, 2, [200, 400]],
      [1, 1, [200, 200]],
    ] as const) {
      await suite.network.mine(blocks, seconds);
      expect(await statuses()).to.deep.equal(expected);
    }
  });
});

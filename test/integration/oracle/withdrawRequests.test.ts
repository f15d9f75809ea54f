import { expect } from "chai";
import { AbiCoder, keccak256 } from "ethers";
import { type Address, type Hex, numberToHex, zeroAddress, zeroHash } from "viem";
import { getBlock } from "viem/actions";

import { hubAlias, hubTokenId } from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/hubIds.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { Answers } from "../support/responses.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import { CHAIN, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";
import {
  ALLOCATOR_V3 as ALLOCATOR,
  ALLOCATOR_V3_ABI,
  BUILDER,
  BUILDER_ABI,
  EXECUTOR,
  EXECUTOR_ABI,
} from "./support/hubContracts.ts";
import {
  actionsOf,
  expectSigned,
  fieldsOf as typeOf,
  oracleSuite,
  owner as spender,
  recipient as receiver,
  REQUEST_TYPES,
  typedSigners,
} from "./support/oracleSuite.ts";
import { encodeEvmWithdrawal, type EvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";

const STATUS = "depository-withdrawals/v3";
const HASHES = "withdraw-requests/v1";
const AUTHORIZATION = "withdraw-request-authorization/v1";
const ORDER_ADDRESS: Address = "0x00000000000000000000000000000000000fde40";
const { user, stranger } = localAccounts;

describe("an attestation of a withdraw request", () => {
  let allocator: Answers<typeof ALLOCATOR_V3_ABI>;
  let builder: Answers<typeof BUILDER_ABI>;
  let executor: Answers<typeof EXECUTOR_ABI>;
  const suite = oracleSuite({
    hasPeer: true,
    async prepare(network) {
      const depository = network.contracts.depository.toLowerCase();
      allocator = await Answers.at(network, ALLOCATOR, ALLOCATOR_V3_ABI, [
        { functionName: "payloads", result: "0x" },
        { functionName: "payloadBuilders", result: zeroAddress },
        { functionName: "payloadBuilders", args: [CHAIN, depository], result: BUILDER },
        { functionName: "hashesToSign", result: zeroHash },
      ]);
      builder = await Answers.at(network, BUILDER, BUILDER_ABI, [{ functionName: "family", result: "ethereum-vm" }]);
      executor = await Answers.at(network, EXECUTOR, EXECUTOR_ABI, [
        { functionName: "orderAddressByWithdrawRequestHash", result: zeroAddress },
      ]);
      return {
        additionalData: { finalizationBlocks: 2, finalizationTime: 5 },
        hub: { allocatorAddress: ALLOCATOR, executorAddress: EXECUTOR },
      };
    },
  });
  const { attested, expectRejected } = suite;
  before(() => suite.deposit(1_000n));

  const common = { chainId: CHAIN, currency: zeroAddress, spenderChainId: CHAIN, spender, receiver };
  const fieldsOf = (nonce: bigint, change: object = {}) => ({
    ...{ ...common, amount: "70", nonce: numberToHex(nonce, { size: 32 }) },
    ...change,
  });
  const encoded = (nonce: bigint, change: object = {}) => ({
    ...{ chainId: CHAIN, depository: suite.contracts.depository.toLowerCase(), currency: zeroAddress, amount: 70n },
    ...{ spenderChainId: CHAIN, spender, receiver, data: "0x", nonce: numberToHex(nonce, { size: 32 }) },
    ...change,
  });
  const hashOf = (nonce: bigint, change: object = {}): Hex => {
    const type = `tuple(${REQUEST_TYPES.WithdrawRequest.map((field) => `${field.type} ${field.name}`).join(",")})`;
    return keccak256(AbiCoder.defaultAbiCoder().encode([type], [encoded(nonce, change)])) as Hex;
  };
  const bothSigners = () => [ORACLE_SIGNER, suite.peer.signer];

  describe("after the request", () => {
    const withdrawalOf = (nonce: bigint, expiration = 4_000_000_000n): EvmWithdrawal => ({
      ...{ calls: [{ to: receiver, data: "0x", value: 70n, allowFailure: false }], nonce, expiration },
    });
    const build = (hash: Hex, withdrawal: EvmWithdrawal): Promise<void> =>
      allocator.set({ functionName: "payloads", args: [hash], result: encodeEvmWithdrawal(withdrawal) });
    const expectStatus = async (nonce: bigint, status: number): Promise<void> => {
      expect(await attested(STATUS, fieldsOf(nonce))).to.deep.equal({ status });
    };

    it("is rejected until the allocator has built the payload, then pending, then executed", async () => {
      await expectRejected(STATUS, fieldsOf(1n), "Withdraw request not yet available");
      const withdrawal = withdrawalOf(1n);
      await build(hashOf(1n), withdrawal);
      await expectStatus(1n, 0);
      await executeWithdrawal(suite.network, withdrawal);
      await suite.network.mine(1, 1);
      await expectStatus(1n, 0);
      await suite.network.mine(2, 10);
      await expectStatus(1n, 1);
    });

    it("identifies the request by its id alone, regardless of its calls", async () => {
      const withdrawal = withdrawalOf(2n);
      const [call] = withdrawal.calls;
      await build(hashOf(2n), { ...withdrawal, calls: [{ ...call!, data: "0x12345678", value: 0n }] });
      await expectStatus(2n, 0);
    });

    const expired = async (nonce: bigint, change: object = {}) => {
      const { timestamp } = await getBlock(suite.network.client);
      await build(hashOf(nonce, change), withdrawalOf(nonce, timestamp + 1n));
      await suite.network.mine(1, 2);
      await suite.network.mine(3, 7);
      return fieldsOf(nonce, { ...change, requestPeerSignatures: true });
    };

    it("credits the spender after the request expires", async () => {
      const { status, execution } = await attested(STATUS, await expired(3n));
      expect(status).to.equal(2);
      const to = hubAlias(CHAIN, spender).toLowerCase();
      await expectSigned(execution, {
        key: deterministicId(hashOf(3n), "2"),
        actions: [{ type: "mint", to, tokenId: hubTokenId(CHAIN, zeroAddress), amount: 70n }],
        signers: bothSigners(),
      });
    });

    it("credits the order after the request expires if the executor spent the balance for the order", async () => {
      const ofExecutor = { spenderChainId: "relay", spender: EXECUTOR };
      await expectRejected(STATUS, await expired(4n, ofExecutor), "Withdrawal has no corresponding order address");
      const args = [hashOf(5n, ofExecutor)];
      await executor.set({ functionName: "orderAddressByWithdrawRequestHash", args, result: ORDER_ADDRESS });
      const { execution } = await attested(STATUS, await expired(5n, ofExecutor));
      expect(actionsOf(execution)[0]).to.deep.include({ type: "mint", to: ORDER_ADDRESS });
    });

    it("is rejected for unsupported payloads, unknown chains and unknown depositories", async () => {
      await using elsewhere = await suite.start({ chain: { id: "second" }, hub: { allocatorAddress: ALLOCATOR } });
      const body = fieldsOf(1n, { chainId: "second", spenderChainId: "second" });
      await expectRejected(STATUS, body, "No payload builder configured for chain second", elsewhere);
      await build(hashOf(6n), withdrawalOf(6n));
      await builder.set({ functionName: "family", result: "bitcoin-vm" });
      await expectRejected(STATUS, fieldsOf(6n), "Vm type not implemented");
      await builder.set({ functionName: "family", result: "ethereum-vm" });
      const unknown = `Depository ${ALLOCATOR} is not configured for chain ${CHAIN}`;
      await expectRejected(STATUS, fieldsOf(6n, { depository: ALLOCATOR }), unknown);
      await expectRejected(STATUS, fieldsOf(6n, { spenderChainId: "other" }), "Chain other is not available");
    });
  });

  it("returns the allocator's hashes in the requested order", async () => {
    const hashes = [`0x${"a1".repeat(32)}`, `0x${"a2".repeat(32)}`] as const;
    for (const [index, result] of hashes.entries()) {
      await allocator.set({ functionName: "hashesToSign", args: [hashOf(7n), BigInt(index)], result });
    }
    const body = { ...fieldsOf(7n), hashIndexes: [1, 0], requestPeerSignatures: true };
    const { signatures, ...message } = (await attested(HASHES, body)).withdrawRequest;
    const hashesToSign = [hashes[1], hashes[0]];
    expect(message).to.deep.equal({
      ...{ chainId: 31_337, allocator: ALLOCATOR, withdrawRequestHash: hashOf(7n), hashesToSign },
    });
    const types = typeOf("uint256 chainId, address allocator, bytes32 withdrawRequestHash, bytes32[] hashesToSign");
    const domain = { name: "WithdrawRequest", version: "1", chainId: 31_337, verifyingContract: zeroAddress };
    const signers = await typedSigners(domain, { WithdrawRequest: types }, message, signatures);
    expect(signers).to.deep.equal(bothSigners());
    for (const [hashIndexes, reason] of [
      [[0, 3, 2], "Hash to sign not set for withdraw request at index 3"],
      [Array.from({ length: 101 }, () => 0), "body/hashIndexes must NOT have more than 100 items"],
      [[], "body/hashIndexes must NOT have fewer than 1 items"],
    ] as const) {
      await expectRejected(HASHES, { ...body, hashIndexes }, reason);
    }
  });

  describe("before the request", () => {
    const signed = async (nonce: bigint, change: object = {}, by = user) => {
      const { spenderChainId: ownerChainId, spender: owner, receiver: to, ...rest } = fieldsOf(nonce, change);
      const ownerSignature = await signWithdrawal(by, { ...rest, ownerChainId, owner, recipient: to });
      return { ...fieldsOf(nonce, change), ownerSignature };
    };

    it("is encoded in the allocator's format and signed", async () => {
      const body = { ...(await signed(8n)), requestPeerSignatures: true };
      const { signatures, ...message } = await attested(AUTHORIZATION, body);
      expect(message).to.deep.equal({
        withdrawRequest: { ...encoded(8n), amount: "70" },
        allocatorChainId: 31_337,
        allocatorContract: ALLOCATOR,
      });
      const names = REQUEST_TYPES.WithdrawRequest.map(({ name }) => name);
      expect(Object.keys(message.withdrawRequest)).to.deep.equal(names);
      const domain = { name: "RelayAllocator", version: "1", chainId: 31_337, verifyingContract: ALLOCATOR };
      expect(await typedSigners(domain, REQUEST_TYPES, encoded(8n), signatures)).to.deep.equal(bothSigners());
    });

    it("is rejected without the spender's signature, and for the hub itself", async () => {
      const body = await signed(9n);
      for (const [change, message] of [
        [{ ownerSignature: undefined }, "ownerSignature is required"],
        [await signed(9n, {}, stranger), "Invalid signature"],
        [{ receiver: spender }, "Invalid signature"],
        [await signed(9n, { spenderChainId: "relay" }), "Chain relay is not available"],
        [{ nonce: "0x1" }, 'body/nonce must match pattern "^0x[0-9a-fA-F]{64}$"'],
      ] as const) {
        await expectRejected(AUTHORIZATION, { ...body, ...change }, message);
      }
    });

    for (const vmType of ["hyperliquid-vm", "xrp-vm"] as const) {
      it(`is rejected on ${vmType} chains, which have no authorization`, async () => {
        const depository = undefined as unknown as string;
        await using other = await suite.start({ chain: { vmType, depository }, hub: { allocatorAddress: ALLOCATOR } });
        const message = `Withdrawals on ${vmType} are not supported by this endpoint`;
        await expectRejected(AUTHORIZATION, await signed(9n), message, other);
      });
    }
  });
});

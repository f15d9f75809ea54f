import { expect } from "chai";
import { AbiCoder, keccak256, TypedDataEncoder } from "ethers";
import {
  type Address,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  recoverAddress,
  zeroAddress,
  zeroHash,
} from "viem";
import { getBlock } from "viem/actions";

import { depositoryAbi } from "../../../packages/protocol/src/abi/depository.generated.ts";
import type {
  AuthorizationAttestation,
  WithdrawRequestAttestation,
} from "../../../packages/protocol/src/attestation/messages/withdrawRequests.ts";
import type { WithdrawalStatusAttestation } from "../../../packages/protocol/src/attestation/messages/withdrawalsV2.ts";
import {
  decodeAction,
  encodeEvmWithdrawal,
  type EvmWithdrawal,
  hubAlias,
  hubTokenId,
} from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/deterministicId.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { Answers } from "../support/answers.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";

const STATUS = "/attestations/depository-withdrawals/v3";
const HASHES = "/attestations/withdraw-requests/v1";
const AUTHORIZATION = "/attestations/withdraw-request-authorization/v1";

const ALLOCATOR: Address = "0x00000000000000000000000000000000000a110c";
const BUILDER: Address = "0x0000000000000000000000000000000000b0117d";
const EXECUTOR: Address = "0x0000000000000000000000000000000000e8ec07";
const ORDER_ADDRESS: Address = "0x00000000000000000000000000000000000fde40";

const ALLOCATOR_ABI = parseAbi([
  "function payloads(bytes32) view returns (bytes)",
  "function payloadBuilders(string, bytes) view returns (address)",
  "function hashesToSign(bytes32, uint256) view returns (bytes32)",
]);
const BUILDER_ABI = parseAbi(["function family() view returns (string)"]);
const EXECUTOR_ABI = parseAbi(["function orderAddressByWithdrawRequestHash(bytes32) view returns (address)"]);

const { user, stranger } = localAccounts;
const spender = user.address.toLowerCase() as Address;
const receiver = stranger.address.toLowerCase() as Address;
const REQUEST_TYPES = {
  WithdrawRequest: [
    { name: "chainId", type: "string" },
    { name: "depository", type: "bytes" },
    { name: "currency", type: "bytes" },
    { name: "amount", type: "uint256" },
    { name: "spenderChainId", type: "string" },
    { name: "spender", type: "bytes" },
    { name: "receiver", type: "bytes" },
    { name: "data", type: "bytes" },
    { name: "nonce", type: "bytes32" },
  ],
};

describe("an attestation of a withdraw request", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let peer: Oracle;
  let depository: Address;
  let allocator: Answers<typeof ALLOCATOR_ABI>;
  let builder: Answers<typeof BUILDER_ABI>;
  let executor: Answers<typeof EXECUTOR_ABI>;

  before(async () => {
    network = await startOracleNetwork();
    ({ depository } = network.contracts);
    allocator = await Answers.at(network, ALLOCATOR, ALLOCATOR_ABI, [
      { functionName: "payloads", result: "0x" },
      { functionName: "payloadBuilders", result: zeroAddress },
      { functionName: "payloadBuilders", args: [CHAIN, depository.toLowerCase()], result: BUILDER },
      { functionName: "hashesToSign", result: zeroHash },
    ]);
    builder = await Answers.at(network, BUILDER, BUILDER_ABI, [{ functionName: "family", result: "ethereum-vm" }]);
    executor = await Answers.at(network, EXECUTOR, EXECUTOR_ABI, [
      { functionName: "orderAddressByWithdrawRequestHash", result: zeroAddress },
    ]);
    const options = {
      additionalData: { finalizationBlocks: 2, finalizationTime: 5 },
      hub: { allocatorAddress: ALLOCATOR, executorAddress: EXECUTOR },
    };
    const privateKey: Hex = `0x${"6b".repeat(32)}`;
    peer = await startTestOracle(network, {
      ...options,
      settings: { signing: { module: "raw-private-key", privateKey } },
    });
    oracle = await startTestOracle(network, {
      ...options,
      settings: { peers: [{ baseUrl: peer.url, apiKey: "k" }] },
    });
    await network.send({
      to: depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [zeroAddress, zeroHash] }),
      value: 1_000n,
    });
  });
  after(async () => {
    await oracle.close();
    await peer.close();
    await network.close();
  });

  const fieldsOf = (nonce: bigint, change: object = {}) => ({
    chainId: CHAIN,
    currency: zeroAddress,
    amount: "70",
    spenderChainId: CHAIN,
    spender,
    receiver,
    nonce: numberToHex(nonce, { size: 32 }),
    ...change,
  });
  const encoded = (nonce: bigint, change: object = {}) => ({
    chainId: CHAIN,
    depository: depository.toLowerCase(),
    currency: zeroAddress,
    amount: 70n,
    spenderChainId: CHAIN,
    spender,
    receiver,
    data: "0x",
    nonce: numberToHex(nonce, { size: 32 }),
    ...change,
  });
  const hashOf = (nonce: bigint, change: object = {}): Hex => {
    const type = `tuple(${REQUEST_TYPES.WithdrawRequest.map((field) => `${field.type} ${field.name}`).join(",")})`;
    return keccak256(AbiCoder.defaultAbiCoder().encode([type], [encoded(nonce, change)])) as Hex;
  };
  const refusalOf = async (path: string, body: object) => {
    const { status, body: answer } = await ask(oracle, path, body);
    return [status, answer.message];
  };
  const signersOf = async (digest: string, signatures: readonly { readonly signature: string }[]) => {
    const recovered = await Promise.all(
      signatures.map(({ signature }) => recoverAddress({ hash: digest as Hex, signature: signature as Hex })),
    );
    return recovered.map((address) => address.toLowerCase());
  };

  describe("requested", () => {
    const withdrawalOf = (nonce: bigint, expiration = 4_000_000_000): EvmWithdrawal => ({
      calls: [{ to: receiver, data: "0x", value: 70n, allowFailure: false }],
      nonce,
      expiration: BigInt(expiration),
    });
    const build = (hash: Hex, withdrawal: EvmWithdrawal): Promise<void> =>
      allocator.set({ functionName: "payloads", args: [hash], result: encodeEvmWithdrawal(withdrawal) });
    const statusOf = async (body: object) => {
      const answer = await ask<WithdrawalStatusAttestation>(oracle, STATUS, { ...body, requestPeerSignatures: true });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return answer.body;
    };

    it("is rejected until the allocator has built its payload, then pending, then executed", async () => {
      const fields = fieldsOf(1n);
      expect(await refusalOf(STATUS, fields)).to.deep.equal([400, "Withdraw request not yet available"]);
      const withdrawal = withdrawalOf(1n);
      await build(hashOf(1n), withdrawal);
      expect(await statusOf(fields)).to.deep.equal({ status: 0 });
      const snapshot = await network.control("evm_snapshot", []);
      await executeWithdrawal(network, withdrawal);
      await network.mine(1, 1);
      // Not final, and then reverted.
      expect(await statusOf(fields)).to.deep.equal({ status: 0 });
      await network.control("evm_revert", [snapshot]);
      await network.mine(4, 10);
      expect(await statusOf(fields)).to.deep.equal({ status: 0 });
      await executeWithdrawal(network, withdrawal);
      await network.mine(2, 10);
      expect(await statusOf(fields)).to.deep.equal({ status: 1 });
    });

    it("is identified by its id alone, for any calls", async () => {
      const withdrawal = withdrawalOf(2n);
      const [call] = withdrawal.calls;
      await build(hashOf(2n), { ...withdrawal, calls: [{ ...call!, data: "0x12345678", value: 0n }] });
      expect(await statusOf(fieldsOf(2n))).to.deep.equal({ status: 0 });
    });

    const expired = async (nonce: bigint, change: object, alias: object = {}) => {
      const now = Number((await getBlock(network.client)).timestamp);
      await build(hashOf(nonce, change), withdrawalOf(nonce, now + 1));
      await network.mine(1, 2);
      await network.mine(3, 7);
      return ask<WithdrawalStatusAttestation>(oracle, STATUS, {
        ...fieldsOf(nonce, { ...change, ...alias }),
        requestPeerSignatures: true,
      });
    };

    it("is credited back to its spender after it expired", async () => {
      const { body } = await expired(3n, {});
      expect(body.status).to.equal(2);
      expect(body.execution!.idempotencyKey).to.equal(deterministicId(hashOf(3n), "2"));
      expect(body.execution!.actions.map((action) => decodeAction(action as Hex))).to.deep.equal([
        { type: "mint", to: hubAlias(CHAIN, spender), tokenId: hubTokenId(CHAIN, zeroAddress), amount: 70n },
      ]);
      expect(await executionSigners(body.execution!)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    });

    it("is credited back to its order after it expired if the executor spent for the order", async () => {
      const ofExecutor = { spenderChainId: "relay", spender: EXECUTOR };
      const unknown = await expired(4n, ofExecutor);
      expect([unknown.status, unknown.body]).to.deep.equal([
        400,
        { message: "Withdrawal has no corresponding order address" },
      ]);
      await executor.set({
        functionName: "orderAddressByWithdrawRequestHash",
        args: [hashOf(5n, ofExecutor)],
        result: ORDER_ADDRESS,
      });
      const { body } = await expired(5n, ofExecutor);
      const [mint] = body.execution!.actions.map((action) => decodeAction(action as Hex));
      expect(mint?.type === "mint" && mint.to.toLowerCase()).to.equal(ORDER_ADDRESS);
    });

    it("is rejected if the allocator builds an unsupported payload", async () => {
      await using elsewhere = await startTestOracle(network, {
        chain: { id: "second" },
        hub: { allocatorAddress: ALLOCATOR },
      });
      const body = fieldsOf(1n, { chainId: "second", spenderChainId: "second" });
      expect(await ask(elsewhere, STATUS, body)).to.deep.include({
        status: 400,
        body: { message: "No payload builder configured for chain second" },
      });
      await build(hashOf(6n), withdrawalOf(6n));
      await builder.set({ functionName: "family", result: "bitcoin-vm" });
      expect(await refusalOf(STATUS, fieldsOf(6n))).to.deep.equal([400, "Vm type not implemented"]);
      await builder.set({ functionName: "family", result: "ethereum-vm" });
      expect(await refusalOf(STATUS, fieldsOf(6n, { depository: ALLOCATOR }))).to.deep.equal([
        400,
        `Depository ${ALLOCATOR} is not configured for chain ${CHAIN}`,
      ]);
      expect(await refusalOf(STATUS, fieldsOf(6n, { spenderChainId: "other" }))).to.deep.equal([
        400,
        "Chain other is not available",
      ]);
    });
  });

  it("returns the allocator's hashes in the requested order", async () => {
    const hashes = [`0x${"a1".repeat(32)}`, `0x${"a2".repeat(32)}`] as const;
    for (const [index, hash] of hashes.entries()) {
      await allocator.set({ functionName: "hashesToSign", args: [hashOf(7n), BigInt(index)], result: hash });
    }
    const body = { ...fieldsOf(7n), hashIndexes: [1, 0], requestPeerSignatures: true };
    const { status, body: answer } = await ask<WithdrawRequestAttestation>(oracle, HASHES, body);
    expect(status, JSON.stringify(answer)).to.equal(200);
    const { signatures, ...message } = answer.withdrawRequest;
    expect(message).to.deep.equal({
      chainId: 31_337,
      allocator: ALLOCATOR,
      withdrawRequestHash: hashOf(7n),
      hashesToSign: [hashes[1], hashes[0]],
    });
    const digest = TypedDataEncoder.hash(
      { name: "WithdrawRequest", version: "1", chainId: 31_337, verifyingContract: zeroAddress },
      {
        WithdrawRequest: [
          { name: "chainId", type: "uint256" },
          { name: "allocator", type: "address" },
          { name: "withdrawRequestHash", type: "bytes32" },
          { name: "hashesToSign", type: "bytes32[]" },
        ],
      },
      message,
    );
    expect(await signersOf(digest, signatures)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    expect(await refusalOf(HASHES, { ...body, hashIndexes: [0, 3, 2] })).to.deep.equal([
      400,
      "Hash to sign not set for withdraw request at index 3",
    ]);
    const many = Array.from({ length: 101 }, () => 0);
    expect(await refusalOf(HASHES, { ...body, hashIndexes: many })).to.deep.equal([
      400,
      "body/hashIndexes must NOT have more than 100 items",
    ]);
    expect(await refusalOf(HASHES, { ...body, hashIndexes: [] })).to.deep.equal([
      400,
      "body/hashIndexes must NOT have fewer than 1 items",
    ]);
  });

  describe("to authorize", () => {
    const signed = async (nonce: bigint, change: object = {}, by = user) => {
      const { chainId, currency, amount, spenderChainId, spender: owner, ...rest } = fieldsOf(nonce, change);
      const order = { chainId, currency, amount, ownerChainId: spenderChainId, owner };
      const signature = await signWithdrawal(by, { ...order, recipient: rest.receiver, nonce: rest.nonce });
      return { ...fieldsOf(nonce, change), ownerSignature: signature };
    };

    it("is encoded as the allocator expects it, and signed", async () => {
      const body = { ...(await signed(8n)), requestPeerSignatures: true };
      const { body: answer } = await ask<AuthorizationAttestation>(oracle, AUTHORIZATION, body);
      const { signatures, ...message } = answer;
      expect(message).to.deep.equal({
        withdrawRequest: { ...encoded(8n), amount: "70" },
        allocatorChainId: 31_337,
        allocatorContract: ALLOCATOR,
      });
      expect(Object.keys(answer.withdrawRequest)).to.deep.equal(REQUEST_TYPES.WithdrawRequest.map(({ name }) => name));
      const domain = { name: "RelayAllocator", version: "1", chainId: 31_337, verifyingContract: ALLOCATOR };
      const digest = TypedDataEncoder.hash(domain, REQUEST_TYPES, encoded(8n));
      expect(await signersOf(digest, signatures)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    });

    it("is rejected without its spender's signature, and for the hub itself", async () => {
      expect(await refusalOf(AUTHORIZATION, fieldsOf(9n))).to.deep.equal([400, "ownerSignature is required"]);
      const invalid = [400, "Invalid signature"];
      expect(await refusalOf(AUTHORIZATION, await signed(9n, {}, stranger))).to.deep.equal(invalid);
      expect(await refusalOf(AUTHORIZATION, { ...(await signed(9n)), receiver: spender })).to.deep.equal(invalid);
      expect(await refusalOf(AUTHORIZATION, await signed(9n, { spenderChainId: "relay" }))).to.deep.equal([
        400,
        "Chain relay is not available",
      ]);
      expect(await refusalOf(AUTHORIZATION, { ...(await signed(9n)), nonce: "0x1" })).to.deep.equal([
        400,
        'body/nonce must match pattern "^0x[0-9a-fA-F]{64}$"',
      ]);
    });

    it("is rejected on chains without authorization support", async () => {
      for (const vmType of ["hyperliquid-vm", "xrp-vm"] as const) {
        await using other = await startTestOracle(network, {
          chain: { vmType, depository: undefined as unknown as string },
          hub: { allocatorAddress: ALLOCATOR },
        });
        expect(await ask(other, AUTHORIZATION, await signed(9n))).to.deep.include({
          status: 400,
          body: { message: `Withdrawals on ${vmType} are not supported by this endpoint` },
        });
      }
    });
  });
});

import { expect } from "chai";
import { AbiCoder, keccak256, solidityPacked, TypedDataEncoder } from "ethers";
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
  InitiatedV2Attestation,
  InitiationV2Attestation,
  WithdrawalStatusAttestation,
} from "../../../packages/protocol/src/attestation/messages/withdrawalsV2.ts";
import {
  decodeAction,
  encodeEvmWithdrawal,
  type EvmWithdrawal,
  hubAlias,
  hubTokenId,
  vmCodecOf,
} from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/deterministicId.ts";
import { hashEvmWithdrawal } from "../../../packages/protocol/src/attestation/evmWithdrawal.ts";
import { noFillEntryId } from "../../../packages/protocol/src/attestation/genericMapping.ts";
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
import { type DepositedOrder, depositFor, simpleOrder } from "../support/orders.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";
import { SOLVER_CHAIN, startFamilyOracle } from "./support/familyOracle.ts";

const STATUS = "/attestations/depository-withdrawals/v2";
const INITIATION = "/attestations/withdrawal-initiation/v2";
const INITIATED = "/attestations/withdrawal-initiated/v2";

const ALLOCATOR: Address = "0x00000000000000000000000000000000000a110c";
const BUILDER: Address = "0x0000000000000000000000000000000000b0117d";
const SPENDER: Address = "0x00000000000000000000000000000000005e4de4";
const MAPPING: Address = "0x0000000000000000000000000000000000003a99";
const OTHER_DEPOSITORY: Address = "0x00000000000000000000000000000000000de905";
const HUB_CHAIN_ID = 31_337n;
const NONCE: Hex = `0x${"0".repeat(60)}beef`;
const HASH_TO_SIGN: Hex = `0x${"5e".repeat(32)}`;

const ALLOCATOR_ABI = parseAbi([
  "function payloads(bytes32) view returns (bytes)",
  "function payloadBuilders(uint256, string) view returns (address)",
  "function signedPayloads(bytes32, bytes32) view returns (bytes)",
]);
const BUILDER_ABI = parseAbi([
  "function family() view returns (string)",
  "function hashToSign(uint256, string, bytes, uint32) view returns (bytes32)",
]);
const MAPPING_ABI = parseAbi(["function getEntry(address, bytes32) view returns (bytes, uint256)"]);

const { user, stranger } = localAccounts;
const owner = user.address.toLowerCase() as Address;
const recipient = stranger.address.toLowerCase() as Address;
const alias = hubAlias(CHAIN, owner);
const tokenId = hubTokenId(CHAIN, zeroAddress);

describe("an attestation of an owner's withdrawal", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let peer: Oracle;
  let depository: Address;
  let allocator: Answers<typeof ALLOCATOR_ABI>;
  let builder: Answers<typeof BUILDER_ABI>;
  let mapping: Answers<typeof MAPPING_ABI>;
  let salt = 0n;

  before(async () => {
    network = await startOracleNetwork();
    ({ depository } = network.contracts);
    allocator = await Answers.at(network, ALLOCATOR, ALLOCATOR_ABI, [
      { functionName: "payloads", result: "0x" },
      { functionName: "payloadBuilders", result: zeroAddress },
      { functionName: "payloadBuilders", args: [HUB_CHAIN_ID, depository.toLowerCase()], result: BUILDER },
      { functionName: "signedPayloads", result: "0x" },
    ]);
    builder = await Answers.at(network, BUILDER, BUILDER_ABI, [{ functionName: "family", result: "ethereum-vm" }]);
    mapping = await Answers.at(network, MAPPING, MAPPING_ABI, [{ functionName: "getEntry", result: ["0x", 0n] }]);
    const options = {
      additionalData: { finalizationBlocks: 2, finalizationTime: 5 },
      chain: { hubChainId: Number(HUB_CHAIN_ID), additionalDepositories: [OTHER_DEPOSITORY] },
      hub: {
        auroraHttpRpcUrl: network.rpcUrl,
        auroraEvmChainId: 1_313_161_554,
        auroraAllocatorAddress: ALLOCATOR,
        auroraAllocatorSpenderAddress: SPENDER,
        genericMappingAddress: MAPPING,
      },
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

  const fieldsOf = (change: object = {}) => ({
    chainId: CHAIN,
    currency: zeroAddress,
    amount: "70",
    ownerChainId: CHAIN,
    owner,
    recipient,
    nonce: NONCE,
    ...change,
  });
  const signed = async (change: object = {}, by = user) => ({
    ...fieldsOf(change),
    ownerSignature: await signWithdrawal(by, fieldsOf(change)),
  });
  const refusalOf = async (path: string, body: object) => {
    const { status, body: answer } = await ask(oracle, path, body);
    return [status, answer.message];
  };

  /** The withdrawal's account on the hub. */
  const accountOf = (from: Address = depository, nonce: Hex = NONCE): Address => {
    const values = [CHAIN, from.toLowerCase(), zeroAddress, recipient, alias.toLowerCase(), nonce];
    return `0x${keccak256(solidityPacked(["string", "bytes", "bytes", "bytes", "address", "bytes32"], values)).slice(26)}`;
  };

  const requestOf = (amount: bigint, nonce: Hex = NONCE) => ({
    chainId: HUB_CHAIN_ID,
    depository: depository.toLowerCase(),
    currency: zeroAddress,
    amount,
    spender: alias.toLowerCase(),
    receiver: recipient,
    data: "0x",
    nonce,
  });
  const payloadIdOf = (amount: bigint, nonce: Hex = NONCE): Hex => {
    const type =
      "tuple(uint256 chainId,string depository,string currency,uint256 amount,address spender,string receiver," +
      "bytes data,bytes32 nonce)";
    return keccak256(AbiCoder.defaultAbiCoder().encode([type], [requestOf(amount, nonce)])) as Hex;
  };

  /** Makes the allocator build and sign a payload. */
  async function build(withdrawal: EvmWithdrawal, amount: bigint, nonce: Hex, isSigned = true): Promise<void> {
    const payload = encodeEvmWithdrawal(withdrawal);
    await allocator.set({ functionName: "payloads", args: [payloadIdOf(amount, nonce)], result: payload });
    await builder.set({
      functionName: "hashToSign",
      args: [HUB_CHAIN_ID, depository.toLowerCase(), payload, 0],
      result: HASH_TO_SIGN,
    });
    if (!isSigned) return;
    const args = [payloadIdOf(amount, nonce), HASH_TO_SIGN];
    await allocator.set({ functionName: "signedPayloads", args, result: "0x1234" });
  }

  const withdrawalOf = (nonce: bigint, expiration = 4_000_000_000): EvmWithdrawal => ({
    calls: [{ to: recipient, data: "0x", value: 70n, allowFailure: false }],
    nonce,
    expiration: BigInt(expiration),
  });

  describe("requested", () => {
    const statusOf = async (change: object) => {
      const { transactionId, ...rest } = change as { transactionId?: string };
      const body = { ...(await signed(rest)), ...(transactionId === undefined ? {} : { transactionId }) };
      const answer = await ask<WithdrawalStatusAttestation>(oracle, STATUS, { ...body, requestPeerSignatures: true });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return answer.body;
    };

    it("is pending until the allocator has built and signed its payload, and burns the paid amount", async () => {
      const nonce = numberToHex(1, { size: 32 });
      const withdrawal = withdrawalOf(1n);
      expect(await statusOf({ nonce })).to.deep.equal({ status: 0 });
      await build(withdrawal, 70n, nonce, false);
      expect(await statusOf({ nonce })).to.deep.equal({ status: 0 });
      await build(withdrawal, 70n, nonce);
      expect(await statusOf({ nonce })).to.deep.equal({ status: 0 });
      const transactionId = await executeWithdrawal(network, withdrawal);
      await network.mine(1, 1);
      expect(await statusOf({ nonce })).to.deep.equal({ status: 0 });
      await network.mine(1, 1);
      const { status, execution } = await statusOf({ nonce, transactionId });
      expect(status).to.equal(1);
      expect(execution!.idempotencyKey).to.equal(deterministicId(hashEvmWithdrawal(withdrawal), transactionId));
      const [burn] = execution!.actions.map((action) => decodeAction(action as Hex));
      expect(burn).to.deep.include({ type: "burn", tokenId, amount: 70n });
      expect(burn?.type === "burn" && burn.from.toLowerCase()).to.equal(accountOf(depository, nonce));
      expect(await executionSigners(execution!)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    });

    it("is pending again when a reorg removes its execution before it is final", async () => {
      const nonce = numberToHex(2, { size: 32 });
      const withdrawal = withdrawalOf(2n);
      await build(withdrawal, 70n, nonce);
      const snapshot = await network.control("evm_snapshot", []);
      await executeWithdrawal(network, withdrawal);
      await network.mine(1, 1);
      expect(await statusOf({ nonce })).to.deep.equal({ status: 0 });
      await network.control("evm_revert", [snapshot]);
      await network.mine(8, 10);
      expect(await statusOf({ nonce })).to.deep.equal({ status: 0 });
    });

    it("returns to its owner after it expired", async () => {
      const nonce = numberToHex(3, { size: 32 });
      const now = Number((await getBlock(network.client)).timestamp);
      const withdrawal = withdrawalOf(3n, now + 10);
      await build(withdrawal, 70n, nonce, false);
      await network.mine(1, 11);
      await network.mine(3, 7);
      // An unsigned payload can neither be paid out nor expire.
      expect(await statusOf({ nonce })).to.deep.equal({ status: 0 });
      await allocator.set({
        functionName: "signedPayloads",
        args: [payloadIdOf(70n, nonce), HASH_TO_SIGN],
        result: "0x1234",
      });
      const { status, execution } = await statusOf({ nonce });
      expect(status).to.equal(2);
      expect(execution!.idempotencyKey).to.equal(deterministicId(hashEvmWithdrawal(withdrawal), undefined, "2"));
      const [transfer] = execution!.actions.map((action) => decodeAction(action as Hex));
      expect(transfer).to.deep.include({ type: "transfer", to: alias, tokenId, amount: 70n });
      expect(transfer?.type === "transfer" && transfer.from.toLowerCase()).to.equal(accountOf(depository, nonce));
    });

    it("is rejected if the allocator does not support the chain or its VM", async () => {
      await using elsewhere = await startTestOracle(network, {
        chain: { hubChainId: HUB_CHAIN_ID.toString(), depository: OTHER_DEPOSITORY },
        hub: {
          auroraHttpRpcUrl: network.rpcUrl,
          auroraAllocatorAddress: ALLOCATOR,
        },
      });
      expect(await ask(elsewhere, STATUS, await signed())).to.deep.include({
        status: 400,
        body: { message: "No payload builder configured for chain 31337" },
      });
      await builder.set({ functionName: "family", result: "bitcoin-vm" });
      expect(await refusalOf(STATUS, await signed())).to.deep.equal([400, "Vm type not implemented"]);
      await builder.set({ functionName: "family", result: "ethereum-vm" });
      await using without = await startTestOracle(network, { chain: { hubChainId: Number(HUB_CHAIN_ID) } });
      expect((await ask(without, STATUS, await signed())).status).to.equal(500);
    });
  });

  it("is initiated by its owner, from the given depository, out of the owner's balance", async () => {
    await network.setHubBalance(alias, tokenId, 69n);
    expect(await refusalOf(INITIATION, await signed())).to.deep.equal([
      400,
      "Insufficient balance for requested withdrawal",
    ]);
    await network.setHubBalance(alias, tokenId, 70n);
    for (const [named, used] of [
      [undefined, depository],
      [OTHER_DEPOSITORY, OTHER_DEPOSITORY],
      [depository.toLowerCase(), depository],
    ] as const) {
      const body = { ...(await signed()), ...(named === undefined ? {} : { depository: named }) };
      const answer = await ask<InitiationV2Attestation>(oracle, INITIATION, { ...body, requestPeerSignatures: true });
      const address = accountOf(used);
      expect(answer.body.withdrawalAddress).to.equal(address);
      const { execution } = answer.body;
      expect(execution.idempotencyKey).to.equal(deterministicId("relay", tokenId, address));
      expect(execution.actions.map((action) => decodeAction(action as Hex))).to.deep.equal([
        {
          type: "transfer",
          from: alias,
          to: (decodeAction(execution.actions[0] as Hex) as { to: Address }).to,
          tokenId,
          amount: 70n,
        },
      ]);
      expect((decodeAction(execution.actions[0] as Hex) as { to: Address }).to.toLowerCase()).to.equal(address);
      expect(await executionSigners(execution)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    }
    expect(await refusalOf(INITIATION, { ...(await signed()), depository: MAPPING })).to.deep.equal([
      400,
      `Depository ${MAPPING} is not configured for chain ${CHAIN}`,
    ]);
  });

  it("is rejected without its owner's signature over the whole withdrawal", async () => {
    const body = await signed();
    for (const path of [STATUS, INITIATION, INITIATED]) {
      expect(await refusalOf(path, fieldsOf())).to.deep.equal([400, "ownerSignature is required"]);
      expect(await refusalOf(path, await signed({}, stranger))).to.deep.equal([400, "Invalid signature"]);
      for (const change of [
        { amount: "71" },
        { recipient: owner },
        { nonce: `0x${"1".repeat(64)}` },
        { additionalData: { "hyperliquid-vm": { currencyHyperliquidSymbol: "X", currentTime: 1 } } },
      ]) {
        expect(await refusalOf(path, { ...body, ...change })).to.deep.equal([400, "Invalid signature"]);
      }
      expect(await refusalOf(path, { ...body, chainId: "other" })).to.deep.equal([400, "Invalid signature"]);
      expect(await refusalOf(path, { ...body, ownerSignature: "nothing" })).to.deep.equal([400, "Invalid signature"]);
    }
    for (const path of [INITIATION, INITIATED]) {
      expect(await refusalOf(path, await signed({ amount: "0" }))).to.deep.equal([
        400,
        "Withdrawn amount must be non-zero",
      ]);
    }
    expect(await refusalOf(INITIATION, await signed({ chainId: "other" }))).to.deep.equal([
      400,
      "Chain other is not available",
    ]);
  });

  it("is rejected before anything is moved if no allocator of this version supports it", async () => {
    for (const [vmType, account] of [
      ["ton-vm", `0:${"ab".repeat(32)}`],
      ["xrp-vm", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
    ] as const) {
      const chain = { id: "other", vmType, httpRpcUrl: "http://127.0.0.1:1", depository: account };
      await using other = await startFamilyOracle({ chain, hubUrl: network.rpcUrl });
      const codec = vmCodecOf(vmType);
      const currency = codec.nativeCurrency;
      const held = hubTokenId("other", codec.encodeAddress(currency, "currency"));
      await network.setHubBalance(hubAlias(SOLVER_CHAIN, owner), held, 70n);
      const body = await signed({ chainId: "other", currency, recipient: account, ownerChainId: SOLVER_CHAIN });
      for (const path of [STATUS, INITIATION, INITIATED]) {
        const { status, body: answer } = await ask(other, path, body);
        expect([status, answer.message]).to.deep.equal([
          400,
          `Withdrawals on ${vmType} are not supported by this endpoint`,
        ]);
      }
    }
  });

  it("is initiated when the account holds exactly the amount", async () => {
    for (const amount of [69n, 71n]) {
      await network.setHubBalance(accountOf(), tokenId, amount);
      expect(await refusalOf(INITIATED, await signed())).to.deep.equal([
        400,
        "Withdrawn amount different from withdrawal address balance",
      ]);
    }
    await network.setHubBalance(accountOf(), tokenId, 70n);
    const body = { ...(await signed()), requestPeerSignatures: true };
    const answer = await ask<InitiatedV2Attestation>(oracle, INITIATED, body);
    const { signatures, ...params } = answer.body.payloadParams;
    expect(params).to.deep.equal({
      chainId: "31337",
      depository: depository.toLowerCase(),
      currency: zeroAddress,
      amount: "70",
      spender: alias.toLowerCase(),
      recipient,
      nonce: NONCE,
      data: "0x",
    });
    expect(Object.keys(params)).to.deep.equal([
      "chainId",
      "depository",
      "currency",
      "amount",
      "spender",
      "recipient",
      "nonce",
      "data",
    ]);
    const digest = TypedDataEncoder.hash(
      { name: "RelayAllocatorSpender", version: "1", chainId: 1_313_161_554, verifyingContract: SPENDER },
      {
        SubmitWithdrawRequest: [
          { name: "chainId", type: "uint256" },
          { name: "depository", type: "string" },
          { name: "currency", type: "string" },
          { name: "amount", type: "uint256" },
          { name: "spender", type: "address" },
          { name: "receiver", type: "string" },
          { name: "data", type: "bytes" },
          { name: "nonce", type: "bytes32" },
        ],
      },
      requestOf(70n),
    ) as Hex;
    const signers = await Promise.all(
      signatures.map(({ signature }) => recoverAddress({ hash: digest, signature: signature as Hex })),
    );
    expect(signers.map((address) => address.toLowerCase())).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    const contract = { allocatorSpenderChainId: "1313161554", allocatorSpenderContract: SPENDER };
    expect(signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal([
      { ...contract, oracleSigner: ORACLE_SIGNER },
      { ...contract, oracleSigner: peer.signer },
    ]);
  });

  describe("in recover mode", () => {
    const paidOrder = async (change: (order: ReturnType<typeof simpleOrder>) => void = () => undefined) => {
      salt += 1n;
      const order = simpleOrder(network, salt);
      change(order);
      const paid = await depositFor(network, instant, order);
      await network.mine(8, 10);
      await network.setHubBalance(alias, tokenId, 1_000n);
      return paid;
    };
    const bodyOf = (paid: DepositedOrder, change: object = {}) => ({
      ...fieldsOf({ amount: "1000", recoverMode: true }),
      depositChainId: CHAIN,
      depositTransactionId: paid.transactionId,
      depositOnchainId: paid.onchainId,
      order: paid.order,
      orderSignature: paid.orderSignature,
      ...change,
    });
    const declare = (paid: DepositedOrder): Promise<void> =>
      mapping.set({
        functionName: "getEntry",
        args: [hubAlias(CHAIN, localAccounts.solver.address.toLowerCase() as Hex), noFillEntryId(paid.orderId)],
        result: ["0x01", 1n],
      });
    let instant: Oracle;
    before(async () => {
      instant = await startTestOracle(network);
    });
    after(() => instant.close());

    it("is initiated without a signature, as the refund of an order that its solver disclaims", async () => {
      const paid = await paidOrder();
      expect(await refusalOf(INITIATION, bodyOf(paid))).to.deep.equal([
        400,
        "No fill or refund entry not found for this order",
      ]);
      await declare(paid);
      const { status, body } = await ask<InitiationV2Attestation>(oracle, INITIATION, {
        ...bodyOf(paid),
        requestPeerSignatures: true,
      });
      expect([status, body.withdrawalAddress]).to.deep.equal([200, accountOf()]);
      expect(await executionSigners(body.execution)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    });

    it("is rejected for anything except that refund", async () => {
      const paid = await paidOrder();
      await declare(paid);
      const refusals: [object, string][] = [
        [
          { depositOnchainId: undefined },
          "recoverMode requires depositChainId, depositTransactionId, depositOnchainId, order, and orderSignature",
        ],
        [{ depositOnchainId: zeroHash }, `Deposit with onchainId ${zeroHash} not found in transaction`],
        [{ order: simpleOrder(network, 999n) }, "Deposit depositId does not match the computed orderId"],
        [{ orderSignature: "0x12" }, "Invalid order signature"],
        [
          { order: { ...paid.order, inputs: [...paid.order.inputs, ...paid.order.inputs] } },
          "recoverMode only supports single-input orders",
        ],
        [
          { currency: network.contracts.dollar },
          `Expected exactly 1 refund entry for chain ${CHAIN} currency ${network.contracts.dollar}, got 0`,
        ],
        [{ recipient: owner }, "Recipient does not match the order refund entry"],
        [{ amount: "999" }, "Amount does not match the deposit amount (slow refund is full-amount only)"],
        [{ ownerChainId: "second" }, "Owner chain does not match the deposit chain"],
        [{ owner: recipient }, "Owner does not match the deposit's depositor"],
      ];
      for (const [change, message] of refusals) {
        expect(await refusalOf(INITIATION, bodyOf(paid, change))).to.deep.equal([400, message]);
      }
    });

    it("is rejected if the order has several such refunds", async () => {
      const paid = await paidOrder(({ inputs: [input] }) => {
        (input!.refunds as unknown[]).push({ ...input!.refunds[0]!, minimumAmount: "1" });
      });
      await declare(paid);
      expect(await refusalOf(INITIATION, bodyOf(paid))).to.deep.equal([
        400,
        `Expected exactly 1 refund entry for chain ${CHAIN} currency ${zeroAddress}, got 2`,
      ]);
    });

    it("is rejected if the refund's recipient is the native currency's name", async () => {
      const paid = await paidOrder((order) => {
        order.inputs = order.inputs.map((input) => ({
          ...input,
          refunds: input.refunds.map((refund) => ({ ...refund, recipient: zeroAddress })),
        }));
      });
      await declare(paid);
      expect(await refusalOf(INITIATION, bodyOf(paid, { recipient: zeroAddress }))).to.deep.equal([
        400,
        "Recipient does not match the order refund entry",
      ]);
    });

    it("waits for the deposit to be final", async () => {
      const paid = await paidOrder();
      await declare(paid);
      await using patient = await startTestOracle(network, {
        additionalData: { finalizationBlocks: 50, finalizationTime: 0 },
        hub: { genericMappingAddress: MAPPING },
      });
      expect(await ask(patient, INITIATION, bodyOf(paid))).to.deep.include({
        status: 400,
        body: { message: `Transaction ${paid.transactionId} is not finalized` },
      });
    });
  });
});

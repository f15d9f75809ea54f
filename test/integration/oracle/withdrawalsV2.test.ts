import { expect } from "chai";
import { AbiCoder, keccak256, solidityPacked } from "ethers";
import { type Address, type Hex, numberToHex, zeroAddress, zeroHash } from "viem";
import { getBlock } from "viem/actions";

import { hubAlias, hubTokenId } from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/hubIds.ts";
import { hashEvmWithdrawal } from "../../../packages/protocol/src/attestation/evmWithdrawal.ts";
import { noFillEntryId } from "../../../packages/protocol/src/attestation/genericMapping.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { Answers } from "../support/responses.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import { CHAIN, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { type DepositedOrder, simpleOrder } from "../support/orders.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";
import { SOLVER_CHAIN, startFamilyOracle } from "./support/familyOracle.ts";
import {
  ALLOCATOR_SPENDER,
  ALLOCATOR_V2,
  ALLOCATOR_V2_ABI,
  AURORA_CHAIN_ID,
  BUILDER,
  BUILDER_ABI,
  MAPPING,
  MAPPING_ABI,
} from "./support/hubContracts.ts";
import {
  type Draft,
  expectSigned,
  oracleSuite,
  owner,
  recipient,
  SUBMIT_TYPES,
  typedSigners,
} from "./support/oracleSuite.ts";
import { encodeEvmWithdrawal, type EvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";
import { vmCodecOf } from "../../../packages/protocol/src/vms/index.ts";

const STATUS = "depository-withdrawals/v2";
const INITIATION = "withdrawal-initiation/v2";
const INITIATED = "withdrawal-initiated/v2";
const ROUTES = [STATUS, INITIATION, INITIATED] as const;
const OTHER_DEPOSITORY: Address = "0x00000000000000000000000000000000000de905";
const HUB_CHAIN_ID = 31_337n;
const NONCE: Hex = `0x${"0".repeat(60)}beef`;
const HASH_TO_SIGN: Hex = `0x${"5e".repeat(32)}`;
const { user, stranger, solver } = localAccounts;
const alias = hubAlias(CHAIN, owner).toLowerCase() as Address;
const tokenId = hubTokenId(CHAIN, zeroAddress);

describe("an attestation of an owner's withdrawal", () => {
  let allocator: Answers<typeof ALLOCATOR_V2_ABI>;
  let builder: Answers<typeof BUILDER_ABI>;
  let mapping: Answers<typeof MAPPING_ABI>;
  const suite = oracleSuite({
    hasPeer: true,
    async prepare(network) {
      const depository = network.contracts.depository.toLowerCase();
      allocator = await Answers.at(network, ALLOCATOR_V2, ALLOCATOR_V2_ABI, [
        { functionName: "payloads", result: "0x" },
        { functionName: "payloadBuilders", result: zeroAddress },
        { functionName: "payloadBuilders", args: [HUB_CHAIN_ID, depository], result: BUILDER },
        { functionName: "signedPayloads", result: "0x" },
      ]);
      builder = await Answers.at(network, BUILDER, BUILDER_ABI, [{ functionName: "family", result: "ethereum-vm" }]);
      mapping = await Answers.at(network, MAPPING, MAPPING_ABI, [{ functionName: "getEntry", result: ["0x", 0n] }]);
      return {
        additionalData: { finalizationBlocks: 2, finalizationTime: 5 },
        chain: { hubChainId: Number(HUB_CHAIN_ID), additionalDepositories: [OTHER_DEPOSITORY] },
        hub: {
          auroraHttpRpcUrl: network.rpcUrl,
          auroraEvmChainId: AURORA_CHAIN_ID,
          auroraAllocatorAddress: ALLOCATOR_V2,
          auroraAllocatorSpenderAddress: ALLOCATOR_SPENDER,
          genericMappingAddress: MAPPING,
        },
      };
    },
  });
  const { attested, expectRejected, expectFailed } = suite;
  before(() => suite.deposit(1_000n));

  const fields = { chainId: CHAIN, currency: zeroAddress, amount: "70", ownerChainId: CHAIN, owner, recipient };
  const fieldsOf = (change: object = {}) => ({ ...fields, nonce: NONCE, ...change });
  const signed = async (change: object = {}, by = user) => ({
    ...fieldsOf(change),
    ownerSignature: await signWithdrawal(by, fieldsOf(change)),
  });
  const bothSigners = () => [ORACLE_SIGNER, suite.peer.signer];

  /** Returns the withdrawal's account on the hub. */
  const accountOf = (from: Address = suite.contracts.depository, nonce: Hex = NONCE): Address => {
    const values = [CHAIN, from.toLowerCase(), zeroAddress, recipient, alias, nonce];
    return `0x${keccak256(solidityPacked(["string", "bytes", "bytes", "bytes", "address", "bytes32"], values)).slice(26)}`;
  };
  const requestOf = (nonce: Hex = NONCE) => ({
    chainId: HUB_CHAIN_ID,
    depository: suite.contracts.depository.toLowerCase(),
    ...{ currency: zeroAddress, amount: 70n, spender: alias, receiver: recipient, data: "0x", nonce },
  });
  const payloadIdOf = (nonce: Hex): Hex => {
    const type = `tuple(${SUBMIT_TYPES.SubmitWithdrawRequest.map((field) => `${field.type} ${field.name}`).join(",")})`;
    return keccak256(AbiCoder.defaultAbiCoder().encode([type], [requestOf(nonce)])) as Hex;
  };
  const sign = (nonce: Hex): Promise<void> =>
    allocator.set({ functionName: "signedPayloads", args: [payloadIdOf(nonce), HASH_TO_SIGN], result: "0x1234" });
  /** Makes the allocator build a withdrawal's payload. */
  async function build(nonce: bigint, expiration = 4_000_000_000n): Promise<EvmWithdrawal> {
    const calls = [{ to: recipient, data: "0x" as const, value: 70n, allowFailure: false }];
    const payload = encodeEvmWithdrawal({ calls, nonce, expiration });
    const args = [payloadIdOf(numberToHex(nonce, { size: 32 }))];
    await allocator.set({ functionName: "payloads", args, result: payload });
    const hashed = [HUB_CHAIN_ID, suite.contracts.depository.toLowerCase(), payload, 0];
    await builder.set({ functionName: "hashToSign", args: hashed, result: HASH_TO_SIGN });
    return { calls, nonce, expiration };
  }

  describe("after the request", () => {
    const statusOf = async (nonce: Hex, change: object = {}) =>
      attested(STATUS, { ...(await signed({ nonce })), ...change, requestPeerSignatures: true });
    const expectPending = async (nonce: Hex): Promise<void> => {
      expect(await statusOf(nonce)).to.deep.equal({ status: 0 });
    };

    it("is pending until the allocator has built and signed the payload, and burns the paid amount", async () => {
      const nonce = numberToHex(1, { size: 32 });
      await expectPending(nonce);
      const withdrawal = await build(1n);
      await expectPending(nonce);
      await sign(nonce);
      await expectPending(nonce);
      const transactionId = await executeWithdrawal(suite.network, withdrawal);
      await suite.network.mine(1, 1);
      await expectPending(nonce);
      await suite.network.mine(1, 1);
      const { status, execution } = await statusOf(nonce, { transactionId });
      expect(status).to.equal(1);
      await expectSigned(execution, {
        key: deterministicId(hashEvmWithdrawal(withdrawal), transactionId),
        actions: [{ type: "burn", from: accountOf(undefined, nonce), tokenId, amount: 70n }],
        signers: bothSigners(),
      });
    });

    it("is executed by the given depository, not by the primary one", async () => {
      const nonce = numberToHex(8, { size: 32 });
      const withdrawal = await build(8n);
      await sign(nonce);
      const { depository } = suite.contracts;
      await using moved = await suite.start({
        chain: {
          hubChainId: Number(HUB_CHAIN_ID),
          depository: suite.contracts.dollar,
          additionalDepositories: [depository],
        },
        hub: { auroraHttpRpcUrl: suite.network.rpcUrl, auroraAllocatorAddress: ALLOCATOR_V2 },
      });
      const transactionId = await executeWithdrawal(suite.network, withdrawal);
      const body = { ...(await signed({ nonce })), depository, transactionId };
      const { status, execution } = await attested(STATUS, body, moved);
      expect(status).to.equal(1);
      await expectSigned(execution, {
        key: deterministicId(hashEvmWithdrawal(withdrawal), transactionId),
        actions: [{ type: "burn", from: accountOf(undefined, nonce), tokenId, amount: 70n }],
        signers: [ORACLE_SIGNER],
      });
    });

    it("returns the balance to the owner after the withdrawal expires", async () => {
      const nonce = numberToHex(3, { size: 32 });
      const withdrawal = await build(3n, (await getBlock(suite.network.client)).timestamp + 10n);
      await suite.network.mine(1, 11);
      await suite.network.mine(3, 7);
      // An unsigned payload cannot be paid and cannot expire.
      await expectPending(nonce);
      await sign(nonce);
      const { status, execution } = await statusOf(nonce);
      expect(status).to.equal(2);
      await expectSigned(execution, {
        key: deterministicId(hashEvmWithdrawal(withdrawal), undefined, "2"),
        actions: [{ type: "transfer", from: accountOf(undefined, nonce), to: alias, tokenId, amount: 70n }],
        signers: bothSigners(),
      });
    });

    it("is rejected if the allocator does not support the chain or its VM", async () => {
      const hubChainId = Number(HUB_CHAIN_ID);
      await using elsewhere = await suite.start({
        chain: { hubChainId: `${hubChainId}`, depository: OTHER_DEPOSITORY },
        hub: { auroraHttpRpcUrl: suite.network.rpcUrl, auroraAllocatorAddress: ALLOCATOR_V2 },
      });
      await expectRejected(STATUS, await signed(), "No payload builder configured for chain 31337", elsewhere);
      await builder.set({ functionName: "family", result: "bitcoin-vm" });
      await expectRejected(STATUS, await signed(), "Vm type not implemented");
      await builder.set({ functionName: "family", result: "ethereum-vm" });
      await using without = await suite.start({ chain: { hubChainId } });
      await expectFailed(STATUS, await signed(), without);
    });
  });

  it("is initiated by the owner, from the given depository and the owner's balance", async () => {
    const { depository } = suite.contracts;
    await suite.network.setHubBalance(alias, tokenId, 69n);
    await expectRejected(INITIATION, await signed(), "Insufficient balance for requested withdrawal");
    await suite.network.setHubBalance(alias, tokenId, 70n);
    for (const [change, used] of [
      [{}, depository],
      [{ depository: OTHER_DEPOSITORY }, OTHER_DEPOSITORY],
      [{ depository: depository.toLowerCase() }, depository],
    ] as const) {
      const body = { ...(await signed()), ...change, requestPeerSignatures: true };
      const { withdrawalAddress, execution } = await attested(INITIATION, body);
      const address = accountOf(used);
      expect(withdrawalAddress).to.equal(address);
      await expectSigned(execution, {
        key: deterministicId("relay", tokenId, address),
        actions: [{ type: "transfer", from: alias, to: address, tokenId, amount: 70n }],
        signers: bothSigners(),
      });
    }
    const unknown = { ...(await signed()), depository: MAPPING };
    await expectRejected(INITIATION, unknown, `Depository ${MAPPING} is not configured for chain ${CHAIN}`);
  });

  for (const route of ROUTES) {
    it(`is rejected by ${route} without the owner's signature over the entire withdrawal`, async () => {
      const body = await signed();
      await expectRejected(route, fieldsOf(), "ownerSignature is required");
      await expectRejected(route, await signed({}, stranger), "Invalid signature");
      for (const change of [
        { amount: "71" },
        { recipient: owner },
        { nonce: `0x${"1".repeat(64)}` },
        { additionalData: { "hyperliquid-vm": { currencyHyperliquidSymbol: "X", currentTime: 1 } } },
        { chainId: "other" },
        { ownerSignature: "nothing" },
      ]) {
        await expectRejected(route, { ...body, ...change }, "Invalid signature");
      }
      if (route === STATUS) return;
      await expectRejected(route, await signed({ amount: "0" }), "Withdrawn amount must be non-zero");
      await expectRejected(route, await signed({ chainId: "other" }), "Chain other is not available");
    });
  }

  for (const [vmType, account] of [
    ["ton-vm", `0:${"ab".repeat(32)}`],
    ["xrp-vm", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
  ] as const) {
    it(`is rejected on ${vmType} before any transfer, because no allocator of this version supports it`, async () => {
      const chain = { id: "other", vmType, httpRpcUrl: "http://127.0.0.1:1", depository: account };
      await using other = await startFamilyOracle({ chain, hubUrl: suite.network.rpcUrl });
      const { nativeCurrency: currency, encodeAddress } = vmCodecOf(vmType);
      const held = hubTokenId("other", encodeAddress(currency, "currency"));
      await suite.network.setHubBalance(hubAlias(SOLVER_CHAIN, owner), held, 70n);
      const body = await signed({ chainId: "other", currency, recipient: account, ownerChainId: SOLVER_CHAIN });
      const message = `Withdrawals on ${vmType} are not supported by this endpoint`;
      for (const route of ROUTES) await expectRejected(route, body, message, other);
    });
  }

  it("is initiated if the account holds exactly the amount", async () => {
    for (const amount of [69n, 71n]) {
      await suite.network.setHubBalance(accountOf(), tokenId, amount);
      const message = "Withdrawn amount different from withdrawal address balance";
      await expectRejected(INITIATED, await signed(), message);
    }
    await suite.network.setHubBalance(accountOf(), tokenId, 70n);
    const { payloadParams } = await attested(INITIATED, { ...(await signed()), requestPeerSignatures: true });
    const { signatures, ...params } = payloadParams;
    const { depository, currency, spender, data, nonce } = requestOf();
    const stated = { chainId: "31337", depository, currency, amount: "70", spender, recipient, nonce, data };
    expect(params).to.deep.equal(stated);
    expect(Object.keys(params)).to.deep.equal(Object.keys(stated));
    const contract = { chainId: AURORA_CHAIN_ID, verifyingContract: ALLOCATOR_SPENDER };
    const domain = { name: "RelayAllocatorSpender", version: "1", ...contract };
    expect(await typedSigners(domain, SUBMIT_TYPES, requestOf(), signatures)).to.deep.equal(bothSigners());
    expect(signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal(
      bothSigners().map((oracleSigner) => ({
        allocatorSpenderChainId: `${AURORA_CHAIN_ID}`,
        allocatorSpenderContract: ALLOCATOR_SPENDER,
        oracleSigner,
      })),
    );
  });

  describe("in recover mode", () => {
    const paidOrder = async (change?: (order: Draft) => void) => {
      const paid = await suite.place(change);
      await suite.network.mine(8, 10);
      await suite.network.setHubBalance(alias, tokenId, 1_000n);
      return paid;
    };
    const bodyOf = (paid: DepositedOrder, change: object = {}) => ({
      ...fieldsOf({ amount: "1000", recoverMode: true }),
      depositChainId: CHAIN,
      depositTransactionId: paid.transactionId,
      depositOnchainId: paid.onchainId,
      ...{ order: paid.order, orderSignature: paid.orderSignature },
      ...change,
    });
    const declare = (paid: DepositedOrder): Promise<void> =>
      mapping.set({
        functionName: "getEntry",
        args: [hubAlias(CHAIN, solver.address.toLowerCase() as Hex), noFillEntryId(paid.orderId)],
        result: ["0x01", 1n],
      });

    it("is initiated without a signature, as the refund of an order that the solver neither filled nor refunded", async () => {
      const paid = await paidOrder();
      await expectRejected(INITIATION, bodyOf(paid), "No fill or refund entry not found for this order");
      await declare(paid);
      const { withdrawalAddress } = await attested(INITIATION, { ...bodyOf(paid), requestPeerSignatures: true });
      expect(withdrawalAddress).to.equal(accountOf());
    });

    it("is rejected for anything except such a refund", async () => {
      const paid = await paidOrder();
      await declare(paid);
      const { dollar } = suite.contracts;
      const refusals: [change: object, message: string][] = [
        [
          { depositOnchainId: undefined },
          "recoverMode requires depositChainId, depositTransactionId, depositOnchainId, order, and orderSignature",
        ],
        [{ depositOnchainId: zeroHash }, `Deposit with onchainId ${zeroHash} not found in transaction`],
        [{ order: simpleOrder(suite.network, 999n) }, "Deposit depositId does not match the computed orderId"],
        [{ orderSignature: "0x12" }, "Invalid order signature"],
        [
          { order: { ...paid.order, inputs: [...paid.order.inputs, ...paid.order.inputs] } },
          "recoverMode only supports single-input orders",
        ],
        [{ currency: dollar }, `Expected exactly 1 refund entry for chain ${CHAIN} currency ${dollar}, got 0`],
        [{ recipient: owner }, "Recipient does not match the order refund entry"],
        [{ amount: "999" }, "Amount does not match the deposit amount (slow refund is full-amount only)"],
        [{ ownerChainId: "second" }, "Owner chain does not match the deposit chain"],
        [{ owner: recipient }, "Owner does not match the deposit's depositor"],
      ];
      for (const [change, message] of refusals) await expectRejected(INITIATION, bodyOf(paid, change), message);
    });

    it("is rejected if the order has several such refunds, or a refund to the native currency's address", async () => {
      const several = await paidOrder(({ inputs: [input] }) => {
        (input!.refunds as unknown[]).push({ ...input!.refunds[0]!, minimumAmount: "1" });
      });
      await declare(several);
      const message = `Expected exactly 1 refund entry for chain ${CHAIN} currency ${zeroAddress}, got 2`;
      await expectRejected(INITIATION, bodyOf(several), message);
      const toName = await paidOrder(({ inputs: [input] }) => {
        (input!.refunds as unknown[])[0] = { ...input!.refunds[0]!, recipient: zeroAddress };
      });
      await declare(toName);
      const body = bodyOf(toName, { recipient: zeroAddress });
      await expectRejected(INITIATION, body, "Recipient does not match the order refund entry");
    });

    it("is rejected if the refund is in another token than the deposit", async () => {
      const currency = suite.contracts.dollar.toLowerCase() as Address;
      const paid = await paidOrder(({ inputs: [input] }) => {
        (input!.refunds as unknown[])[0] = { ...input!.refunds[0]!, currency };
      });
      await declare(paid);
      await suite.network.setHubBalance(alias, hubTokenId(CHAIN, currency), 1_000n);
      const message = "Currency does not match the deposit's currency";
      for (const route of ROUTES) await expectRejected(route, bodyOf(paid, { currency }), message);
    });
  });
});

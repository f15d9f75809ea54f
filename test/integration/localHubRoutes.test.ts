import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, concat, zeroAddress, zeroHash } from "viem";

import {
  attest,
  type Attestation,
  type AttestationBody,
  type AttestationRoute,
  hubAlias,
} from "../../packages/sdk/src/attestation.ts";
import { noFillEntryId, nonceMappingEntryId } from "../../packages/protocol/src/attestation/genericMapping.ts";
import { ATTESTATION_ROUTES } from "../../packages/protocol/src/attestation/routes.ts";
import { hashTrigger } from "../../packages/protocol/src/attestation/trigger.ts";
import { hashSubmitWithdrawRequest } from "../../packages/protocol/src/attestation/withdrawRequest.ts";
import { localHubAbi } from "../../packages/crosscall/src/abi/localHub.generated.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { useNetwork } from "../support/useNetwork.ts";
import {
  HERE,
  THERE,
  DEADLINE,
  lower,
  userAddress,
  solverAddress,
  RECIPIENT,
  NATIVE_HERE,
  NATIVE_THERE,
  SOLVER_ALIAS,
  word,
  type Deposited,
  hubRequests,
} from "./support/hubRequests.ts";
import { inHubOrder, type LocalHub, openLocalHub, sendOn, signPayload } from "./support/localHub.ts";
import {
  encodeEvmWithdrawal,
  NO_FILL_TYPES,
  NONCE_MAPPING_TYPES,
} from "../../packages/protocol/src/attestation/index.ts";

const { user, solver } = localAccounts;

/** Request that a route's test sends, and the actions that the hub and the depository take with the response. */
interface Case<Route extends AttestationRoute> {
  readonly refused: { readonly change: object; readonly message: string };
  readonly body: () => Promise<AttestationBody<Route>>;
  /** Returns all signatures in the response, if the route signs. */
  readonly signatures: (answer: Attestation<Route>) => readonly { readonly oracleSigner: string }[] | undefined;
  readonly settle: (answer: Attestation<Route>) => Promise<void>;
}

describe("each route of the oracles of a local network", () => {
  const network = useNetwork({ apiKeys: ["mine"] });
  let hub: LocalHub;
  before(() => {
    hub = openLocalHub(network);
  });
  const {
    oracle,
    rejectionOf,
    depositNative,
    deposited,
    settlementOf,
    requestToExecutor,
    ownerSignature,
    withdrawalV2,
    withdrawalV1,
    initiationV1,
    withdrawRequest,
    withdrawRequestHash,
    submitRequest,
    expectPaid,
    executed,
    setEntry,
    entryOf,
    trigger,
  } = hubRequests(network, () => hub);

  let recovered: Deposited;
  const executionOf = (answer: { execution?: { signatures: { oracleSigner: string }[] } }) =>
    answer.execution?.signatures;
  const execute = async ({ execution }: { execution?: Parameters<LocalHub["execute"]>[0] }): Promise<void> => {
    await hub.execute(execution);
  };
  const statementDomain = { chainId: 31_337, verifyingContract: zeroAddress };

  /** The cases are in the order of their dependencies. */
  const cases: { readonly [Route in AttestationRoute]: Case<Route> } = {
    "depository-deposits/v1": {
      refused: { change: { chainId: "base" }, message: "Chain base is not available" },
      // The deposit is on the other chain, where the executor pays in a later case.
      body: async () => ({ chainId: THERE, transactionId: await depositNative(1, zeroHash, 5_000n) }),
      signatures: executionOf,
      async settle(answer) {
        await execute(answer);
        expect(await hub.balanceOf(hubAlias(THERE, userAddress), NATIVE_THERE)).to.equal(5_000n);
      },
    },
    "solver-fills/v1": {
      refused: { change: { orderSignature: "0x12" }, message: "Invalid order signature" },
      async body() {
        const order = await deposited();
        const fill = { to: RECIPIENT, value: 810n, data: order.orderId, account: solver };
        const transactionId = await sendOn(network.chains[1], network, fill);
        return { ...settlementOf(order), fill: { transactionId } };
      },
      signatures: executionOf,
      async settle(answer) {
        await execute(answer);
        expect(await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)).to.equal(950n);
        expect(await hub.balanceOf(hubAlias(HERE, RECIPIENT), NATIVE_HERE)).to.equal(50n);
      },
    },
    "solver-refunds/v1": {
      refused: { change: { refunds: [] }, message: "Missing refund information for order input payment 0" },
      async body() {
        const order = await deposited();
        const refund = { to: RECIPIENT, value: 900n, data: order.orderId, account: solver };
        const transactionId = await sendOn(network.chains[0], network, refund);
        return { ...settlementOf(order), refunds: [{ transactionId, inputIndex: 0, refundIndex: 0 }] };
      },
      signatures: executionOf,
      async settle(answer) {
        await execute(answer);
        expect(await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)).to.equal(1_950n);
      },
    },
    "withdrawal-initiation/v1": {
      refused: { change: { expectedAmount: "61" }, message: "Invalid signature. Can't trigger withdrawal" },
      body: () => initiationV1(word(1)),
      signatures: executionOf,
      async settle(answer) {
        await execute(answer);
        const { withdrawalAddress } = answer.message.result;
        expect(await hub.balanceOf(withdrawalAddress as Address, NATIVE_HERE)).to.equal(60n);
      },
    },
    "withdrawal-initiated/v1": {
      refused: { change: { expectedAmount: "61" }, message: "Insufficient withdrawal address balance" },
      async body() {
        const { signature: _, ...body } = await initiationV1(word(1));
        return body;
      },
      // The response of this route has no signature.
      signatures: () => undefined,
      settle({ message }) {
        const { proofOfWithdrawalAddressBalance, withdrawalAddress } = message.result;
        expect(proofOfWithdrawalAddressBalance).to.equal(concat([withdrawalAddress as Hex, word(60), word(1)]));
        return Promise.resolve();
      },
    },
    "depository-withdrawals/v1": {
      refused: {
        change: { withdrawalAddressRequest: { ...withdrawalV1(word(1)), recipient: userAddress } },
        message: "Withdrawal does not match the withdrawal address request",
      },
      async body() {
        const payload = encodeEvmWithdrawal({
          calls: [{ to: RECIPIENT, data: "0x", value: 60n, allowFailure: false }],
          nonce: 1n,
          expiration: BigInt(DEADLINE),
        });
        await expectPaid(0, payload, 60n);
        return { chainId: HERE, withdrawal: payload, withdrawalAddressRequest: withdrawalV1(word(1)) };
      },
      signatures: executionOf,
      async settle(answer) {
        const before = await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE);
        await execute(answer);
        expect([answer.message.result.status, await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)]).to.deep.equal([
          1,
          before,
        ]);
      },
    },
    "withdrawal-initiation/v2": {
      refused: { change: { ownerSignature: undefined }, message: "ownerSignature is required" },
      body: () => withdrawalV2(word(2)),
      signatures: executionOf,
      async settle(answer) {
        await execute(answer);
        expect(await hub.balanceOf(answer.withdrawalAddress as Address, NATIVE_HERE)).to.equal(70n);
      },
    },
    "withdrawal-initiated/v2": {
      refused: { change: { amount: "69" }, message: "Invalid signature" },
      body: () => withdrawalV2(word(2)),
      signatures: ({ payloadParams }) => payloadParams.signatures,
      async settle({ payloadParams }) {
        const args = [submitRequest(), inHubOrder(payloadParams.signatures)] as const;
        await hub.send(encodeFunctionData({ abi: localHubAbi, functionName: "submitWithdrawRequest", args }));
        const payloadId = hashSubmitWithdrawRequest(submitRequest());
        const payload = await hub.payloadOf(payloadId);
        const signature = await signPayload(network, 31_337, payload);
        await hub.send(
          encodeFunctionData({ abi: localHubAbi, functionName: "submitSignature", args: [payloadId, signature] }),
        );
        await expectPaid(0, payload, 70n);
      },
    },
    "depository-withdrawals/v2": {
      refused: { change: { nonce: word(3) }, message: "Invalid signature" },
      body: () => withdrawalV2(word(2)),
      signatures: executionOf,
      async settle(answer) {
        expect(answer.status).to.equal(1);
        await execute(answer);
        expect(await rejectionOf("withdrawal-initiated/v2", await withdrawalV2(word(2)))).to.deep.equal([
          400,
          "Withdrawn amount different from withdrawal address balance",
        ]);
      },
    },
    "withdraw-request-authorization/v1": {
      refused: { change: { receiver: userAddress }, message: "Invalid signature" },
      async body() {
        const { spender: owner, spenderChainId: ownerChainId, receiver: recipient, ...rest } = withdrawRequest;
        const signature = await ownerSignature("withdrawal", { ...rest, owner, ownerChainId, recipient });
        return { ...withdrawRequest, ownerSignature: signature };
      },
      signatures: ({ signatures }) => signatures,
      async settle({ withdrawRequest: request, signatures }) {
        const before = await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE);
        const signed = { ...(request as Record<keyof typeof request, Hex>), amount: BigInt(request.amount) };
        const args = [signed, inHubOrder(signatures)] as const;
        await hub.send(encodeFunctionData({ abi: localHubAbi, functionName: "withdraw", args }));
        expect(await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)).to.equal(before - 50n);
      },
    },
    "withdraw-requests/v1": {
      refused: {
        change: { hashIndexes: [1] },
        message: "Hash to sign not set for withdraw request at index 1",
      },
      body: () => Promise.resolve({ ...withdrawRequest, hashIndexes: [0] }),
      signatures: ({ withdrawRequest: { signatures } }) => signatures,
      async settle({ withdrawRequest: { hashesToSign } }) {
        const payload = await hub.payloadOf(withdrawRequestHash());
        const signature = await network.accounts.allocator.sign!({ hash: hashesToSign[0] as Hex });
        expect(signature).to.equal(await signPayload(network, 31_337, payload));
        await expectPaid(0, payload, 50n);
      },
    },
    "depository-withdrawals/v3": {
      refused: { change: { nonce: word(12) }, message: "Withdraw request not yet available" },
      body: () => Promise.resolve(withdrawRequest),
      // The allocator burned the balance when it accepted the request.
      signatures: () => undefined,
      settle(answer) {
        expect(answer).to.deep.equal({ status: 1 });
        return Promise.resolve();
      },
    },
    "withdraw-and-refund/v1": {
      refused: { change: { onchainId: zeroHash }, message: "Could not find corresponding deposit" },
      body: async () => requestToExecutor(await deposited(false), word(21)),
      signatures: ({ executeAndWithdrawRequest }) => executeAndWithdrawRequest.signatures,
      async settle(answer) {
        await execute(answer);
        await executed(answer, 0, 970n);
      },
    },
    "transfer/v1": {
      refused: { change: { amount: "0" }, message: "Transfer amount must be non-zero" },
      // The executor receives this balance, and pays with it in the next case.
      async body() {
        const moved = {
          chainId: THERE,
          currency: zeroAddress,
          amount: "800",
          ownerChainId: THERE,
          owner: userAddress,
          recipient: hubAlias("relay", lower(hub.address)),
          nonce: "9",
        };
        return { ...moved, ownerSignature: await ownerSignature("transfer", moved, user) };
      },
      signatures: executionOf,
      async settle(answer) {
        await execute(answer);
        expect(await hub.balanceOf(hubAlias("relay", lower(hub.address)), NATIVE_THERE)).to.equal(800n);
      },
    },
    "withdraw-and-fill/v1": {
      refused: { change: { orderSignature: "0x12" }, message: "Invalid order signature" },
      body: async () => requestToExecutor(await deposited(false), word(22)),
      signatures: ({ executeAndWithdrawRequest }) => executeAndWithdrawRequest.signatures,
      async settle(answer) {
        await execute(answer);
        await executed(answer, 1, 800n);
      },
    },
    "signatures/no-fill-or-refund/v1": {
      refused: { change: { solver: userAddress }, message: "Invalid signature" },
      async body() {
        recovered = await deposited();
        const { orderId } = recovered;
        const signature = await solver.signTypedData({
          domain: { ...statementDomain, name: "RelayNoFillOrRefund", version: "1" },
          types: NO_FILL_TYPES,
          primaryType: "NoFillOrRefund",
          message: { chainId: HERE, solver: solverAddress, orderId },
        });
        return { solverChainId: HERE, solver: solverAddress, orderId, signature };
      },
      signatures: ({ genericMapping }) => genericMapping.signatures,
      async settle(answer) {
        await setEntry(answer);
        const [data, createdAt] = await entryOf(SOLVER_ALIAS, noFillEntryId(recovered.orderId));
        expect([data, createdAt > 0n]).to.deep.equal(["0x01", true]);
      },
    },
    "recover/v1": {
      refused: {
        change: { order: undefined },
        message: "Order data and signature are required for deposits less than 7 days old",
      },
      body() {
        const { transactionId, onchainId, order, orderSignature } = recovered;
        return Promise.resolve({ chainId: HERE, transactionId, onchainId, order, orderSignature });
      },
      signatures: executionOf,
      async settle(answer) {
        const before = await hub.balanceOf(hubAlias(HERE, userAddress), NATIVE_HERE);
        await execute(answer);
        expect(await hub.balanceOf(hubAlias(HERE, userAddress), NATIVE_HERE)).to.equal(before + 1_000n);
      },
    },
    "signatures/nonce-mapping/v2": {
      refused: { change: { nonce: "8" }, message: "Invalid signature" },
      async body() {
        const mapped = { depositor: userAddress, id: word(14) };
        const signature = await user.signTypedData({
          domain: { ...statementDomain, name: "RelayNonceMapping", version: "2" },
          types: NONCE_MAPPING_TYPES,
          primaryType: "NonceMapping",
          message: { ...mapped, chainId: HERE, wallet: userAddress, nonce: 7n },
        });
        const wallet = { walletChainId: HERE, wallet: userAddress, nonce: "7", signatureChainId: HERE };
        return { ...mapped, ...wallet, signature };
      },
      signatures: ({ genericMapping }) => genericMapping.signatures,
      async settle(answer) {
        await setEntry(answer);
        const [data] = await entryOf(hubAlias(HERE, userAddress), nonceMappingEntryId("7"));
        expect(data).to.equal(concat([word(14), userAddress]));
      },
    },
    "deposit-address-triggers/v1": {
      refused: { change: { nonce: "5" }, message: "Trigger hash does not map to the provided order id" },
      async body() {
        const { input, derivationFields, nonce, orderId } = trigger;
        const hash = hashTrigger({
          ...trigger,
          input: { ...input, currency: zeroAddress, amount: 70n },
          derivationFields: {
            ...(derivationFields as Record<keyof typeof derivationFields, Hex>),
            priceImpactBps: 30n,
          },
          nonce: BigInt(nonce),
          extraData: "0xabcd",
          prices: [],
        });
        await hub.send(encodeFunctionData({ abi: localHubAbi, functionName: "recordTrigger", args: [hash, orderId] }));
        return trigger;
      },
      signatures: ({ trigger: { signatures } }) => signatures,
      settle({ trigger: { depositAddressManager } }) {
        expect(depositAddressManager).to.equal(hub.address);
        return Promise.resolve();
      },
    },
  };

  /** Checks that a changed body is rejected and that both oracles sign the correct body. Then uses the response. */
  async function check<Route extends AttestationRoute>(route: Route): Promise<Attestation<Route>> {
    const { refused, body, signatures, settle } = cases[route];
    const request = { ...(await body()), requestPeerSignatures: true };
    expect(await rejectionOf(route, { ...request, ...refused.change })).to.deep.equal([400, refused.message]);
    const answer = await attest(oracle(), route, request);
    const signers = signatures(answer)
      ?.map(({ oracleSigner }) => oracleSigner)
      .toSorted();
    expect(signers ?? network.oracle!.signers).to.deep.equal(network.oracle!.signers);
    await settle(answer);
    return answer;
  }

  for (const route of Object.keys(cases) as AttestationRoute[]) {
    it(`attests ${route} or rejects it, and settles with the signed response`, async () => {
      await check(route);
    });
  }

  it("covers every route of the oracle", () => {
    expect(Object.keys(cases).toSorted()).to.deep.equal(Object.keys(ATTESTATION_ROUTES).toSorted());
  });
});

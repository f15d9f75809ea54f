import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  keccak256,
  sha256,
  stringToHex,
  toHex,
  zeroAddress,
} from "viem";

import {
  attest,
  type Attested,
  hashOwnerOrder,
  hubAlias,
  hubTokenId,
  orderAddress,
} from "../../../../packages/sdk/src/attestation.ts";
import type { ServiceClient } from "../../../../packages/sdk/src/index.ts";
import { hashOrder, type Order } from "../../../../packages/protocol/src/index.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { CHAIN, type OracleNetwork } from "../../support/oracleNetwork.ts";
import {
  encodeEvmWithdrawal,
  NO_FILL_TYPES,
  NONCE_MAPPING_TYPES,
} from "../../../../packages/protocol/src/attestation/index.ts";
import { encodeFillContract } from "../../../../packages/protocol/src/order/index.ts";
import { depositoryAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

const DEADLINE = 4_000_000_000;
const NONCE: Hex = `0x${"0".repeat(60)}beef`;
const ID: Hex = `0x${"1d".repeat(32)}`;
const { user, stranger, solver } = localAccounts;
const owner = user.address.toLowerCase() as Address;
const recipient = stranger.address.toLowerCase() as Address;
const native = zeroAddress;

/** Contract of the generic mapping on the test's hub. */
export const MAPPING: Address = "0x00000000000000000000000000000000000006a9";

/**
 * Attests one response of each kind from chain data, with the signatures of the oracle's peers. The oracle's clock must
 * be a week ahead of the chain's clock, so that deposits can be recovered.
 */
export async function attestEachKind(network: OracleNetwork, client: ServiceClient): Promise<readonly Attested[]> {
  const peers = { requestPeerSignatures: true } as const;
  const deposit = async (id: Hex): Promise<Extract<Attested, { kind: "deposits" }>> => {
    const transactionId = await network.send({
      to: network.contracts.depository,
      value: 1_100n,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [owner, id] }),
    });
    const request = { ...peers, chainId: CHAIN, transactionId };
    return { kind: "deposits", request, answer: await attest(client, "depository-deposits/v1", request) };
  };

  const order = orderOf(network.contracts.router);
  const orderId = hashOrder(order);
  const deposited = await deposit(orderId);
  const { messages } = deposited.answer;
  const settlement = {
    ...peers,
    order,
    orderSignature: await solver.signMessage({ message: { raw: orderId } }),
    inputs: messages.map(({ data, result }) => ({
      transactionId: data.transactionId,
      onchainId: result.onchainId,
      inputIndex: 0,
    })),
  };
  // Each payment counts only once, so each settlement needs its own payment.
  const pay = () => network.send({ to: recipient, value: 1_200n, data: orderId, account: solver });
  const fill = { ...settlement, fill: { transactionId: await pay() } };
  const refund = { ...settlement, refunds: [{ transactionId: await pay(), inputIndex: 0, refundIndex: 0 }] };

  await network.setHubBalance(hubAlias(CHAIN, owner), hubTokenId(CHAIN, native), 40n);
  const accounts = { chainId: CHAIN, currency: native, withdrawer: owner, withdrawerChainId: CHAIN, recipient };
  const withdrawalAddressRequest = { ...accounts, withdrawalNonce: NONCE };
  const withdrawal = {
    ...peers,
    chainId: CHAIN,
    withdrawalAddressRequest,
    // The withdrawal expired before the chain started.
    withdrawal: encodeEvmWithdrawal({
      calls: [{ to: recipient, data: "0x", value: 5n, allowFailure: false }],
      nonce: 7n,
      expiration: 1n,
    }),
  };
  const packed = concat([hubAlias(CHAIN, owner), toHex(40n, { size: 32 }), NONCE]);
  const initiation = {
    ...peers,
    settlementChainId: "relay",
    expectedAmount: "40",
    ...withdrawalAddressRequest,
    signature: await user.signMessage({ message: { raw: sha256(stringToHex(keccak256(packed))) } }),
  };
  const moved = { chainId: CHAIN, currency: native, amount: "40", ownerChainId: CHAIN, owner, recipient, nonce: "9" };
  const transfer = {
    ...peers,
    ...moved,
    ownerSignature: await user.signMessage({ message: { raw: hashOwnerOrder({ operation: "transfer", ...moved }) } }),
  };

  const owned = { ...moved, nonce: NONCE };
  const initiationV2 = {
    ...peers,
    ...owned,
    ownerSignature: await user.signMessage({ message: { raw: hashOwnerOrder({ operation: "withdrawal", ...owned }) } }),
  };
  const [first] = messages;
  const held = orderAddress({
    chainId: CHAIN,
    depositor: owner,
    depositId: orderId,
    depositTimestamp: Number(first!.extraData.timestamp),
  });
  await network.setHubBalance(held, hubTokenId(CHAIN, native), 1_100n);
  const recovery = { ...peers, ...first!.data, onchainId: first!.result.onchainId };

  const domain = { chainId: 31_337, verifyingContract: zeroAddress };
  const noFill = {
    ...peers,
    solverChainId: CHAIN,
    solver: solver.address,
    orderId,
    signature: await solver.signTypedData({
      domain: { ...domain, name: "RelayNoFillOrRefund", version: "1" },
      types: NO_FILL_TYPES,
      primaryType: "NoFillOrRefund",
      message: { chainId: CHAIN, solver: solver.address, orderId },
    }),
  };
  const mapped = { depositor: recipient, id: ID, nonce: "7" } as const;
  const nonceMapping = {
    ...peers,
    ...mapped,
    walletChainId: CHAIN,
    wallet: user.address,
    signatureChainId: CHAIN,
    signature: await user.signTypedData({
      domain: { ...domain, name: "RelayNonceMapping", version: "2" },
      types: NONCE_MAPPING_TYPES,
      primaryType: "NonceMapping",
      message: { ...mapped, chainId: CHAIN, wallet: user.address, nonce: 7n },
    }),
  };
  return [
    deposited,
    { kind: "fill", request: fill, answer: await attest(client, "solver-fills/v1", fill), deposits: messages },
    { kind: "refund", request: refund, answer: await attest(client, "solver-refunds/v1", refund), deposits: messages },
    { kind: "withdrawal", request: withdrawal, answer: await attest(client, "depository-withdrawals/v1", withdrawal) },
    { kind: "initiation", request: initiation, answer: await attest(client, "withdrawal-initiation/v1", initiation) },
    {
      kind: "initiationV2",
      request: initiationV2,
      answer: await attest(client, "withdrawal-initiation/v2", initiationV2),
    },
    { kind: "recovery", request: recovery, answer: await attest(client, "recover/v1", recovery), deposits: messages },
    { kind: "transfer", request: transfer, answer: await attest(client, "transfer/v1", transfer) },
    { kind: "noFill", request: noFill, answer: await attest(client, "signatures/no-fill-or-refund/v1", noFill) },
    {
      kind: "nonceMapping",
      request: nonceMapping,
      answer: await attest(client, "signatures/nonce-mapping/v2", nonceMapping),
    },
  ];
}

/**
 * Returns an order with a deposit of 1,000 wei, an output of 1,000 wei, and a fee. A payment of 1,100 wei is 10% too
 * much.
 */
function orderOf(router: Address): Order {
  const extraData = encodeFillContract(router);
  const refund = { chainId: CHAIN, currency: native, minimumAmount: "1000", deadline: DEADLINE, extraData, recipient };
  return {
    version: "v1",
    solverChainId: CHAIN,
    solver: solver.address,
    salt: ID,
    inputs: [{ payment: { chainId: CHAIN, currency: native, amount: "1000", weight: "1" }, refunds: [refund] }],
    output: {
      chainId: CHAIN,
      payments: [{ recipient, currency: native, minimumAmount: "1000", expectedAmount: "1000" }],
      calls: [],
      deadline: DEADLINE,
      extraData,
    },
    fees: [{ recipientChainId: CHAIN, recipient, currencyChainId: CHAIN, currency: native, amount: "17" }],
  };
}

import { type Address, hashTypedData, type Hex, parseAbi, zeroAddress, zeroHash } from "viem";

import {
  allocatorDomain,
  type AuthorizationAttestation,
  type AuthorizationBody,
  expiredWithdrawRequestExecutionKey,
  HASHES_TO_SIGN_TYPES,
  type HashesToSign,
  hashesToSignDomain,
  hashWithdrawRequest,
  hubAlias,
  hubTokenId,
  toWithdrawRequest,
  WITHDRAW_REQUEST_TYPES,
  type WithdrawalStatusAttestation,
  type WithdrawalV3Body,
  type WithdrawRequest,
  type WithdrawRequestAttestation,
  type WithdrawRequestBody,
} from "@crosscall/protocol/attestation";
import { ETHEREUM_CODEC, type VmCodec, type VmType } from "@crosscall/protocol/vms";
import { requireAttested } from "../attestationRefusedError.ts";
import { hubContract } from "../hub.ts";
import type { OracleContext } from "../oracleContext.ts";
import { readContract } from "../readContract.ts";
import { withdrawalsNotSupported } from "../vms/rules.ts";
import { requireAuthorization } from "./authorization.ts";
import { signDigest, signExecution } from "./signedExecution.ts";
import { depositoryOf } from "./withdrawal.ts";
import { requirePayloadFamily, requireUnspentOutputs } from "./withdrawalV2.ts";

const ALLOCATOR_ABI = parseAbi([
  "function payloads(bytes32 withdrawRequestHash) view returns (bytes unsignedPayload)",
  "function payloadBuilders(string chainId, bytes depository) view returns (address)",
]);

const BUILDER_ABI = parseAbi(["function family() view returns (string)"]);

const EXECUTOR_ABI = parseAbi([
  "function orderAddressByWithdrawRequestHash(bytes32 withdrawRequestHash) view returns (address)",
]);

/** Chain families with payloads that this build can read. */
const FAMILIES: readonly string[] = [
  "bitcoin-vm",
  "ethereum-vm",
  "hyperliquid-vm",
  "lighter-vm",
  "solana-vm",
  "ton-vm",
  "tron-vm",
];

/**
 * Attests the outcome of a withdraw request. The allocator burns the balance when it accepts the request, so only an
 * expired request needs an execution, which returns the balance.
 */
export async function attestWithdrawalV3(
  context: OracleContext,
  body: WithdrawalV3Body,
): Promise<WithdrawalStatusAttestation> {
  const { transactionId, hints } = body;
  const request = withdrawRequestOf(context, body, codecOnHub(context, body.spenderChainId));
  const vm = context.chains.vm(request.chainId);
  const withdrawRequestHash = hashWithdrawRequest(request);
  const payload = await readPayload(context, request, withdrawRequestHash);
  const depository = depositoryOf(context.chains.get(request.chainId), body.depository);
  const status = await vm.readWithdrawalStatus(vm.decodeWithdrawal(payload), { depository, transactionId, hints });
  if (status !== 2) return { status };
  const to = await refundedAccount(context, request, withdrawRequestHash);
  const tokenId = hubTokenId(request.chainId, request.currency);
  return {
    status,
    execution: await signExecution(context, {
      idempotencyKey: expiredWithdrawRequestExecutionKey(withdrawRequestHash),
      actions: [{ type: "mint", to, tokenId, amount: request.amount }],
    }),
  };
}

async function readPayload(
  { chains, hub, hubReader }: OracleContext,
  { chainId, depository }: WithdrawRequest,
  withdrawRequestHash: Hex,
): Promise<Hex> {
  const allocator = { address: hubContract(hub, "allocatorAddress"), abi: ALLOCATOR_ABI };
  const [builder, payload] = await Promise.all([
    readContract(hubReader, { ...allocator, functionName: "payloadBuilders", args: [chainId, depository] }),
    readContract(hubReader, { ...allocator, functionName: "payloads", args: [withdrawRequestHash] }),
  ]);
  requireAttested(builder !== zeroAddress, `No payload builder configured for chain ${chainId}`);
  const family = await readContract(hubReader, { address: builder, abi: BUILDER_ABI, functionName: "family" });
  requireAttested(payload !== "0x", "Withdraw request not yet available");
  requirePayloadFamily(family, FAMILIES, chains.get(chainId).vmType);
  return payload;
}

/** Returns the spender, or the order that the executor spent for. */
async function refundedAccount(
  { hub, hubReader }: OracleContext,
  { spenderChainId, spender }: WithdrawRequest,
  withdrawRequestHash: Hex,
): Promise<Address> {
  const alias = hubAlias(spenderChainId, spender);
  const { executorAddress } = hub;
  if (executorAddress === undefined) return alias;
  if (alias !== hubAlias(hub.id, ETHEREUM_CODEC.encodeAddress(executorAddress, "executorAddress"))) return alias;
  const orderAddress = await readContract(hubReader, {
    address: executorAddress as Address,
    abi: EXECUTOR_ABI,
    functionName: "orderAddressByWithdrawRequestHash",
    args: [withdrawRequestHash],
  });
  requireAttested(orderAddress !== zeroAddress, "Withdrawal has no corresponding order address");
  return orderAddress;
}

const HASHES_ABI = parseAbi([
  "function hashesToSign(bytes32 withdrawRequestHash, uint256 index) view returns (bytes32)",
]);

/** Chain families with owners that can authorize withdrawals with a signature. */
const AUTHORIZED: readonly VmType[] = ["bitcoin-vm", "ethereum-vm", "lighter-vm", "solana-vm", "ton-vm", "tron-vm"];

/** Attests the hashes that the allocator stores for a withdraw request. */
export async function attestWithdrawRequest(
  context: OracleContext,
  body: WithdrawRequestBody,
): Promise<WithdrawRequestAttestation> {
  const { hub, hubReader } = context;
  const withdrawRequestHash = hashWithdrawRequest(
    withdrawRequestOf(context, body, codecOnHub(context, body.spenderChainId)),
  );
  const address = hubContract(hub, "allocatorAddress");
  const reads = body.hashIndexes.map(async (index) => {
    const args = [withdrawRequestHash, BigInt(index)] as const;
    const hash = await readContract(hubReader, { address, abi: HASHES_ABI, functionName: "hashesToSign", args });
    requireAttested(hash !== zeroHash, `Hash to sign not set for withdraw request at index ${index}`);
    return hash;
  });
  // Waits for all reads, so that the error of the lowest index is thrown.
  await Promise.allSettled(reads);
  const message = {
    chainId: hub.evmChainId,
    allocator: address,
    withdrawRequestHash,
    hashesToSign: await Promise.all(reads),
    signatures: [],
  };
  return {
    withdrawRequest: { ...message, signatures: [await signDigest(context, hashHashesToSign(context, message))] },
  };
}

/** Attests that the owner of the balance signed a withdraw request. */
export async function attestAuthorization(
  context: OracleContext,
  body: AuthorizationBody,
): Promise<AuthorizationAttestation> {
  const { chainId, currency, amount, spenderChainId, spender, receiver, nonce, additionalData } = body;
  const { chains, hub } = context;
  const { vmType } = chains.get(chainId);
  requireAttested(AUTHORIZED.includes(vmType), withdrawalsNotSupported(vmType));
  await requireAuthorization(context, {
    withdrawal: {
      chainId,
      currency,
      amount,
      nonce,
      additionalData,
      ownerChainId: spenderChainId,
      owner: spender,
      recipient: receiver,
    },
    authorization: body,
    endpoint: "/attestations/withdraw-request-authorization/v1",
  });
  await requireUnspentOutputs(context, body);
  const { amount: _, ...request } = withdrawRequestOf(context, body, chains.get(spenderChainId).codec);
  const message = {
    withdrawRequest: { ...request, amount },
    allocatorChainId: hub.evmChainId,
    allocatorContract: hubContract(hub, "allocatorAddress"),
    signatures: [],
  };
  return { ...message, signatures: [await signDigest(context, hashAuthorization(context, message))] };
}

export function hashHashesToSign({ hub }: OracleContext, { hashesToSign, ...message }: HashesToSign): Hex {
  return hashTypedData({
    domain: hashesToSignDomain(hub.evmChainId),
    types: HASHES_TO_SIGN_TYPES,
    primaryType: "WithdrawRequest",
    message: {
      chainId: BigInt(message.chainId),
      allocator: message.allocator as Address,
      withdrawRequestHash: message.withdrawRequestHash as Hex,
      hashesToSign: hashesToSign as Hex[],
    },
  });
}

export function hashAuthorization({ hub }: OracleContext, { withdrawRequest }: AuthorizationAttestation): Hex {
  const { chainId, depository, currency, amount, spenderChainId, spender, receiver, data, nonce } = withdrawRequest;
  return hashTypedData({
    domain: allocatorDomain(hub.evmChainId, hubContract(hub, "allocatorAddress")),
    types: WITHDRAW_REQUEST_TYPES,
    primaryType: "WithdrawRequest",
    message: {
      chainId,
      spenderChainId,
      amount: BigInt(amount),
      depository: depository as Hex,
      currency: currency as Hex,
      spender: spender as Hex,
      receiver: receiver as Hex,
      data: data as Hex,
      nonce: nonce as Hex,
    },
  });
}

function withdrawRequestOf(
  { chains }: OracleContext,
  body: Omit<WithdrawalV3Body, "hints" | "transactionId">,
  spenderCodec: VmCodec,
): WithdrawRequest {
  const { chainId, currency, amount, spenderChainId, spender, receiver, nonce, additionalData } = body;
  const chain = chains.get(chainId);
  return toWithdrawRequest({
    vmType: chain.vmType,
    chainId,
    currency,
    spenderCodec,
    spenderChainId,
    spender,
    receiver,
    depository: depositoryOf(chain, body.depository),
    amount: BigInt(amount),
    nonce: nonce as Hex,
    ...(additionalData === undefined ? {} : { additionalData }),
  });
}

/** Returns the codec of a chain's addresses and currencies, or of the hub's. */
export function codecOnHub({ chains, hub }: OracleContext, chainId: string): VmCodec {
  return chainId === hub.id ? ETHEREUM_CODEC : chains.get(chainId).codec;
}

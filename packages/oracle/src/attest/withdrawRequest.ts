import { type Address, type Hex, hashTypedData, parseAbi, zeroHash } from "viem";

import {
  allocatorDomain,
  type AuthorizationAttestation,
  type AuthorizationBody,
  HASHES_TO_SIGN_TYPES,
  type HashesToSign,
  hashesToSignDomain,
  hashWithdrawRequest,
  toWithdrawRequest,
  WITHDRAW_REQUEST_TYPES,
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
import { withdrawalsNotSupported } from "../vms/limits.ts";
import { depositoryOf } from "./depositoryOf.ts";
import { requireUnspentOutputs } from "./requireUnspentOutputs.ts";
import { requireAuthorization } from "./requireAuthorization.ts";
import { signDigest } from "./signDigest.ts";

const ALLOCATOR_ABI = parseAbi([
  "function hashesToSign(bytes32 withdrawRequestHash, uint256 index) view returns (bytes32)",
]);

/** Families whose owners can authorize withdrawals by signature. */
const AUTHORIZED: readonly VmType[] = ["bitcoin-vm", "ethereum-vm", "lighter-vm", "solana-vm", "ton-vm", "tron-vm"];

/** Attests the hashes that the allocator holds for a withdraw request (spec 5, section 4). */
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
    const hash = await readContract(hubReader, { address, abi: ALLOCATOR_ABI, functionName: "hashesToSign", args });
    requireAttested(hash !== zeroHash, `Hash to sign not set for withdraw request at index ${index}`);
    return hash;
  });
  // Waits for all, so that the error is the first index's.
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

/** Attests that a withdraw request is what the owner of the balance signed (spec 5, section 4). */
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

export function withdrawRequestOf(
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

/** For addresses and currencies of a chain, or of the hub. */
export function codecOnHub({ chains, hub }: OracleContext, chainId: string): VmCodec {
  return chainId === hub.id ? ETHEREUM_CODEC : chains.get(chainId).codec;
}

import { type Address, type Hex, parseAbi, zeroAddress } from "viem";

import {
  expiredWithdrawRequestExecutionKey,
  hashWithdrawRequest,
  hubAlias,
  hubTokenId,
  type WithdrawalStatusAttestation,
  type WithdrawalV3Body,
  type WithdrawRequest,
} from "@crosscall/protocol/attestation";
import { ETHEREUM_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../attestationRefusedError.ts";
import { hubContract } from "../hub.ts";
import type { OracleContext } from "../oracleContext.ts";
import { readContract } from "../readContract.ts";
import { requirePayloadFamily } from "./requirePayloadFamily.ts";
import { signExecution } from "./signedExecution.ts";
import { codecOnHub, withdrawRequestOf } from "./withdrawRequest.ts";

const ALLOCATOR_ABI = parseAbi([
  "function payloads(bytes32 withdrawRequestHash) view returns (bytes unsignedPayload)",
  "function payloadBuilders(string chainId, bytes depository) view returns (address)",
]);

const BUILDER_ABI = parseAbi(["function family() view returns (string)"]);

const EXECUTOR_ABI = parseAbi([
  "function orderAddressByWithdrawRequestHash(bytes32 withdrawRequestHash) view returns (address)",
]);

/** Families whose payloads are read here. */
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
 * Attests the outcome of a withdraw request. The allocator burns the balance when it takes the request, so only an
 * expired one needs an execution, which returns the balance (spec 5, section 2).
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
  const status = await vm.readWithdrawalStatus(vm.decodeWithdrawal(payload), { transactionId, hints });
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

/** The spender, or the order that the executor spent for. */
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

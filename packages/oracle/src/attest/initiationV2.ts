import { type Hex, hashTypedData } from "viem";

import {
  allocatorSpenderDomain,
  type InitiatedV2Attestation,
  initiationExecutionKey,
  type InitiationV2Attestation,
  type OwnedWithdrawalBody,
  type PayloadParams,
  SUBMIT_WITHDRAW_REQUEST_TYPES,
  type SubmitWithdrawRequest,
} from "@crosscall/protocol/attestation";
import { InvalidStateError } from "@crosscall/protocol/core";
import { requireAttested } from "../attestationRefusedError.ts";
import { hubContract } from "../hub.ts";
import type { OracleContext } from "../oracleContext.ts";
import { requireUnspentOutputs } from "./requireUnspentOutputs.ts";
import { ownedAccountOf, requireBuildable, requireOwnedWithdrawal, submitRequestOf } from "./ownedWithdrawal.ts";
import { signDigest } from "./signDigest.ts";
import { signExecution } from "./signedExecution.ts";

/** Attests that an owner's balance moves to the withdrawal's account (spec 5, section 4). */
export async function attestInitiationV2(
  context: OracleContext,
  body: OwnedWithdrawalBody,
): Promise<InitiationV2Attestation> {
  const { hub, hubReader } = context;
  await requireOwnedWithdrawal(context, body, "/attestations/withdrawal-initiation/v2");
  const amount = readAmount(body);
  const account = ownedAccountOf(context, body);
  const { address, ownerAlias, tokenId } = account;
  requireBuildable(context, body, account);
  const balance = await hubReader.balanceOf(ownerAlias, tokenId);
  requireAttested(balance >= amount, "Insufficient balance for requested withdrawal");
  // The balance would be stuck in the withdrawal's account.
  await requireUnspentOutputs(context, body);
  return {
    withdrawalAddress: address,
    execution: await signExecution(context, {
      idempotencyKey: initiationExecutionKey(hub.id, tokenId, address),
      actions: [{ type: "transfer", from: ownerAlias, to: address, tokenId, amount }],
    }),
  };
}

/** Attests that the withdrawal's account holds exactly the withdrawn amount, for the allocator v2. */
export async function attestInitiatedV2(
  context: OracleContext,
  body: OwnedWithdrawalBody,
): Promise<InitiatedV2Attestation> {
  await requireOwnedWithdrawal(context, body, "/attestations/withdrawal-initiated/v2");
  const amount = readAmount(body);
  const account = ownedAccountOf(context, body);
  const balance = await context.hubReader.balanceOf(account.address, account.tokenId);
  requireAttested(balance === amount, "Withdrawn amount different from withdrawal address balance");
  await requireUnspentOutputs(context, body);
  const request = submitRequestOf(context, body, account);
  const { chainId, depository, currency, spender, receiver: recipient, nonce, data } = request;
  const contract = {
    allocatorSpenderChainId: allocatorChainId(context).toString(),
    allocatorSpenderContract: hubContract(context.hub, "auroraAllocatorSpenderAddress"),
  };
  const signature = await signDigest(context, hashSubmitRequest(context, request));
  return {
    payloadParams: {
      chainId: chainId.toString(),
      depository,
      currency,
      amount: body.amount,
      spender,
      recipient,
      nonce,
      data,
      signatures: [{ ...contract, ...signature }],
    },
  };
}

/** From the response, as oracles sign it. */
export function hashPayloadParams(context: OracleContext, params: PayloadParams): Hex {
  const { chainId, amount, recipient: receiver, spender, nonce, data, depository, currency } = params;
  return hashSubmitRequest(context, {
    chainId: BigInt(chainId),
    depository,
    currency,
    amount: BigInt(amount),
    receiver,
    spender: spender as Hex,
    nonce: nonce as Hex,
    data: data as Hex,
  });
}

function hashSubmitRequest(context: OracleContext, message: SubmitWithdrawRequest): Hex {
  const spenderContract = hubContract(context.hub, "auroraAllocatorSpenderAddress");
  return hashTypedData({
    domain: allocatorSpenderDomain(allocatorChainId(context), spenderContract),
    types: SUBMIT_WITHDRAW_REQUEST_TYPES,
    primaryType: "SubmitWithdrawRequest",
    message,
  });
}

function allocatorChainId({ hub }: OracleContext): number {
  if (hub.auroraEvmChainId !== undefined) return hub.auroraEvmChainId;
  throw new InvalidStateError({
    message: "the hub file has no auroraEvmChainId",
    hint: "Complete the hub file by auroraEvmChainId.",
  });
}

function readAmount({ amount }: OwnedWithdrawalBody): bigint {
  const value = BigInt(amount);
  requireAttested(value > 0n, "Withdrawn amount must be non-zero");
  return value;
}

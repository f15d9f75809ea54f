import {
  type Address,
  concat,
  type Hex,
  isHex,
  keccak256,
  recoverMessageAddress,
  sha256,
  stringToHex,
  toHex,
} from "viem";

import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import {
  expiredWithdrawalExecutionKey,
  hubTokenId,
  type InitiatedAttestation,
  type InitiatedBody,
  type InitiationAttestation,
  type InitiationBody,
  initiationExecutionKey,
  withdrawalAddress,
  type WithdrawalAddressRequest,
  type WithdrawalAttestation,
  type WithdrawalBody,
  withdrawalExecutionKey,
} from "@crosscall/protocol/attestation";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleChain } from "../chainTable.ts";
import type { OracleContext } from "../oracleContext.ts";
import { withdrawalsNotSupported } from "../vms/rules.ts";
import type { Payout, VmChain, Withdrawal, WithdrawalStatus } from "../vms/vmChain.ts";
import { type ExecutionDraft, signExecution } from "./signedExecution.ts";

/**
 * Attests the outcome of a withdrawal. A payout burns the balance on the hub, an expired withdrawal returns the balance
 * to its owner, and a pending withdrawal has no effect.
 */
export async function attestWithdrawal(context: OracleContext, body: WithdrawalBody): Promise<WithdrawalAttestation> {
  const { chainId, withdrawal: payload, transactionId, withdrawalAddressRequest } = body;
  const { vmType } = context.chains.get(chainId);
  // One transaction has many PSBTs and therefore many ids, and each id would burn again.
  requireAttested(vmType !== "bitcoin-vm", withdrawalsNotSupported(vmType));
  const vm = context.chains.vm(chainId);
  const account = withdrawalAccountOf(context, withdrawalAddressRequest);
  const { withdrawal, payout } = decodePayload(vm, payload);
  requireSamePayout(context, body, payout);
  const { depository } = account;
  const status = await vm.readWithdrawalStatus(withdrawal, { depository, transactionId, hints: undefined });
  const { withdrawalId } = withdrawal;
  const draft = draftOutcome({ status, withdrawalId, amount: payout.amount, account, transactionId });
  return {
    message: {
      data: { chainId, withdrawal: payload, withdrawalAddressRequest },
      result: { withdrawalId, depository, status },
    },
    ...(draft === undefined ? {} : { execution: await signExecution(context, draft) }),
  };
}

/** Decodes the caller's payload. A malformed payload is an error in the request. */
function decodePayload(vm: VmChain, payload: string): { readonly withdrawal: Withdrawal; readonly payout: Payout } {
  const refuse = (reason: string): never => {
    throw new InvalidInputError({ field: "withdrawal", value: payload, reason, hint: "Pass the encoded payload." });
  };
  if (!isHex(payload)) return refuse("it is not hexadecimal");
  try {
    const withdrawal = vm.decodeWithdrawal(payload);
    return { withdrawal, payout: withdrawal.payout() };
  } catch (error) {
    if (error instanceof MalformedDataError) return refuse(error.message);
    throw error;
  }
}

/**
 * Requires that a withdrawal only affects its own account, because another recipient or currency would burn another
 * account's balance. The public oracle does not check this.
 */
function requireSamePayout(
  { chains }: OracleContext,
  { chainId, withdrawalAddressRequest: request }: WithdrawalBody,
  { currency, recipient }: Payout,
): void {
  const isSame = (a: string, b: string): boolean =>
    chains.encode(chainId, a, "withdrawal") === chains.encode(chainId, b, "withdrawalAddressRequest");
  requireAttested(
    request.chainId === chainId && isSame(currency, request.currency) && isSame(recipient, request.recipient),
    "Withdrawal does not match the withdrawal address request",
  );
}

interface WithdrawalOutcome {
  readonly status: WithdrawalStatus;
  readonly withdrawalId: string;
  readonly amount: bigint;
  readonly account: WithdrawalAccount;
  /** Transaction id as written by the caller; used only in the execution's key. */
  readonly transactionId: string | undefined;
}

/** Returns the execution for an outcome, or undefined while the withdrawal is pending. */
export function draftOutcome({
  status,
  withdrawalId,
  amount,
  account: { address, ownerAlias, tokenId },
  transactionId,
}: WithdrawalOutcome): ExecutionDraft | undefined {
  switch (status) {
    case 0:
      return undefined;
    case 1:
      return {
        idempotencyKey: withdrawalExecutionKey(withdrawalId, transactionId),
        actions: [{ type: "burn", from: address, tokenId, amount }],
      };
    case 2:
      return {
        idempotencyKey: expiredWithdrawalExecutionKey(withdrawalId, transactionId),
        actions: [{ type: "transfer", from: address, to: ownerAlias, tokenId, amount }],
      };
  }
}

/** Attests that an owner's balance is transferred to the withdrawal's account. */
export async function attestInitiation(context: OracleContext, body: InitiationBody): Promise<InitiationAttestation> {
  const { requestPeerSignatures: _, ...data } = body;
  const { hub, hubReader } = context;
  requireHub(context, body);
  const account = withdrawalAccountOf(context, body);
  const amount = BigInt(body.expectedAmount);
  await requireOwnerSignature(context, body, account);
  const balance = await hubReader.balanceOf(account.ownerAlias, account.tokenId);
  requireAttested(balance >= amount, "Insufficient initial withdrawal balance");
  return {
    message: { data, result: { withdrawalAddress: account.address } },
    execution: await signExecution(context, {
      idempotencyKey: initiationExecutionKey(hub.id, account.tokenId, account.address),
      actions: [{ type: "transfer", from: account.ownerAlias, to: account.address, tokenId: account.tokenId, amount }],
    }),
  };
}

/** Attests that the withdrawal's account holds the amount. Returns no signature, as the public oracle does. */
export async function attestInitiated(context: OracleContext, body: InitiatedBody): Promise<InitiatedAttestation> {
  const { requestPeerSignatures: _, ...data } = body;
  requireHub(context, body);
  const { address, tokenId } = withdrawalAccountOf(context, body);
  const balance = await context.hubReader.balanceOf(address, tokenId);
  requireAttested(balance >= BigInt(body.expectedAmount), "Insufficient withdrawal address balance");
  const proofOfWithdrawalAddressBalance = packed(address, body);
  return { message: { data, result: { proofOfWithdrawalAddressBalance, withdrawalAddress: address } } };
}

function requireHub({ hub }: OracleContext, { settlementChainId }: InitiatedBody): void {
  requireAttested(settlementChainId === hub.id, `Chain ${settlementChainId} is not available`);
}

async function requireOwnerSignature(
  { chains }: OracleContext,
  body: InitiationBody,
  { ownerAlias }: WithdrawalAccount,
): Promise<void> {
  const { withdrawer, withdrawerChainId, signature } = body;
  const { vmType } = chains.get(withdrawerChainId);
  requireAttested(vmType === "ethereum-vm", "Only 'ethereum-vm' signatures are supported");
  // Signatures for version 1 of the route cover neither recipient nor currency, so anyone who sees a signature can
  // reuse it. Callers send it only to oracles. Later versions sign all fields.
  const raw = sha256(stringToHex(keccak256(packed(ownerAlias, body))));
  let signer: string | undefined;
  try {
    if (isHex(signature)) signer = await recoverMessageAddress({ message: { raw }, signature });
  } catch {
    // The signature is not a point on the curve.
  }
  if (signer?.toLowerCase() === withdrawer.toLowerCase()) return;
  throw new AttestationRefusedError("Invalid signature. Can't trigger withdrawal");
}

/** Packs an account with the amount and the nonce of a withdrawal. */
function packed(address: Hex, { expectedAmount, withdrawalNonce }: InitiatedBody): Hex {
  return concat([address, toHex(BigInt(expectedAmount), { size: 32 }), toHex(BigInt(withdrawalNonce), { size: 32 })]);
}

export interface WithdrawalAccount {
  /** Account that holds the balance during the withdrawal. */
  readonly address: Address;
  /** The withdrawer's account. */
  readonly ownerAlias: Address;
  readonly tokenId: bigint;
  /** Depository as written in the configuration. */
  readonly depository: string;
}

/** @throws {@link AttestationRefusedError} if a chain is not available, or does not have the depository */
export function withdrawalAccountOf(
  { chains }: OracleContext,
  request: WithdrawalAddressRequest & { readonly depository?: string },
): WithdrawalAccount {
  const { chainId, currency, withdrawer, withdrawerChainId, recipient, withdrawalNonce } = request;
  const chain = chains.get(chainId);
  const { codec } = chain;
  const depository = depositoryOf(chain, request.depository);
  const ownerAlias = chains.alias(withdrawerChainId, withdrawer);
  const encodedCurrency = codec.encodeAddress(currency, "currency");
  return {
    address: withdrawalAddress({
      chainId,
      currency: encodedCurrency,
      ownerAlias,
      nonce: BigInt(withdrawalNonce),
      depository: codec.encodeAddress(depository, "depository"),
      recipient: codec.encodeAddress(recipient, "recipient"),
    }),
    ownerAlias,
    tokenId: hubTokenId(chainId, encodedCurrency),
    depository,
  };
}

/**
 * Returns the requested depository, or the chain's primary depository.
 *
 * @throws {@link AttestationRefusedError} if the chain does not have it
 */
export function depositoryOf({ config, codec }: OracleChain, requested?: string): string {
  const { id, depository, additionalDepositories = [] } = config;
  if (requested === undefined) {
    if (depository === undefined) throw new AttestationRefusedError("Chain has no depository configured");
    return depository;
  }
  const encoded = codec.encodeAddress(requested, "depository");
  const known = [...(depository === undefined ? [] : [depository]), ...additionalDepositories];
  const found = known.find((other) => codec.encodeAddress(other, "depository") === encoded);
  if (found !== undefined) return found;
  throw new AttestationRefusedError(`Depository ${requested} is not configured for chain ${id}`);
}

import { isHex } from "viem";

import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import {
  expiredWithdrawalExecutionKey,
  type WithdrawalAttestation,
  type WithdrawalBody,
  withdrawalExecutionKey,
} from "@crosscall/protocol/attestation";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { Payout, VmChain, Withdrawal, WithdrawalStatus } from "../vms/vmChain.ts";
import { withdrawalsNotSupported } from "../vms/limits.ts";
import { type ExecutionDraft, signExecution } from "./signedExecution.ts";
import { type WithdrawalAccount, withdrawalAccountOf } from "./withdrawalAccount.ts";

/**
 * Attests the outcome of a withdrawal: a payout burns the balance on the hub, an expired withdrawal returns it to its
 * owner, a pending one does nothing (spec 5, sections 2 and 8).
 */
export async function attestWithdrawal(context: OracleContext, body: WithdrawalBody): Promise<WithdrawalAttestation> {
  const { chainId, withdrawal: payload, transactionId, withdrawalAddressRequest } = body;
  const { vmType } = context.chains.get(chainId);
  // One transaction has many PSBTs, so many ids, each of which would burn once more.
  requireAttested(vmType !== "bitcoin-vm", withdrawalsNotSupported(vmType));
  const vm = context.chains.vm(chainId);
  const account = withdrawalAccountOf(context, withdrawalAddressRequest);
  const { withdrawal, payout } = decodePayload(vm, payload);
  requireSamePayout(context, body, payout);
  const status = await vm.readWithdrawalStatus(withdrawal, { transactionId, hints: undefined });
  const { withdrawalId } = withdrawal;
  const draft = draftOutcome({ status, withdrawalId, amount: payout.amount, account, transactionId });
  return {
    message: {
      data: { chainId, withdrawal: payload, withdrawalAddressRequest },
      result: { withdrawalId, depository: account.depository, status },
    },
    ...(draft === undefined ? {} : { execution: await signExecution(context, draft) }),
  };
}

/** The caller's, so that a malformed one is no failure of this oracle. */
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
 * A withdrawal may only affect its own account: with another recipient or currency, another account's balance would be
 * burned. The public oracle does not check this.
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

export interface WithdrawalOutcome {
  readonly status: WithdrawalStatus;
  readonly withdrawalId: string;
  readonly amount: bigint;
  readonly account: WithdrawalAccount;
  /** As the caller wrote it; only a part of the execution's key. */
  readonly transactionId: string | undefined;
}

/** Nothing while pending. */
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

import { isHex } from "viem";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import {
  expiredWithdrawalExecutionKey,
  withdrawalExecutionKey,
} from "@crosscall/sdk/internal/protocol/attestation/execution";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type {
  WithdrawalAttestation,
  WithdrawalBody,
} from "@crosscall/sdk/internal/protocol/attestation/messages/withdrawals";
import type { Payout, WithdrawalStatus } from "../vms/vmChain.ts";
import { type ExecutionDraft, signExecution } from "./signedExecution.ts";
import { type WithdrawalAccount, withdrawalAccountOf } from "./withdrawalAccount.ts";

/**
 * Attests what became of a withdrawal: what was paid out is destroyed on the hub, what was not in time goes back to its
 * owner, and one that is pending leads to nothing (spec 5, sections 2 and 8).
 */
export async function attestWithdrawal(context: OracleContext, body: WithdrawalBody): Promise<WithdrawalAttestation> {
  const { chainId, withdrawal: payload, transactionId, withdrawalAddressRequest } = body;
  const vm = context.chains.vm(chainId);
  const account = withdrawalAccountOf(context, withdrawalAddressRequest);
  if (!isHex(payload)) {
    const reason = "it is no hex";
    throw new InvalidInputError({ field: "withdrawal", value: payload, reason, hint: "Give the encoded payload." });
  }
  const withdrawal = vm.decodeWithdrawal(payload);
  const payout = withdrawal.payout();
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

/**
 * A withdrawal may only touch the account that belongs to it: with another recipient or currency somebody else's balance
 * would be destroyed for what they never got. The public oracle does not look at this.
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

/** What became of a withdrawal. */
export interface WithdrawalOutcome {
  readonly status: WithdrawalStatus;
  readonly withdrawalId: string;
  readonly amount: bigint;
  readonly account: WithdrawalAccount;
  /** As the caller wrote it: no more than a part of the execution's key. */
  readonly transactionId: string | undefined;
}

/** What the hub is to do about a withdrawal; nothing while it is pending. */
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

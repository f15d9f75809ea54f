import { isHex } from "viem";

import { InvalidInputError } from "../../core/errors.ts";
import { expiredWithdrawalExecutionKey, withdrawalExecutionKey } from "../../protocol/attestation/execution.ts";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { WithdrawalAttestation, WithdrawalBody } from "../../protocol/attestation/messages/withdrawals.ts";
import type { Withdrawal, WithdrawalStatus } from "../vms/vmChain.ts";
import { type ExecutionDraft, signExecution } from "./signedExecution.ts";
import { type WithdrawalAccount, withdrawalAccountOf } from "./withdrawalAccount.ts";

/**
 * Attests what became of a withdrawal: what was paid out is destroyed on the hub, what was not in time goes back to its
 * owner, and one that is pending leads to nothing (ORACLE-FACTS, sections 2 and 8).
 */
export async function attestWithdrawal(context: OracleContext, body: WithdrawalBody): Promise<WithdrawalAttestation> {
  const { chainId, withdrawal: payload, transactionId, withdrawalAddressRequest } = body;
  const vm = context.chains.vm(chainId);
  const account = withdrawalAccountOf(context, withdrawalAddressRequest);
  if (!isHex(payload)) {
    const reason = "it is no hex";
    throw new InvalidInputError({ field: "withdrawal", value: payload, reason, cure: "Give the encoded payload." });
  }
  const withdrawal = vm.decodeWithdrawal(payload);
  requireSamePayout(context, body, withdrawal);
  const status = await vm.readWithdrawalStatus(withdrawal);
  const { withdrawalId } = withdrawal;
  const draft = draftExecution(status, withdrawal, account, transactionId);
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
  { currency, recipient }: Withdrawal,
): void {
  const isSame = (a: string, b: string): boolean =>
    chains.encode(chainId, a, "withdrawal") === chains.encode(chainId, b, "withdrawalAddressRequest");
  requireAttested(
    request.chainId === chainId && isSame(currency, request.currency) && isSame(recipient, request.recipient),
    "Withdrawal does not match the withdrawal address request",
  );
}

function draftExecution(
  status: WithdrawalStatus,
  { withdrawalId, amount }: Withdrawal,
  { address, ownerAlias, tokenId }: WithdrawalAccount,
  transactionId: string | undefined,
): ExecutionDraft | undefined {
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

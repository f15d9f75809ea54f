import type { WithdrawalStatusAttestation, WithdrawalV2Body } from "@crosscall/protocol/attestation";
import type { OracleContext } from "../oracleContext.ts";
import { ownedAccountOf, requireOwnedWithdrawal, submitRequestOf } from "./ownedWithdrawal.ts";
import { readSignedPayload } from "./readSignedPayload.ts";
import { signExecution } from "./signedExecution.ts";
import { draftOutcome } from "./withdrawal.ts";

/** Attests the outcome of a withdrawal through the allocator v2; it is pending until signed (spec 5, section 4). */
export async function attestWithdrawalV2(
  context: OracleContext,
  body: WithdrawalV2Body,
): Promise<WithdrawalStatusAttestation> {
  const { chainId, transactionId, hints } = body;
  await requireOwnedWithdrawal(context, body, "/attestations/depository-withdrawals/v2");
  const vm = context.chains.vm(chainId);
  const account = ownedAccountOf(context, body);
  const payload = await readSignedPayload(
    context,
    submitRequestOf(context, body, account),
    context.chains.get(chainId).vmType,
    (built) => vm.decodeWithdrawal(built).hashCount ?? 1,
  );
  if (payload === undefined) return { status: 0 };
  const withdrawal = vm.decodeWithdrawal(payload);
  const status = await vm.readWithdrawalStatus(withdrawal, { transactionId, hints });
  const executedId = status === 1 ? await vm.readExecutedId?.(withdrawal, { transactionId, hints }) : undefined;
  const withdrawalId = executedId ?? withdrawal.withdrawalId;
  const { amount } = withdrawal.payout();
  const draft = draftOutcome({ status, withdrawalId, amount, account, transactionId });
  return { status, ...(draft === undefined ? {} : { execution: await signExecution(context, draft) }) };
}

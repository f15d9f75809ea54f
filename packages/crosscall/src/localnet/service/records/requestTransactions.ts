import type { IntentStatus } from "@crosscall/protocol/complete";
import { NO_REASON } from "@crosscall/protocol/schema";
import type { RequestRow, RequestState } from "../../store/requests/requests.ts";
import type { ListedTransaction } from "../../store/transactions.ts";

export interface RequestTransactions {
  readonly deposit: ListedTransaction | undefined;
  readonly fill: ListedTransaction | undefined;
  readonly refund: ListedTransaction | undefined;
  /** Refund of what a strict deposit address got above its order. */
  readonly excess: ListedTransaction | undefined;
  /** Withdrawal of a kept deposit to the recovery address. */
  readonly recovery: ListedTransaction | undefined;
  readonly payment: ListedTransaction | undefined;
}

export function selectTransactions(request: RequestRow, rows: readonly ListedTransaction[]): RequestTransactions {
  const find = (purpose: ListedTransaction["purpose"]): ListedTransaction | undefined =>
    rows.find((row) => row.request_id === request.id && row.purpose === purpose);
  return {
    deposit: find("deposit"),
    fill: find("fill"),
    refund: find("refund"),
    excess: find("excess"),
    recovery: find("recovery"),
    payment: find("payment"),
  };
}

/** The rule of the live service: only failures and refunds have a reason, which is `UNKNOWN` if nothing else. */
export function toReasons(
  { fail_reason, refund_fail_reason }: Pick<RequestRow, "fail_reason" | "refund_fail_reason">,
  status: RequestRow["status"],
): Required<Pick<IntentStatus, "failReason" | "refundFailReason">> {
  const hasReason = status === "failure" || status === "refund";
  return {
    failReason: hasReason ? (fail_reason ?? "UNKNOWN") : NO_REASON,
    refundFailReason: refund_fail_reason ?? NO_REASON,
  };
}

/** Spec 1, section 4.3. */
export function toIntentStatus(
  request: Omit<RequestState, "transactions">,
  transactions: RequestState["transactions"],
): IntentStatus {
  const hashesOf = (...purposes: readonly ListedTransaction["purpose"][]): string[] =>
    purposes.flatMap((purpose) => transactions.find((row) => row.purpose === purpose)?.hash ?? []);
  return {
    status: request.status,
    ...(request.fail_reason === null ? {} : { details: detailsOf(request) }),
    ...toReasons(request, request.status),
    inTxHashes: hashesOf("deposit"),
    txHashes: hashesOf("fill", "refund", "excess", "recovery"),
    updatedAt: request.updated_at.getTime(),
    quoteCreatedAt: request.created_at.getTime(),
    originChainId: request.origin_chain_id,
    destinationChainId: request.destination_chain_id,
  };
}

function detailsOf({ fail_reason, fail_details }: Pick<RequestRow, "fail_reason" | "fail_details">): string | null {
  return fail_details === null ? fail_reason : `${fail_reason}: ${fail_details}`;
}

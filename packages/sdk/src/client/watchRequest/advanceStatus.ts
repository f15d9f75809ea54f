import type { IntentStatus, RequestStatus } from "@crosscall/protocol/request";
import type { StatusEvent } from "@crosscall/protocol/request/events";
import { isPresent, isUnknownValue, NO_REASON, REQUEST_STATUSES, type UnknownValue } from "@crosscall/protocol/schema";

/** Order of the statuses. A failure can still become a refund, or a success after another attempt. */
const RANKS: Readonly<Record<RequestStatus, number>> = {
  waiting: 0,
  depositing: 1,
  pending: 2,
  submitted: 3,
  failure: 4,
  refund: 5,
  success: 5,
};

/** Statuses of a pending refund, after a failure. */
const REFUND_LEG: readonly (RequestStatus | UnknownValue)[] = ["pending", "submitted"];

/**
 * Whether a status is newer. Statuses from several sources can be late, repeated or out of order. Compares the times of
 * change if both statuses have such a time, and otherwise the ranks.
 */
export function isProgress(known: IntentStatus | undefined, next: IntentStatus): boolean {
  if (known === undefined) return true;
  if (known.status === "success" || known.status === "refund") return false;
  if (isPresent(known.updatedAt) && isPresent(next.updatedAt) && known.updatedAt !== next.updatedAt) {
    return next.updatedAt > known.updatedAt;
  }
  if (rankOf(next.status) > rankOf(known.status)) return true;
  // Without times, only a refund after a failure can have a lower rank.
  return !isPresent(next.updatedAt) && known.status === "failure" && REFUND_LEG.includes(next.status);
}

/** Returns the rank of a status. An unknown status ranks before every final status. */
function rankOf(status: RequestStatus | UnknownValue): number {
  return isUnknownValue(REQUEST_STATUSES, status) ? RANKS.submitted : RANKS[status];
}

export function toIntentStatus({ data }: StatusEvent): IntentStatus {
  const { status, inTxHashes, txHashes, updatedAt, originChainId, destinationChainId, failReason, refundFailReason } =
    data;
  const details = data.details ?? (failReason === NO_REASON ? undefined : failReason);
  return {
    status,
    ...(isPresent(details) ? { details } : {}),
    ...(failReason === undefined ? {} : { failReason }),
    ...(refundFailReason === undefined ? {} : { refundFailReason }),
    inTxHashes: inTxHashes ?? [],
    txHashes: txHashes ?? [],
    updatedAt,
    originChainId,
    destinationChainId,
  };
}

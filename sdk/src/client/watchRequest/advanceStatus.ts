import type { IntentStatus } from "../../protocol/request/intentStatus.ts";
import { isUnknownValue, type UnknownValue } from "../../protocol/schema/unknownValue.ts";
import { isPresent } from "../../protocol/schema/readResponse.ts";
import type { RequestStatus } from "../../protocol/request/requestStatus.ts";
import { REQUEST_STATUSES } from "../../protocol/schema/values.ts";

/** How far a request is. A failure may still turn into a refund, or into a success by another try. */
const RANKS: Readonly<Record<RequestStatus, number>> = {
  waiting: 0,
  depositing: 1,
  pending: 2,
  submitted: 3,
  failure: 4,
  refund: 5,
  success: 5,
};

/** Statuses of a refund that is on its way, when they come after a failure. */
const REFUND_LEG: readonly (RequestStatus | UnknownValue)[] = ["pending", "submitted"];

/**
 * Whether a status follows the one that is known. Statuses come from several sources, late, twice and out of order: the
 * time of the change decides where both tell it, else how far they are.
 */
export function isProgress(known: IntentStatus | undefined, next: IntentStatus): boolean {
  if (known === undefined) return true;
  if (known.status === "success" || known.status === "refund") return false;
  if (isPresent(known.updatedAt) && isPresent(next.updatedAt) && known.updatedAt !== next.updatedAt) {
    return next.updatedAt > known.updatedAt;
  }
  if (rankOf(next.status) > rankOf(known.status)) return true;
  // Without times, a step back is the refund leg of a failure only.
  return !isPresent(next.updatedAt) && known.status === "failure" && REFUND_LEG.includes(next.status);
}

/** A status that this version does not know comes before every end. */
function rankOf(status: RequestStatus | UnknownValue): number {
  return isUnknownValue(REQUEST_STATUSES, status) ? RANKS.submitted : RANKS[status];
}

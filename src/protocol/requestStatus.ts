import type { Static } from "typebox";

import type { Other } from "./other.ts";
import { oneOf, oneOfOrOther } from "./schemaParts.ts";

/** Statuses of a request in v3 (spec 1, section 3), in the order in which a request passes them. */
export const REQUEST_STATUSES = [
  "waiting",
  "depositing",
  "pending",
  "submitted",
  "success",
  "failure",
  "refund",
] as const;

/** Schema of the `status` of an answer. */
export const RequestStatusSchema = oneOfOrOther(
  REQUEST_STATUSES,
  "waiting: deposit not yet indexed; depositing; pending: deposit confirmed, fill being prepared; " +
    "submitted: fill sent; success, failure and refund are final.",
);

/** Status of a request in v3. */
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/**
 * Statuses of the v2 response schema (spec 1, section 3). The migration notes also name `delayed`, which the schema
 * does not have.
 */
export const REQUEST_STATUSES_V2 = ["refund", "waiting", "depositing", "failure", "pending", "success"] as const;

/** Status of a request in v2. */
export type RequestStatusV2 = (typeof REQUEST_STATUSES_V2)[number];

/** Values that the `status` filter of both listings takes (spec 1, section 3). */
export const STATUS_FILTERS = ["success", "failure", "refund", "pending", "depositing"] as const;

/** Schema of the `status` filter. */
export const StatusFilterSchema = oneOf(STATUS_FILTERS, "Only requests of this status.");

/** A value of the `status` filter. */
export type StatusFilter = Static<typeof StatusFilterSchema>;

/** Statuses that no other follows (PROTOCOL, section 4). */
export const TERMINAL_STATUSES = ["success", "failure", "refund"] as const satisfies readonly RequestStatus[];

/** A status that no other follows. */
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** Whether a request of this status is at its end; one of an unknown status is not. */
export function isTerminalStatus(status: RequestStatus | Other): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

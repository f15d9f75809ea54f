import { doc } from "#doc";
import type { Static } from "typebox";

import { oneOf, oneOfOrUnknown, type UnknownValue } from "../schema/schemaParts.ts";
import { REQUEST_STATUSES, STATUS_FILTERS } from "../schema/values.ts";

export const RequestStatusSchema = oneOfOrUnknown(
  REQUEST_STATUSES,
  doc(
    "waiting: deposit not yet indexed; depositing; pending: deposit confirmed, fill being prepared; " +
      "submitted: fill sent; success, failure and refund are final.",
  ),
);

/** Status of a request in v3. */
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const StatusFilterSchema = oneOf(STATUS_FILTERS, doc("Status that requests must have."));

export type StatusFilter = Static<typeof StatusFilterSchema>;

/** Statuses that are final (spec 4, section 4). */
export const TERMINAL_STATUSES = ["success", "failure", "refund"] as const satisfies readonly RequestStatus[];

/** A final status. */
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** Returns whether a request with this status has ended. Returns false for an unknown status. */
export function isTerminalStatus(status: RequestStatus | UnknownValue): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

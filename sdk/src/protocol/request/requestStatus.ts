import * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";
import { nullable, oneOf, oneOfOrUnknown } from "../schema/schemaParts.ts";
import type { UnknownValue } from "../schema/unknownValue.ts";
import { REQUEST_STATUSES, STATUS_FILTERS } from "../schema/values.ts";
import { FailReasonSchema, RefundFailReasonSchema } from "./failReasons.ts";

export const RequestStatusSchema = oneOfOrUnknown(
  REQUEST_STATUSES,
  "waiting: deposit not yet indexed; depositing; pending: deposit confirmed, fill being prepared; " +
    "submitted: fill sent; success, failure and refund are final.",
);

/** Status of a request in v3. */
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const StatusFilterSchema = oneOf(STATUS_FILTERS, "Only requests of this status.");

export type StatusFilter = Type.Static<typeof StatusFilterSchema>;

/** Spec 4, section 4. */
export const TERMINAL_STATUSES = ["success", "failure", "refund"] as const satisfies readonly RequestStatus[];

/** A status that no other status follows. */
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** Returns whether a request with this status has ended. An unknown status has not. */
export function isTerminalStatus(status: RequestStatus | UnknownValue): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

/**
 * Schema of the response of `GET /intents/status/v3` (spec 1, section 4.3; spec 4, section 4). Only `status` is
 * required: a waiting request has no transactions yet.
 */
export const IntentStatusSchema = Type.Object(
  {
    status: RequestStatusSchema,
    details: Type.Optional(nullable(Type.String({ description: "More about the outcome." }))),
    failReason: Type.Optional(nullable(FailReasonSchema)),
    refundFailReason: Type.Optional(nullable(RefundFailReasonSchema)),
    inTxHashes: Type.Optional(Type.Array(Type.String(), { description: "On the origin chain." })),
    txHashes: Type.Optional(Type.Array(Type.String(), { description: "On the destination chain." })),
    updatedAt: Type.Optional(Type.Integer({ description: "Unix time in milliseconds." })),
    quoteCreatedAt: Type.Optional(Type.Integer({ description: "Unix time in milliseconds." })),
    originChainId: Type.Optional(Type.Integer()),
    destinationChainId: Type.Optional(Type.Integer()),
  },
  { description: "The status of a request." },
);

/** Status of a request. Only `status` is always present. */
export type IntentStatus = ReadResponse<typeof IntentStatusSchema> & { status: RequestStatus | UnknownValue };

import * as Type from "typebox";

import type { UnknownValue } from "../schema/unknownValue.ts";
import { type RequestStatus, RequestStatusSchema } from "./requestStatus.ts";
import { ToldFailReasonSchema, ToldRefundFailReasonSchema } from "./failReasons.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import { nullable } from "../schema/schemaParts.ts";

/**
 * Schema of the response of `GET /intents/status/v3` (spec 1, section 4.3; spec 4, section 4). Only `status` is
 * required: a waiting request has no transactions yet.
 */
export const IntentStatusSchema = Type.Object(
  {
    status: RequestStatusSchema,
    details: Type.Optional(nullable(Type.String({ description: "More about the outcome." }))),
    failReason: Type.Optional(nullable(ToldFailReasonSchema)),
    refundFailReason: Type.Optional(nullable(ToldRefundFailReasonSchema)),
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

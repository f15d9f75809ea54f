import { doc } from "#doc";
import type * as Type from "typebox";

import { nullable, type UnknownValue } from "../schema/schemaParts.ts";
import { type RequestStatus, RequestStatusSchema } from "./requestStatus.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import * as T from "../schema/type.ts";
import { ToldFailReasonSchema, ToldRefundFailReasonSchema } from "./toldFailReasons.ts";

/**
 * Schema of the response of `GET /intents/status/v3` (spec 1, section 4.3; spec 4, section 4). Only `status` is
 * required, because a waiting request has no transactions yet.
 */
export const IntentStatusSchema = T.Object(
  {
    status: RequestStatusSchema,
    details: T.Optional(nullable(T.String({ description: doc("More about the outcome.") }))),
    failReason: T.Optional(nullable(ToldFailReasonSchema)),
    refundFailReason: T.Optional(nullable(ToldRefundFailReasonSchema)),
    inTxHashes: T.Optional(T.Array(T.String(), { description: doc("On the origin chain.") })),
    txHashes: T.Optional(T.Array(T.String(), { description: doc("On the destination chain.") })),
    updatedAt: T.Optional(T.Integer({ description: doc("Unix time in milliseconds.") })),
    quoteCreatedAt: T.Optional(T.Integer({ description: doc("Unix time in milliseconds.") })),
    originChainId: T.Optional(T.Integer()),
    destinationChainId: T.Optional(T.Integer()),
  },
  { description: doc("The status of a request.") },
) satisfies Type.TObject;

/** Status of a request. Only `status` is always present. */
export type IntentStatus = ReadResponse<typeof IntentStatusSchema> & { status: RequestStatus | UnknownValue };

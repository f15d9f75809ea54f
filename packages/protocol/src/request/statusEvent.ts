import { doc } from "#doc";
import type * as Type from "typebox";

import { MalformedDataError } from "../core/errors.ts";
import { isObject } from "../schema/json.ts";
import { nullable, type UnknownValue } from "../schema/schemaParts.ts";
import { type Received, readResponse, requireField, type WithUnreadable } from "../schema/readResponse.ts";
import { type RequestStatus, RequestStatusSchema } from "./requestStatus.ts";
import { DepositAddressTypeSchema } from "../common/depositAddressType.ts";
import * as T from "../schema/type.ts";
import { ToldFailReasonSchema, ToldRefundFailReasonSchema } from "./toldFailReasons.ts";

/** Name of the event (spec 4, section 4). */
export const STATUS_EVENT = "request.status.updated";

/** In v3 records, `depositAddressType` is named `type`. */
const EventDepositAddressSchema = T.Object({
  address: T.String(),
  depositAddressType: T.Optional(nullable(DepositAddressTypeSchema)),
  depositor: T.Optional(nullable(T.String())),
  depositTxHash: T.Optional(nullable(T.String({ description: doc("Payer's transfer to the address.") }))),
});

/** Schema of the event's data (spec 4, section 4). */
export const StatusUpdateSchema = T.Object(
  {
    requestId: T.String(),
    status: RequestStatusSchema,
    inTxHashes: T.Optional(nullable(T.Array(T.String(), { description: doc("On the origin chain.") }))),
    txHashes: T.Optional(nullable(T.Array(T.String(), { description: doc("On the destination chain.") }))),
    updatedAt: T.Integer({ description: doc("Unix time in milliseconds.") }),
    originChainId: T.Integer(),
    destinationChainId: T.Integer(),
    depositAddress: T.Optional(nullable(EventDepositAddressSchema)),
    referrer: T.Optional(nullable(T.String())),
    details: T.Optional(nullable(T.String({ description: doc("More about the outcome.") }))),
    failReason: T.Optional(nullable(ToldFailReasonSchema)),
    refundFailReason: T.Optional(nullable(ToldRefundFailReasonSchema)),
  },
  { description: doc("New status of a request.") },
);

/** Schema of the event's data. Only `requestId` and `status` are always set. */
export type StatusUpdate = Received<Type.Static<typeof StatusUpdateSchema>> & {
  requestId: string;
  status: RequestStatus | UnknownValue;
};

/** Body of a webhook, and message of a websocket. */
export const StatusEventSchema = T.Object({
  event: T.Literal(STATUS_EVENT),
  timestamp: T.Optional(T.Integer({ description: doc("Unix time in milliseconds when the event was sent.") })),
  publishedAt: T.Optional(
    T.Integer({ description: doc("Unix time in milliseconds when the event was sent over the websocket.") }),
  ),
  data: StatusUpdateSchema,
});

/** A status change of a request, as the service pushes it. */
export interface StatusEvent extends WithUnreadable {
  event: typeof STATUS_EVENT;
  /** Unix time in milliseconds when the event was sent. */
  timestamp?: number | null | undefined;
  /** Unix time in milliseconds when the event was sent over the websocket. */
  publishedAt?: number | null | undefined;
  data: StatusUpdate;
}

/**
 * Parses a status event. In older events, the deposit address is a string, which becomes an object with only `address`.
 * @param what name of the data in errors: `the webhook`
 * @throws {@link MalformedDataError} when the event has another type, or the request's id or status is missing
 */
export function readStatusEvent(raw: unknown, what: string): StatusEvent {
  const event = readResponse(StatusEventSchema, withAddressObject(raw));
  // An unknown event name fails as a literal and is listed as unreadable.
  if (event.event !== STATUS_EVENT) {
    throw new MalformedDataError({ what, path: "event", reason: `it must be ${JSON.stringify(STATUS_EVENT)}` });
  }
  const data = requireField(event.data, what, "data");
  const requestId = requireField(data.requestId, what, "data.requestId");
  const status = requireField(data.status, what, "data.status");
  return { ...event, event: event.event, data: { ...data, requestId, status } };
}

function withAddressObject(raw: unknown): unknown {
  if (!isObject(raw) || !isObject(raw.data) || typeof raw.data.depositAddress !== "string") return raw;
  const { depositAddress: address } = raw.data;
  return { ...raw, data: { ...raw.data, depositAddress: address === "" ? null : { address } } };
}

import * as Type from "typebox";

import { RequestStatusSchema } from "./requestStatus.ts";
import { nullable } from "./schemaParts.ts";

/** The event that tells of a request's new status (PROTOCOL, section 4). */
export const STATUS_EVENT = "request.status.updated";

/** Schema of what the event tells (PROTOCOL, section 4). */
export const StatusUpdateSchema = Type.Object(
  {
    requestId: Type.String(),
    status: RequestStatusSchema,
    inTxHashes: Type.Optional(nullable(Type.Array(Type.String(), { description: "On the origin chain." }))),
    txHashes: Type.Optional(nullable(Type.Array(Type.String(), { description: "On the destination chain." }))),
    updatedAt: Type.Integer({ description: "Unix time in milliseconds." }),
    originChainId: Type.Integer(),
    destinationChainId: Type.Integer(),
    depositAddress: Type.Optional(nullable(Type.String())),
    referrer: Type.Optional(nullable(Type.String())),
    details: Type.Optional(nullable(Type.String({ description: "More about the outcome." }))),
    failReason: Type.Optional(nullable(Type.String())),
    refundFailReason: Type.Optional(nullable(Type.String())),
  },
  { description: "The new status of a request." },
);

/** What the event tells. */
export type StatusUpdate = Type.Static<typeof StatusUpdateSchema>;

/** Schema of a webhook's body, and of the message of a websocket: the event with its data. */
export const StatusEventSchema = Type.Object({
  event: Type.Literal(STATUS_EVENT),
  timestamp: Type.Optional(Type.Integer({ description: "When it was sent, Unix time in milliseconds." })),
  data: StatusUpdateSchema,
});

/** A request's new status, as the service pushes it. */
export type StatusEvent = Type.Static<typeof StatusEventSchema>;

import { doc } from "#doc";
import type * as Type from "typebox";

import { type ReadResponse, readResponse } from "../schema/readResponse.ts";
import { oneOfOrUnknown } from "../schema/schemaParts.ts";
import { STATUS_EVENT } from "./statusEvent.ts";
import * as T from "../schema/type.ts";

const subscription = {
  event: T.Literal(STATUS_EVENT),
  filters: T.Object({ id: T.String({ description: doc("The request's id.") }) }),
};

/** Spec 4, section 4. Without filters, all subscriptions end. */
export const WebsocketCommandSchema = T.Union([
  T.Object({ type: T.Literal("subscribe"), ...subscription }),
  T.Object({
    type: T.Literal("unsubscribe"),
    event: T.Optional(subscription.event),
    filters: T.Optional(subscription.filters),
  }),
]);

export type WebsocketCommand = Type.Static<typeof WebsocketCommandSchema>;

/** The service accepts commands from now on. */
export const WebsocketReadySchema = T.Object({
  type: T.Literal("connection"),
  status: T.Literal("ready"),
  data: T.Object({ id: T.String({ description: doc("The connection's id.") }) }),
});

export type WebsocketReady = Type.Static<typeof WebsocketReadySchema>;

export const WebsocketAnswerSchema = T.Object({
  type: T.Union([T.Literal("subscribe"), T.Literal("unsubscribe")]),
  status: T.String({ description: doc("success, when it is done.") }),
  data: T.Optional(
    T.Object({
      event: T.Optional(T.String()),
      filters: T.Optional(subscription.filters),
    }),
  ),
  message: T.Optional(T.String({ description: doc("Why it is not done.") })),
});

export type WebsocketAnswer = Type.Static<typeof WebsocketAnswerSchema>;

/** `type` and `status` identify a message; status events have neither. */
export type WebsocketMessageKind = ReadResponse<typeof MessageKindSchema>;

const MessageKindSchema = T.Object({
  type: oneOfOrUnknown(["connection", "subscribe", "unsubscribe"], doc("Which message it is.")),
  status: oneOfOrUnknown(["ready", "success"], doc("How it went.")),
});

/** Classifies a websocket message of the service. */
export function readWebsocketMessage(raw: unknown): WebsocketMessageKind {
  return readResponse(MessageKindSchema, raw);
}

/** Close codes of the local service; the live ones are unknown. 4000 to 4999 are private (RFC 6455, section 7.4.2). */
export const WEBSOCKET_CLOSE_CODES = {
  /** The API key is missing or unknown. */
  unauthorized: 4_401,
  /** The client reads slower than events arrive. */
  tooSlow: 4_408,
  tooManyConnections: 4_429,
} as const;

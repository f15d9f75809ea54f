import * as Type from "typebox";

import { type ReadResponse, readResponse } from "../schema/readResponse.ts";
import { oneOfOrUnknown } from "../schema/schemaParts.ts";
import { STATUS_EVENT } from "./statusEvent.ts";

const subscription = {
  event: Type.Literal(STATUS_EVENT),
  filters: Type.Object({ id: Type.String({ description: "The request's id." }) }),
};

/** Spec 4, section 4. Without filters, all subscriptions end. */
export const WebsocketCommandSchema = Type.Union([
  Type.Object({ type: Type.Literal("subscribe"), ...subscription }),
  Type.Object({
    type: Type.Literal("unsubscribe"),
    event: Type.Optional(subscription.event),
    filters: Type.Optional(subscription.filters),
  }),
]);

export type WebsocketCommand = Type.Static<typeof WebsocketCommandSchema>;

/** The service accepts commands from now on. */
export const WebsocketReadySchema = Type.Object({
  type: Type.Literal("connection"),
  status: Type.Literal("ready"),
  data: Type.Object({ id: Type.String({ description: "The connection's id." }) }),
});

export type WebsocketReady = Type.Static<typeof WebsocketReadySchema>;

export const WebsocketAnswerSchema = Type.Object({
  type: Type.Union([Type.Literal("subscribe"), Type.Literal("unsubscribe")]),
  status: Type.String({ description: "success, when it is done." }),
  data: Type.Optional(
    Type.Object({
      event: Type.Optional(Type.String()),
      filters: Type.Optional(subscription.filters),
    }),
  ),
  message: Type.Optional(Type.String({ description: "Why it is not done." })),
});

export type WebsocketAnswer = Type.Static<typeof WebsocketAnswerSchema>;

/** `type` and `status` identify a message; status events have neither. */
export type WebsocketMessageKind = ReadResponse<typeof MessageKindSchema>;

const MessageKindSchema = Type.Object({
  type: oneOfOrUnknown(["connection", "subscribe", "unsubscribe"], "Which message it is."),
  status: oneOfOrUnknown(["ready", "success"], "How it went."),
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

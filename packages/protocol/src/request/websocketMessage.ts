import { doc } from "#doc";

import { type ReadResponse, readResponse } from "../schema/readResponse.ts";
import { oneOfOrUnknown } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Kind of a message, which `type` and `status` identify. Status events have neither. */
export type WebsocketMessageKind = ReadResponse<typeof MessageKindSchema>;

const MessageKindSchema = T.Object({
  type: oneOfOrUnknown(["connection", "subscribe", "unsubscribe"], doc("Kind of message.")),
  status: oneOfOrUnknown(["ready", "success"], doc("Result.")),
});

/** Classifies a websocket message from the service. */
export function readWebsocketMessage(raw: unknown): WebsocketMessageKind {
  return readResponse(MessageKindSchema, raw);
}

/**
 * Close codes of the local service; the live service's codes are unknown. Codes 4000 to 4999 are for private use (RFC
 * 6455, section 7.4.2).
 */
export const WEBSOCKET_CLOSE_CODES = {
  /** The API key is missing or unknown. */
  unauthorized: 4_401,
  /** The client reads events too slowly. */
  tooSlow: 4_408,
  tooManyConnections: 4_429,
} as const;

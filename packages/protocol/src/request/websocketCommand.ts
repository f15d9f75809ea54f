import { doc } from "#doc";
import type * as Type from "typebox";

import { STATUS_EVENT } from "./statusEvent.ts";
import * as T from "../schema/type.ts";

const subscription = {
  event: T.Literal(STATUS_EVENT),
  filters: T.Object({ id: T.String({ description: doc("The request's id.") }) }),
};

/** Schema of a websocket command (spec 4, section 4). An `unsubscribe` without filters ends all subscriptions. */
export const WebsocketCommandSchema = T.Union([
  T.Object({ type: T.Literal("subscribe"), ...subscription }),
  T.Object({
    type: T.Literal("unsubscribe"),
    event: T.Optional(subscription.event),
    filters: T.Optional(subscription.filters),
  }),
]);

export type WebsocketCommand = Type.Static<typeof WebsocketCommandSchema>;

/** Schema of the message that the service sends when it accepts commands. */
export const WebsocketReadySchema = T.Object({
  type: T.Literal("connection"),
  status: T.Literal("ready"),
  data: T.Object({ id: T.String({ description: doc("The connection's id.") }) }),
});

export type WebsocketReady = Type.Static<typeof WebsocketReadySchema>;

export const WebsocketResponseSchema = T.Object({
  type: T.Union([T.Literal("subscribe"), T.Literal("unsubscribe")]),
  status: T.String({ description: doc("success when done.") }),
  data: T.Optional(
    T.Object({
      event: T.Optional(T.String()),
      filters: T.Optional(subscription.filters),
    }),
  ),
  message: T.Optional(T.String({ description: doc("Why it failed.") })),
});

export type WebsocketResponse = Type.Static<typeof WebsocketResponseSchema>;

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { createWebhookHandler } from "../../../sdk/src/index.ts";
import type { StatusEvent } from "../../../sdk/src/protocol/index.ts";

/** What a receiver does with a call that is not to succeed. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that takes webhooks with the kit's own handler. */
export interface WebhookReceiver {
  readonly url: string;
  /** The events that it took, in their order. */
  readonly events: readonly StatusEvent[];
  /** The headers of all calls, also of those that it refused. */
  readonly calls: readonly IncomingMessage["headers"][];
  /** Why it refused calls. */
  readonly errors: readonly unknown[];
  /** What it does with its next calls, one each; afterwards it takes them. */
  misbehave(...how: Misbehaviour[]): void;
  /** Resolves when something is so, looked at after each call. */
  until(isSo: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver on loopback. */
export async function startReceiver(apiKey: string, now: () => number): Promise<WebhookReceiver> {
  const events: StatusEvent[] = [];
  const calls: IncomingMessage["headers"][] = [];
  const errors: unknown[] = [];
  const misbehaviours: Misbehaviour[] = [];
  let wake: () => void = () => undefined;
  const handler = createWebhookHandler({
    apiKey,
    clock: { now },
    onEvent: (event) => void events.push(event),
    onError: (error) => errors.push(error),
  });
  const server = createServer((request, response) => {
    calls.push(request.headers);
    const misbehave = misbehaviours.shift();
    if (misbehave === undefined) void handler.node(request, response).then(() => wake());
    else misbehave(request, response);
    wake();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    events,
    calls,
    errors,
    misbehave: (...how) => void misbehaviours.push(...how),
    async until(isSo) {
      while (!isSo()) await new Promise<void>((resolve) => (wake = resolve));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { createWebhookHandler } from "../../../packages/sdk/src/index.ts";
import type { StatusEvent } from "../../../packages/protocol/src/index.ts";

/** Behavior of a receiver toward a request that must not succeed. */
export type Misbehavior = (request: IncomingMessage, response: ServerResponse) => void;

/** Server that receives webhooks with the kit's handler. */
export interface WebhookReceiver {
  readonly url: string;
  /** Accepted events, in order. */
  readonly events: readonly StatusEvent[];
  /** Headers of all requests, including rejected ones. */
  readonly calls: readonly IncomingMessage["headers"][];
  /** Errors of rejected requests. */
  readonly errors: readonly unknown[];
  /** Sets the behavior for the next requests, one for each. Later requests are accepted. */
  misbehave(...how: Misbehavior[]): void;
  /** Resolves when a condition is met. Checks the condition after each request. */
  until(isSo: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver on loopback. */
export async function startReceiver(apiKey: string, now: () => number): Promise<WebhookReceiver> {
  const events: StatusEvent[] = [];
  const calls: IncomingMessage["headers"][] = [];
  const errors: unknown[] = [];
  const misbehaviors: Misbehavior[] = [];
  let wake: () => void = () => undefined;
  const handler = createWebhookHandler({
    apiKey,
    clock: { now },
    onEvent: (event) => void events.push(event),
    onError: (error) => errors.push(error),
  });
  const server = createServer((request, response) => {
    calls.push(request.headers);
    const misbehave = misbehaviors.shift();
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
    misbehave: (...how) => void misbehaviors.push(...how),
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

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { createWebhookHandler } from "../../../packages/sdk/src/index.ts";

/** Receives the webhooks of a campaign and records them in order. */
export interface WebhookLedger {
  readonly url: string;
  /** Statuses of a request as its webhooks reported them, without consecutive duplicates. */
  statusesOf(requestId: string): readonly string[];
  /** Returns the number of deliveries, including repeats. */
  deliveries(): number;
  close(): Promise<void>;
}

/** Starts the receiver with the library's handler. A delivery with an invalid signature fails the campaign. */
export async function startWebhookLedger(apiKey: string, toleranceMs?: number): Promise<WebhookLedger> {
  const reported = new Map<string, string[]>();
  const refused: unknown[] = [];
  let deliveries = 0;
  const handler = createWebhookHandler({
    apiKey,
    ...(toleranceMs === undefined ? {} : { toleranceMs }),
    onError: (error) => refused.push(error),
    // The handler also reports repeated deliveries, so their order is checked too.
    rememberedEvents: 1,
    onEvent({ data: { requestId, status } }) {
      deliveries += 1;
      const statuses = reported.get(requestId) ?? [];
      if (statuses.at(-1) !== status) statuses.push(status);
      reported.set(requestId, statuses);
    },
  });
  const server = createServer((request, response) => void handler.node(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    statusesOf(requestId) {
      if (refused.length > 0) throw refused[0];
      return reported.get(requestId) ?? [];
    },
    deliveries: () => deliveries,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

import websocket from "@fastify/websocket";
import fastify from "fastify";

import { guardServer, type LocalNames } from "@crosscall/oracle/server";
import type { Log } from "../../log.ts";
import { type LedgerServer, toJson } from "../serveLedger.ts";
import type { WatchedChain } from "./subscriptions.ts";

export interface SubscriptionServerParts {
  readonly names: LocalNames;
  readonly log: Log;
  readonly port: number;
  readonly loadChain: () => Promise<WatchedChain>;
}

/** Maximum size of a client's message, above the largest subscription. */
const MESSAGE_MAX_BYTES = 16_384;

/** Serves the subscriptions of a Solana chain over websockets. */
export async function serveSubscriptions({
  names,
  log,
  port,
  loadChain,
}: SubscriptionServerParts): Promise<LedgerServer> {
  const app = fastify({ forceCloseConnections: true });
  await app.register(websocket, {
    options: { maxPayload: MESSAGE_MAX_BYTES },
    preClose(done) {
      for (const client of app.websocketServer.clients) client.terminate();
      app.websocketServer.close(done);
    },
  });
  app.get("/", { websocket: true }, (socket) => {
    const opening = (async () => {
      const [chain, { openSubscriptions }] = await Promise.all([loadChain(), import("./subscriptions.ts")]);
      return openSubscriptions(chain, (message) => socket.send(toJson(message)));
    })();
    opening.catch((error: unknown) => {
      log.error({ error }, "the subscriptions of Solana cannot be served");
      socket.terminate();
    });
    socket.on("message", (data: Buffer) => {
      opening
        .then(({ receive }) => receive(data.toString()))
        .catch((error: unknown) => {
          log.error({ error }, "a subscription of Solana failed");
          socket.terminate();
        });
    });
    socket.on("close", () => {
      opening.then(({ close }) => close()).catch(() => undefined);
    });
  });
  await app.ready();
  guardServer(app.server, names);
  await app.listen({ host: "127.0.0.1", port });
  return { url: `ws://127.0.0.1:${port}`, close: () => app.close() };
}

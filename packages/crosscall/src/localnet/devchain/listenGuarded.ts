import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { createServer, type Socket } from "node:net";

import type { JsonRpcServer } from "hardhat/types/network";

import { guardServer, type LocalNames } from "@crosscall/oracle/server";

/** Node.js publishes each server that starts to listen on this diagnostics channel. */
const CHANNEL = "tracing:net.server.listen:asyncStart";

export interface GuardedServer {
  readonly url: string;
  readonly destroyConnections: () => void;
}

/** Starts a JSON-RPC server of Hardhat, whose HTTP server is not exposed, behind the checks of callers. */
export async function listenGuarded(server: JsonRpcServer, names: LocalNames): Promise<GuardedServer> {
  const sockets = new Set<Socket>();
  const guarded: Server[] = [];
  const guard = (message: unknown): void => {
    const { server: inner } = message as { readonly server: Server };
    guardServer(inner, names);
    inner.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    guarded.push(inner);
  };
  subscribe(CHANNEL, guard);
  let listening: ReturnType<JsonRpcServer["listen"]>;
  try {
    listening = server.listen();
  } finally {
    unsubscribe(CHANNEL, guard);
  }
  const { address, port } = await listening;
  if (guarded.length === 0) {
    await server.close();
    throw new Error("Hardhat's server did not announce that it listens, so it cannot be guarded");
  }
  return {
    url: `http://${address}:${port}`,
    destroyConnections: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** Whether a server can listen on this loopback port; always true for 0. */
export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

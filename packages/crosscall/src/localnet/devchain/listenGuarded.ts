import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { createServer, type Socket } from "node:net";

import type { JsonRpcServer } from "hardhat/types/network";

import { guardServer, type LocalNames } from "@crosscall/oracle/server";

const LOOPBACK = "127.0.0.1";

/** Node.js publishes each server that starts to listen on this diagnostics channel. */
const CHANNEL = "tracing:net.server.listen:asyncStart";

/** Names and address at which a network's servers can be reached. */
export interface Reach {
  /** Accepted host names; only loopback by default. */
  readonly names?: LocalNames | undefined;
  /** IP address to listen on; loopback by default. */
  readonly listen?: string | undefined;
}

export interface GuardedServer {
  readonly url: string;
  readonly destroyConnections: () => void;
}

/** Starts a JSON-RPC server of Hardhat behind the network's access checks. Hardhat does not expose the HTTP server. */
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
    url: `http://${hostForUrl(address)}:${port}`,
    destroyConnections: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** Returns the host with which programs on this machine reach a server that listens on an IP address. */
export function hostForUrl(address: string): string {
  if (address === "0.0.0.0" || address === "::") return LOOPBACK;
  return address.includes(":") ? `[${address}]` : address;
}

/** Returns whether a server can listen on this port, on loopback by default. Returns true for port 0. */
export function isFreePort(port: number, address = LOOPBACK): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}

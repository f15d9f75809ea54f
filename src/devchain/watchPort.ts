import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** Node.js announces each accepted connection here. */
const CHANNEL = "net.server.socket";

export interface PortConnections {
  destroy(): void;
  stop(): void;
}

/** Tracks the connections of a server that does not expose them. */
export function watchPort(port: number): PortConnections {
  const sockets = new Set<Socket>();
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    if (socket.localPort !== port) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  subscribe(CHANNEL, note);
  return {
    destroy: () => sockets.forEach((socket) => socket.destroy()),
    stop: () => unsubscribe(CHANNEL, note),
  };
}

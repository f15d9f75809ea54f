import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** Where Node tells of each connection that a server of this process takes. */
const CHANNEL = "net.server.socket";

/** The open connections to a port of this process. */
export interface PortConnections {
  /** Breaks all of them off. */
  destroy(): void;
  /** Watches no longer. */
  stop(): void;
}

/** Watches the connections to a port whose server keeps them to itself. */
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

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";

export interface LazyServer {
  readonly url: string;
  /** Stops the started server first, then closes all connections. */
  close(): Promise<void>;
}

export interface StartedServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens a port, and starts the server behind it on the first connection, so an unused oracle costs nothing.
 *
 * @param port 0 selects a free port
 * @throws {@link InvalidStateError} if the port is in use
 */
export async function openLazyServer(port: number, start: () => Promise<StartedServer>, log: Log): Promise<LazyServer> {
  const sockets = new Set<Socket>();
  let behind: Promise<StartedServer> | undefined;
  const join = async (socket: Socket): Promise<void> => {
    behind ??= start();
    const { url } = await behind;
    const inner = connect(Number(new URL(url).port), "127.0.0.1");
    // An error on one side closes the other, so the client notices it.
    const ignore = (): void => undefined;
    pipeline(socket, inner, ignore);
    pipeline(inner, socket, ignore);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    join(socket).catch((error: unknown) => {
      log.error({ error }, "a lazily started server failed to start");
      behind = undefined;
      socket.destroy();
    });
  });
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    throw new InvalidStateError({
      message: `the oracle cannot listen on loopback port ${port}`,
      hint: "Use another port, or stop the process that uses this one.",
      cause,
    });
  }
  const address = server.address();
  const actual = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${actual}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      // A server that failed to start has nothing to close.
      const started = await behind?.catch(() => undefined);
      await started?.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

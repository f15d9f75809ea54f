import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A persistent HTTP connection. Node's HTTP client would use as much CPU as the oracle. */
export interface Connection {
  /**
   * @param message a whole HTTP request
   * @param leastBytes minimum length of the response's body; error responses are shorter
   * @throws if the status is not 200, or the response is too short
   */
  exchange(message: string, leastBytes: number): Promise<void>;
  close(): void;
}

interface Awaited {
  readonly leastBytes: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Opens a connection to a server on loopback. */
export async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let awaited: Awaited | undefined;
  let received = "";
  const fail = (error: Error): void => {
    awaited?.reject(error);
    awaited = undefined;
  };
  socket.setEncoding("latin1");
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the oracle closed a connection")));
  socket.on("data", (part: string) => {
    received += part;
    const head = received.indexOf("\r\n\r\n");
    if (head === -1 || awaited === undefined) return;
    const length = Number(/\r\ncontent-length: (\d+)/iu.exec(received)?.[1] ?? Number.NaN);
    if (received.length < head + 4 + length) return;
    const { leastBytes, resolve } = awaited;
    const isExpected = received.startsWith("HTTP/1.1 200") && length > leastBytes;
    const status = received.slice(0, received.indexOf("\r\n"));
    received = "";
    if (!isExpected) {
      fail(new Error(`the oracle returned ${status} with ${length} bytes`));
      return;
    }
    awaited = undefined;
    resolve();
  });
  return {
    exchange: (message, leastBytes) =>
      new Promise((resolve, reject) => {
        awaited = { leastBytes, resolve, reject };
        socket.write(message);
      }),
    close: () => socket.destroy(),
  };
}

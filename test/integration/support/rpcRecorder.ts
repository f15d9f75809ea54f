import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A proxy in front of a node that records calls. */
export interface RpcRecorder {
  readonly url: string;
  readonly methods: ReadonlySet<string>;
  /** The number of HTTP requests. */
  readonly count: number;
  close(): Promise<void>;
}

/** Starts a proxy in front of the node at a URL, with a delay of each call. */
export async function startRpcRecorder(target: string, delayMs = 0): Promise<RpcRecorder> {
  const methods = new Set<string>();
  let count = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      count += 1;
      const parsed = JSON.parse(body) as { method: string } | { method: string }[];
      for (const { method } of [parsed].flat()) methods.add(method);
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      const headers = { "content-type": "application/json" };
      const answer = await fetch(target, { method: "POST", headers, body });
      response.writeHead(answer.status, headers).end(await answer.text());
      // A node that is down is also down through the proxy.
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    get count() {
      return count;
    },
    async close() {
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A proxy before a node that keeps what was asked. */
export interface RpcRecorder {
  readonly url: string;
  readonly methods: ReadonlySet<string>;
  /** How many HTTP requests came. */
  readonly count: number;
  close(): Promise<void>;
}

/** Puts a proxy before the node at a URL; each call waits so long at it. */
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
      // A node that is gone is gone behind the proxy, too.
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

import { setTimeout } from "node:timers/promises";

import { postJson, serve } from "../../support/httpServer.ts";

/** Proxy for a node that records requests. */
export interface RpcRecorder {
  readonly url: string;
  readonly methods: ReadonlySet<string>;
  /** Number of HTTP requests. */
  readonly count: number;
  close(): Promise<void>;
}

/** Starts a proxy for the node at a URL, which delays each request. */
export async function startRpcRecorder(target: string, delayMs = 0): Promise<RpcRecorder> {
  const methods = new Set<string>();
  let count = 0;
  const server = await serve(async (_request, response, body) => {
    count += 1;
    const parsed = JSON.parse(body) as { method: string } | { method: string }[];
    for (const { method } of [parsed].flat()) methods.add(method);
    if (delayMs > 0) await setTimeout(delayMs);
    // A node that is down is also unreachable through the proxy.
    const answer = await postJson(target, body);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  return {
    url: server.url,
    methods,
    get count() {
      return count;
    },
    close: server.close,
  };
}

import { setTimeout } from "node:timers/promises";

import { postJson, serve } from "../../support/httpServer.ts";

/** A proxy in front of a node that records calls. */
export interface RpcRecorder {
  readonly url: string;
  readonly methods: ReadonlySet<string>;
  /** Number of HTTP requests. */
  readonly count: number;
  close(): Promise<void>;
}

/** Starts a proxy in front of the node at a URL, which delays each call. */
export async function startRpcRecorder(target: string, delayMs = 0): Promise<RpcRecorder> {
  const methods = new Set<string>();
  let count = 0;
  const server = await serve(async (_request, response, body) => {
    count += 1;
    const parsed = JSON.parse(body) as { method: string } | { method: string }[];
    for (const { method } of [parsed].flat()) methods.add(method);
    if (delayMs > 0) await setTimeout(delayMs);
    // A node that is down is also down through the proxy.
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

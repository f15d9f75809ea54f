import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/**
 * Starts a proxy for a node. Records the methods of requests. If `answerInstead` returns a response, the proxy
 * sends that response.
 */
export async function startWatchedRpcProxy(target: string, answerInstead?: (method: string) => unknown) {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    const answered = text(request).then(async (body) => {
      const parsed = JSON.parse(body) as { method: string; id: unknown } | { method: string; id: unknown }[];
      const calls = Array.isArray(parsed) ? parsed : [parsed];
      methods.push(...calls.map(({ method }) => method));
      const instead = await Promise.all(calls.map(({ method }) => answerInstead?.(method)));
      if (instead.includes("hang up")) return response.destroy();
      const found = instead.find((each) => each !== undefined);
      if (found !== undefined) {
        const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, ...(found as object) }));
        return response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]));
      }
      const answer = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
      return response.end(await answer.text());
    });
    answered.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

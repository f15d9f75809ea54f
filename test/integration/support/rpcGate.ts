import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A door before a node: calls pass, but for a method that is held. */
export interface RpcGate {
  readonly url: string;
  /** Swallows calls of a method from now on; resolves when the first one came. */
  hold(method: string): Promise<void>;
  /** Lets everything pass again. */
  release(): void;
  close(): Promise<void>;
}

/** Puts a door before the node at a URL. */
export async function startRpcGate(target: string): Promise<RpcGate> {
  let held: { readonly method: string; readonly came: () => void } | undefined;
  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      if (held !== undefined && body.includes(`"${held.method}"`)) {
        // No answer at all: the caller cannot know whether the node has the call.
        held.came();
        return;
      }
      const answer = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (method) =>
      new Promise((came) => {
        held = { method, came };
      }),
    release() {
      held = undefined;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

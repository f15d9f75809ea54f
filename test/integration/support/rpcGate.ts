import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy before a node: calls pass, but for a method that is held. */
export interface RpcGate {
  readonly url: string;
  /** Swallows calls of a method from now on; resolves when the first one came. */
  hold(method: string, options?: HoldOptions): Promise<void>;
  /** Lets everything pass again. */
  release(): void;
  close(): Promise<void>;
}

/** How a method is held. */
export interface HoldOptions {
  /** How many calls pass first; none when left out. */
  readonly after?: number;
  /** The node gets the call, and only its answer is swallowed. */
  readonly isDelivered?: boolean;
}

/** Puts a proxy before the node at a URL. */
export async function startRpcGate(target: string): Promise<RpcGate> {
  let held: { readonly method: string; passes: number; isDelivered: boolean; readonly came: () => void } | undefined;
  const server = createServer((request, response) => {
    const answered = read(request).then(async (body) => {
      const isHeld = held !== undefined && body.includes(`"${held.method}"`) && held.passes-- <= 0;
      const ask = () => fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
      if (held !== undefined && isHeld) {
        if (held.isDelivered) await ask();
        // No answer at all: the caller cannot know whether the node has the call.
        held.came();
        return;
      }
      const answer = await ask();
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    });
    // A node that is gone is gone behind the proxy too.
    answered.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (method, { after = 0, isDelivered = false } = {}) =>
      new Promise((came) => {
        held = { method, passes: after, isDelivered, came };
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

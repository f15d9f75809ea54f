import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of a node that can hold the calls of a method. */
export interface RpcGate {
  readonly url: string;
  /** Holds calls with a text from now on, such as the method; resolves when the first one arrives. */
  hold(text: string, options?: HoldOptions): Promise<void>;
  /** Forwards all calls again. */
  release(): void;
  close(): Promise<void>;
}

/** Options of a hold. */
export interface HoldOptions {
  /** The number of calls that pass first; none when omitted. */
  readonly after?: number;
  /** The node receives the call, and only its response is held. */
  readonly isDelivered?: boolean;
  /** The call is forwarded at the release; by default, it never gets a response. */
  readonly isLate?: boolean;
}

/** Starts a proxy in front of the node at a URL. */
export async function startRpcGate(target: string): Promise<RpcGate> {
  let held:
    | (Required<Omit<HoldOptions, "after">> & { readonly text: string; passes: number; readonly came: () => void })
    | undefined;
  let late: (() => void)[] = [];
  const server = createServer((request, response) => {
    const answered = read(request).then(async (body) => {
      const isHeld = held !== undefined && body.includes(`"${held.text}"`) && held.passes-- <= 0;
      const ask = () => fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
      if (held !== undefined && isHeld) {
        if (held.isDelivered) await ask();
        // No response at all: the caller cannot know whether the node received the call.
        const { isLate } = held;
        held.came();
        if (!isLate) return;
        await new Promise<void>((resolve) => late.push(resolve));
      }
      const answer = await ask();
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    });
    // A node that is down is also down through the proxy.
    answered.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (text, { after = 0, isDelivered = false, isLate = false } = {}) =>
      new Promise((came) => {
        held = { text, passes: after, isDelivered, isLate, came };
      }),
    release() {
      held = undefined;
      late.forEach((forward) => forward());
      late = [];
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

import { postJson, serve } from "../../support/httpServer.ts";

/** Proxy for a node that can hold requests. */
export interface RpcGate {
  readonly url: string;
  /** Holds requests that contain a text, such as a method name. Resolves when the first of them arrives. */
  hold(text: string, options?: HoldOptions): Promise<void>;
  /** Forwards all requests again. */
  release(): void;
  close(): Promise<void>;
}

export interface HoldOptions {
  /** Number of matching requests to forward before holding. Defaults to 0. */
  readonly after?: number;
  /** Whether the node receives the request, so that only its response is held. */
  readonly isDelivered?: boolean;
  /** Whether the request is forwarded on release. By default, it never receives a response. */
  readonly isLate?: boolean;
}

/** Starts a proxy for the node at a URL. */
export async function startRpcGate(target: string): Promise<RpcGate> {
  let held:
    | (Required<Omit<HoldOptions, "after">> & { readonly text: string; passes: number; readonly came: () => void })
    | undefined;
  let late: (() => void)[] = [];
  const server = await serve(async (_request, response, body) => {
    const isHeld = held !== undefined && body.includes(`"${held.text}"`) && held.passes-- <= 0;
    if (held !== undefined && isHeld) {
      if (held.isDelivered) await postJson(target, body);
      // Sends no response, so the caller cannot know whether the node received the request.
      const { isLate } = held;
      held.came();
      if (!isLate) return;
      await new Promise<void>((resolve) => late.push(resolve));
    }
    // A node that is down is also unreachable through the proxy.
    const answer = await postJson(target, body);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  return {
    url: server.url,
    hold: (text, { after = 0, isDelivered = false, isLate = false } = {}) =>
      new Promise((came) => {
        held = { text, passes: after, isDelivered, isLate, came };
      }),
    release() {
      held = undefined;
      late.forEach((forward) => forward());
      late = [];
    },
    close: server.close,
  };
}

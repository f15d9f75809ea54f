import { postJson, serve } from "../../support/httpServer.ts";

/** A proxy in front of a node that can hold calls. */
export interface RpcGate {
  readonly url: string;
  /** Holds calls that contain a text, such as the method. Resolves when the first one arrives. */
  hold(text: string, options?: HoldOptions): Promise<void>;
  /** Forwards all calls again. */
  release(): void;
  close(): Promise<void>;
}

export interface HoldOptions {
  /** Number of calls that pass first. Defaults to none. */
  readonly after?: number;
  /** Whether the node receives the call, so that only its response is held. */
  readonly isDelivered?: boolean;
  /** Whether the call is forwarded on release. By default, it never gets a response. */
  readonly isLate?: boolean;
}

/** Starts a proxy in front of the node at a URL. */
export async function startRpcGate(target: string): Promise<RpcGate> {
  let held:
    | (Required<Omit<HoldOptions, "after">> & { readonly text: string; passes: number; readonly came: () => void })
    | undefined;
  let late: (() => void)[] = [];
  const server = await serve(async (_request, response, body) => {
    const isHeld = held !== undefined && body.includes(`"${held.text}"`) && held.passes-- <= 0;
    if (held !== undefined && isHeld) {
      if (held.isDelivered) await postJson(target, body);
      // Sends no response at all: the caller cannot know whether the node received the call.
      const { isLate } = held;
      held.came();
      if (!isLate) return;
      await new Promise<void>((resolve) => late.push(resolve));
    }
    // A node that is down is also down through the proxy.
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

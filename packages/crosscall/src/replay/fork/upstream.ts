import { setTimeout as wait } from "node:timers/promises";
import { ChainError, throwIfAborted, TimedOutError } from "@crosscall/protocol/core";

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type RpcResponse =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

export interface Upstream {
  /** Host and port, without the rest of the URL, which may contain keys. */
  readonly host: string;
  /** Number of HTTP requests. */
  readonly sent: number;
  /**
   * Sends one batch.
   *
   * @throws {@link ChainError} if retries fail
   * @throws {@link AbortedError} when the signal fires
   */
  send(calls: readonly RpcCall[]): Promise<readonly RpcResponse[]>;
}

interface UpstreamParameters {
  readonly rpcUrl: string;
  /** Chain id for errors; undefined if not known yet. */
  readonly chainId?: number | undefined;
  /** Timeout of each attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const TRIES_MAX = 3;
const WAIT_MS = 200;

/** Worth a retry. */
const TRANSIENT_STATUS: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Creates a client that only reads from the chain. */
export function createUpstream({ rpcUrl, chainId, timeoutMs, signal }: UpstreamParameters): Upstream {
  const { host } = new URL(rpcUrl);
  let sent = 0;

  const fail = (message: string, cause?: unknown): ChainError =>
    new ChainError({
      message: `${host} ${message}`,
      hint: "Check the RPC URL and that its node is up, then try again: finished reads are cached.",
      chainId,
      cause,
    });

  const post = async (body: string): Promise<unknown> => {
    sent += 1;
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (TRANSIENT_STATUS.has(response.status)) throw new TransientError(`responded with status ${response.status}`);
    const text = await response.text();
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw fail(`responded with status ${response.status} and a body that is not JSON`, cause);
    }
  };

  const tryOften = async (body: string): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      throwIfAborted(signal, "reading the chain");
      try {
        return await post(body);
      } catch (cause) {
        throwIfAborted(signal, "reading the chain");
        if (cause instanceof ChainError) throw cause;
        if (attempt < TRIES_MAX) {
          await wait(WAIT_MS * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
          continue;
        }
        if (cause instanceof TransientError) throw fail(cause.message, cause);
        if (cause instanceof DOMException && cause.name === "TimeoutError") {
          throw new TimedOutError({
            what: `the response of ${host}`,
            timeoutMs,
            hint: "Try again, use a faster RPC URL, or allow more time.",
            cause,
          });
        }
        throw fail("does not respond", cause);
      }
    }
  };

  return {
    host,
    get sent() {
      return sent;
    },
    async send(calls) {
      if (calls.length === 0) return [];
      const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
      const response = await tryOften(JSON.stringify(bodies.length === 1 ? bodies[0] : bodies));
      const responses = new Map(
        (Array.isArray(response) ? response : [response]).flatMap((each: unknown): [unknown, RpcResponse][] =>
          isRpcResponse(each) ? [[each.id, each]] : [],
        ),
      );
      return calls.map(({ method }, id) => {
        const found = responses.get(id);
        if (found === undefined) throw fail(`did not respond to ${method}`);
        return found;
      });
    },
  };
}

class TransientError extends Error {}

function isRpcResponse(value: unknown): value is RpcResponse & { readonly id: unknown } {
  return typeof value === "object" && value !== null && "id" in value && ("result" in value || "error" in value);
}

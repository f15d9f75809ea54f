import {
  ChainError,
  shortReason,
  systemTimer,
  throwIfAborted,
  TimedOutError,
  type Timer,
  waitOn,
} from "@crosscall/protocol/core";
import { isObject } from "@crosscall/protocol/schema";
import { createRedactor, isTemporary, parseRetryAfter, retryAfterMs } from "@crosscall/sdk/kit";

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
   * @returns the responses; a response that stays temporary after all attempts is the last one
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
  /** The system's timer by default. */
  readonly timer?: Timer;
}

/** Waits between attempts, in milliseconds. A rate-limited node can ask for a longer one. */
const PAUSES_MS: readonly number[] = [200, 400, 800, 1_600];

/** Longest wait that a node can ask for. */
const PAUSE_MAX_MS = 60_000;

/** Whether a status is worth a retry. Proxies have statuses of their own from 520. */
function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Attempts if nothing responds in time, or nothing listens at the URL. */
const FEW_TRIES = 3;

const READING = "reading the chain";

/**
 * Creates a client that only reads from the chain. It retries dropped connections, rate limits, and reads of blocks that
 * the responding node does not have yet.
 */
export function createUpstream({
  rpcUrl,
  chainId,
  timeoutMs,
  signal,
  timer = systemTimer,
}: UpstreamParameters): Upstream {
  const { host, pathname, search, password } = new URL(rpcUrl);
  const redactor = createRedactor([rpcUrl, ...[pathname.slice(1), search.slice(1), password].filter(isSecret)]);
  let sent = 0;

  const fail = (message: string, cause?: unknown): ChainError =>
    new ChainError({
      message: `${host} ${redactor.text(message)}`,
      hint: "Check the RPC URL and that its node is up, then try again: finished reads are cached.",
      chainId,
      cause: redactor.cause(cause),
    });

  const post = async (body: string): Promise<unknown> => {
    sent += 1;
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await response.text();
    if (isTransientStatus(response.status)) {
      const words = shortReason(text);
      throw new TransientError(
        `responded with status ${response.status}${words === "" ? "" : `: ${words}`}`,
        parseRetryAfter(response.headers.get("retry-after"), timer.now()),
      );
    }
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw fail(`responded with status ${response.status} and a body that is not JSON`, cause);
    }
  };

  /** Sends one batch once. Throws transient failures unchanged. */
  const sendOnce = async (calls: readonly RpcCall[]): Promise<readonly RpcResponse[]> => {
    const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const response = await post(JSON.stringify(bodies.length === 1 ? bodies[0] : bodies));
    const list: readonly unknown[] = Array.isArray(response) ? response : [response];
    const responses = new Map(
      list.flatMap((each): [unknown, RpcResponse][] => (isRpcResponse(each) ? [[each.id, each]] : [])),
    );
    // Some nodes reject all calls with one error without an id.
    const whole = list.length === 1 ? list.find(isRpcResponse) : undefined;
    const rejection = whole !== undefined && (whole.id ?? null) === null && "error" in whole ? whole : undefined;
    return calls.map(({ method }, id) => {
      const found = responses.get(id) ?? rejection;
      if (found === undefined) throw fail(`did not respond to ${method}`);
      return found;
    });
  };

  const explain = (cause: unknown): unknown => {
    if (cause instanceof ChainError) return cause;
    if (cause instanceof TransientError) return fail(cause.message, cause);
    if (isTimeout(cause)) {
      return new TimedOutError({
        what: `the response of ${host}`,
        timeoutMs,
        hint: "Try again, use a faster RPC URL, or allow more time.",
        cause,
      });
    }
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    return fail(`does not respond: ${shortReason(inner)}`, cause);
  };

  /** Waits before another attempt. Returns false if there is none. */
  const waitFor = async (attempt: number, askedMs: number | undefined): Promise<boolean> => {
    const pauseMs = PAUSES_MS[attempt];
    const waitMs = Math.max(askedMs ?? 0, pauseMs ?? 0);
    if (pauseMs === undefined || waitMs > PAUSE_MAX_MS) return false;
    await waitOn(timer, waitMs, signal, READING);
    return true;
  };

  return {
    host,
    get sent() {
      return sent;
    },
    async send(calls) {
      const responses = new Map<RpcCall, RpcResponse>();
      let open = calls;
      for (let attempt = 0; open.length > 0; attempt += 1) {
        throwIfAborted(signal, READING);
        let askedMs: number | undefined;
        try {
          const received = await sendOnce(open);
          const rejected = open.filter((call, index) => {
            const response = received[index];
            if (response === undefined) return false;
            responses.set(call, response);
            const error = "error" in response ? errorOf(response.error) : undefined;
            if (error === undefined || !isTemporary(error, call.method)) return false;
            askedMs = Math.max(askedMs ?? 0, retryAfterMs(error, timer.now()) ?? 0);
            return true;
          });
          // Returns the last response, which contains the node's own message.
          if (rejected.length === 0 || !(await waitFor(attempt, askedMs))) break;
          open = rejected;
        } catch (cause) {
          throwIfAborted(signal, READING);
          if (cause instanceof ChainError) throw cause;
          const isTransient = cause instanceof TransientError || isDropped(cause);
          if (!isTransient && attempt + 1 >= FEW_TRIES) throw explain(cause);
          askedMs = cause instanceof TransientError ? cause.retryAfterMs : undefined;
          if (!(await waitFor(attempt, askedMs))) throw explain(cause);
        }
      }
      return calls.flatMap((call) => responses.get(call) ?? []);
    },
  };
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === "TimeoutError";
}

/** Codes of connections that a node accepted and then dropped, or is too busy to accept. */
const DROPPED_CODES: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
]);

function isDropped(cause: unknown): boolean {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return typeof inner === "object" && inner !== null && "code" in inner && DROPPED_CODES.has(inner.code);
}

/** Providers' keys are long. Redacting a short path would garble the node's message. */
function isSecret(part: string): boolean {
  return part.length >= 8;
}

function errorOf({ code, message, data }: Extract<RpcResponse, { readonly error: unknown }>["error"]): Error {
  return Object.assign(new Error(message), { code, data });
}

class TransientError extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs: number | undefined) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

function isRpcResponse(value: unknown): value is RpcResponse & { readonly id?: unknown } {
  return isObject(value) && ("result" in value || isObject(value.error));
}

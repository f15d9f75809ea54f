import {
  type Account,
  BaseError,
  type Chain,
  type Client,
  createClient,
  type EIP1193RequestFn,
  type Transport,
} from "viem";

import {
  abortable,
  ChainError,
  CrosscallError,
  shortReason,
  systemTimer,
  throwIfAborted,
  TimedOutError,
  type Timer,
  TIMER_MAX_MS,
  waitOn,
  withTimeLimit,
} from "@crosscall/protocol/core";
import { parseRetryAfter } from "../client/transport/exchange.ts";
import { type ErrorSigns, hasSign } from "./walletErrors.ts";

/** Time limits for a wallet and its node. */
export interface WaitLimits {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of a request that the user confirms in the wallet. Defaults to 10 minutes. */
  readonly promptTimeoutMs?: number | undefined;
  /** Time limit of any other request, including retries. Defaults to 30 seconds. */
  readonly nodeTimeoutMs?: number | undefined;
  readonly timer?: Timer | undefined;
}

const PROMPT_TIMEOUT_MS = 600_000;

const NODE_TIMEOUT_MS = 30_000;

/** Pauses between retries of a request that the node temporarily rejects. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000] as const;

/** Maximum pause that a node can request. */
const PAUSE_MAX_MS = 15_000;

/** Methods that can prompt the user, sign or send. They are never retried. */
const PROMPT = /^(?:eth_sendTransaction|eth_sign|eth_requestAccounts|personal_|wallet_(?!get))/u;

type Request = (call: { readonly method: string; readonly params?: unknown }, options?: object) => Promise<unknown>;

/**
 * Creates a client with the same account, chain and node. Its requests end when the signal aborts, and with {@link
 * TimedOutError} after a time limit. Requests that neither prompt nor send are retried if the node limits the rate or
 * lags behind. Does not use a wallet client's own functions, which would use the wallet's transport.
 */
export function boundClient<
  chain extends Chain | undefined = Chain | undefined,
  account extends Account | undefined = Account | undefined,
>(source: Client<Transport, chain, account>, limits: WaitLimits): Client<Transport, chain, account> {
  const request = source.request as Request;
  const bounded: Request = (call, options) => {
    const { method } = call;
    // A transport would retry a prompt after an internal error.
    if (PROMPT.test(method)) return withinPrompt(method, limits, () => request(call, { ...options, retryCount: 0 }));
    const what = `${method} of the wallet's node`;
    const hint = "Check the node, or use another node, then retry.";
    return within({ ...limits, what, hint, timeoutMs: limits.nodeTimeoutMs ?? NODE_TIMEOUT_MS }, (signal) =>
      retryTemporary(async () => requireResult(method, await request(call, options)), {
        method,
        timer: limits.timer ?? systemTimer,
        signal,
        what,
      }),
    );
  };
  const client: Client = createClient({
    account: source.account,
    chain: source.chain,
    // Omits viem's request wrapper, because the source's transport has one, which also classifies errors.
    transport: () => ({ config: source.transport, request: bounded as EIP1193RequestFn }),
    pollingInterval: source.pollingInterval,
    cacheTime: source.cacheTime,
  });
  return client as Client<Transport, chain, account>;
}

/** Methods that always have a result. */
const HAS_RESULT = /^eth_(?:blockNumber|call|estimateGas|gasPrice|get(?:Balance|Logs|TransactionCount))$/u;

/** @throws {@link BaseError} for null, which viem's actions would fail to read */
function requireResult(method: string, result: unknown): unknown {
  if (HAS_RESULT.test(method) && (result === null || result === undefined)) {
    throw new BaseError(`the node returned no result for ${method}`);
  }
  return result;
}

/**
 * Waits for the wallet or an account that signs, which can be remote.
 * @param method method for the error
 * @throws {@link TimedOutError} when it does not respond in time
 */
export function withinPrompt<Result>(
  method: string,
  limits: WaitLimits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return within(
    {
      ...limits,
      what: `${method} of the wallet`,
      hint: "Check the wallet's activity, then execute the same quote with the same journal again.",
      timeoutMs: limits.promptTimeoutMs ?? PROMPT_TIMEOUT_MS,
    },
    work,
  );
}

/** Lists an error and its causes, outermost first, without cycles. */
function causesOf(error: unknown): Set<object> {
  const causes = new Set<object>();
  let cause = error;
  while (typeof cause === "object" && cause !== null && !causes.has(cause)) {
    causes.add(cause);
    cause = Reflect.get(cause, "cause");
  }
  return causes;
}

/** Finds the crosscall error inside another error, because viem wraps errors of requests. */
export function kitErrorIn(error: unknown): CrosscallError | undefined {
  for (const cause of causesOf(error)) if (cause instanceof CrosscallError) return cause;
  return undefined;
}

/** Throws the crosscall error inside another error. */
export function throwOwn(error: unknown): void {
  const kitError = kitErrorIn(error);
  if (kitError !== undefined) throw kitError;
}

/** Throws the abort error inside another error. */
export function throwAborted(error: unknown): void {
  const kitError = kitErrorIn(error);
  if (kitError?.code === "ABORTED") throw kitError;
}

interface Within extends WaitLimits {
  readonly what: string;
  readonly hint: string;
  readonly timeoutMs: number;
}

/**
 * Limits the duration of work. After an abort or timeout, the work continues in the background, because a prompt cannot
 * be canceled.
 */
async function within<Result>(
  { signal, timer = systemTimer, what, hint, timeoutMs }: Within,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  throwIfAborted(signal, what);
  const onTimeout = (): TimedOutError => new TimedOutError({ what, timeoutMs, hint });
  return withTimeLimit({ timer, timeoutMs: Math.min(timeoutMs, TIMER_MAX_MS), onTimeout, signal }, (limited) =>
    abortable((async () => work(limited))(), limited, what),
  );
}

async function retryTemporary<Result>(
  ask: () => Promise<Result>,
  {
    method,
    timer,
    signal,
    what,
  }: { readonly method: string; readonly timer: Timer; readonly signal: AbortSignal; readonly what: string },
): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = Math.max(retryAfterMs(error, timer.now()) ?? 0, pauseMs);
      if (!isTemporary(error, method) || waitMs > PAUSE_MAX_MS) throw error;
      await waitOn(timer, waitMs, signal, what);
    }
  }
  return ask();
}

/**
 * Sends a request to a chain's node.
 *
 * @param what expected result, for the error
 * @throws {@link ChainError} with the node's reason
 */
export async function askNode<Result>(chainId: number, what: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw toNodeError(error, chainId, what);
  }
}

/**
 * Unwraps an error: returns the crosscall error inside it, such as an abort; a {@link ChainError} for a node's error;
 * or the same error.
 */
export function toNodeError(error: unknown, chainId: number, what: string): unknown {
  const kitError = kitErrorIn(error);
  if (kitError !== undefined || !(error instanceof BaseError)) return kitError ?? error;
  return new ChainError({
    message: `the node of chain ${chainId} did not return ${what}: ${nodeReason(error)}`,
    hint: "Check the node, or use another node, then execute the same quote with the same journal again.",
    chainId,
    cause: error,
  });
}

/** EIP-1474. Some nodes use this code for rate limits and for oversized log queries. */
const LIMIT_EXCEEDED = -32_005;

/** Codes of nodes and their providers for rate limits: HTTP, Infura, QuickNode, Ankr. */
const RATE_LIMIT_CODES = [429, 503, -32_007, -32_029, -32_097];

const TEMPORARY_WORDS = [
  /\brate.?limit|\btoo many (?:requests|calls)|\brequests? (?:limit|per second)|\blimit of requests|\bthrottl|\bcompute units per second|\bthroughput\b|\bcapacity exceeded|\bslow down|\bservice (?:temporarily )?unavailable|\btry again (?:later|in)/iu,
  // The responding node lags behind the one that returned the block number.
  /\bbeyond (?:the )?(?:current |latest )?(?:head|block)|\bheader not found/iu,
];

/** Error messages of nodes for log queries with too many blocks or results. */
const RANGE: ErrorSigns = {
  // The code for an oversized payload, and dRPC's code for free plans.
  codes: [413, 35],
  words: [
    /\brange\b|\bblocks? (?:distance|span|limit|count|number)|\b(?:too many|too large|maximum|at most|up to|more than|over|exceed\w*)\b.{0,60}\b(?:blocks?|results?|logs?|response|size)|\b\d[\d,_]*k? (?:blocks?|results?|logs)\b|\bresponse (?:size|is too)|\btoo large\b|\bquery (?:returned|timeout|exceeds)|\blimited to\b|\bsmaller\b/iu,
  ],
};

/** Whether the node limits the rate or lags behind. */
export function isTemporary(error: unknown, method: string): boolean {
  // A contract can revert with any text.
  if (hasSign(error, { words: [/\brevert/iu] })) return false;
  const codes = method === "eth_getLogs" ? RATE_LIMIT_CODES : [...RATE_LIMIT_CODES, LIMIT_EXCEEDED];
  return hasSign(error, { codes, words: TEMPORARY_WORDS });
}

/** Whether the node rejects a log query because of its size. */
export function isRangeRejection(error: unknown): boolean {
  return hasSign(error, RANGE);
}

/** Returns the milliseconds to wait before the next request, as stated by the node. */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  for (const cause of causesOf(error)) {
    const headers: unknown = Reflect.get(cause, "headers");
    const asked = headers instanceof Headers ? parseRetryAfter(headers.get("retry-after"), now) : readBackoff(cause);
    if (asked !== undefined) return asked;
  }
  return undefined;
}

/** Reads the backoff from an error of Infura. */
function readBackoff(error: object): number | undefined {
  const seconds = fieldOf(fieldOf(fieldOf(error, "data"), "rate"), "backoff_seconds");
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : undefined;
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the node's own message, which viem has in `details` after a general message. */
export function nodeReason(error: unknown): string {
  return shortReason(error instanceof BaseError ? error.details || error.shortMessage : error);
}

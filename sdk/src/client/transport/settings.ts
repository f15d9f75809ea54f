import { InvalidInputError } from "../../core/errors.ts";
import { systemTimer, type Timer, TIMER_MAX_MS } from "../../core/timer.ts";
import { ENDPOINT_FAMILIES, type EndpointFamily } from "./endpoints.ts";

/** How transient failures are retried. */
export interface RetryPolicy {
  /** How often a call is sent at most, the first time included. */
  readonly maxTries: number;
  /** The longest wait before the second try, in milliseconds; it doubles with each further one. */
  readonly baseDelayMs: number;
  /** What it doubles up to, in milliseconds. */
  readonly maxDelayMs: number;
}

/** How many calls a minute each family of endpoints takes; undefined where they are not limited. */
export type CallLimits = Readonly<Record<EndpointFamily, number | undefined>>;

/** How the transport of a client behaves: every option with its value. */
export interface TransportSettings {
  /** The longest wait for the answer to one try, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest a call takes, with all its tries and waits, in milliseconds. */
  readonly totalTimeoutMs: number;
  readonly retry: RetryPolicy;
  readonly limits: CallLimits;
  /** How many calls are under way at a time; further ones wait. */
  readonly maxConcurrentCalls: number;
  /** The longest answer that is read, in bytes. */
  readonly maxAnswerBytes: number;
  readonly fetch: typeof globalThis.fetch;
  readonly timer: Timer;
  /** From 0 to below 1, for the waits between tries. */
  readonly random: () => number;
}

/** How the transport of a client is to behave. */
export interface TransportOptions {
  /** The longest wait for the answer to one try, in milliseconds; 15,000 when left out. */
  readonly timeoutMs?: number;
  /** The longest a call takes, with all its tries and waits, in milliseconds; 60,000 when left out. */
  readonly totalTimeoutMs?: number;
  /** Three tries when left out, with waits of up to 500 ms, then 1,000 ms; `false` for one try only. */
  readonly retry?: Partial<RetryPolicy> | false;
  /**
   * Calls a minute for each family of endpoints; the service's own limits when left out: 50 for `quote`, 200 for the v3
   * `listing`, 200 for all `other`; none for `oracle`. `false` for no limit.
   */
  readonly limits?: Partial<Record<EndpointFamily, number | false>> | false;
  /** How many calls may be under way at a time; 10 when left out. */
  readonly maxConcurrentCalls?: number;
  /** The longest answer that is read, in bytes after decompression; 16 MiB when left out. */
  readonly maxAnswerBytes?: number;
  /** The platform's own when left out. */
  readonly fetch?: typeof globalThis.fetch;
  /** The machine's own time when left out. */
  readonly timer?: Timer;
  /** `Math.random` when left out. */
  readonly random?: () => number;
}

const DEFAULT_RETRY: RetryPolicy = { maxTries: 3, baseDelayMs: 500, maxDelayMs: 10_000 };

/** What the service allows a key (spec 4, section 4). An oracle takes any number of calls with a key. */
const DEFAULT_LIMITS: CallLimits = { quote: 50, listing: 200, oracle: undefined, other: 200 };

/** Longer texts are more than the platform's strings hold. */
const ANSWER_MAX_BYTES = 2 ** 29;

/**
 * The settings that options stand for.
 *
 * @throws {@link InvalidInputError} when an option is out of its range
 */
export function checkTransportOptions(options: TransportOptions): TransportSettings {
  const { timeoutMs = 15_000, totalTimeoutMs = 60_000, maxConcurrentCalls = 10, maxAnswerBytes = 2 ** 24 } = options;
  requireWhole(timeoutMs, "timeoutMs", 1, TIMER_MAX_MS);
  requireWhole(totalTimeoutMs, "totalTimeoutMs", 1, TIMER_MAX_MS);
  requireWhole(maxConcurrentCalls, "maxConcurrentCalls", 1, Number.MAX_SAFE_INTEGER);
  requireWhole(maxAnswerBytes, "maxAnswerBytes", 1, ANSWER_MAX_BYTES);
  return {
    timeoutMs,
    totalTimeoutMs,
    retry: checkRetry(options.retry),
    limits: checkLimits(options.limits),
    maxConcurrentCalls,
    maxAnswerBytes,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    timer: options.timer ?? systemTimer,
    random: options.random ?? Math.random,
  };
}

function checkRetry(retry: TransportOptions["retry"]): RetryPolicy {
  if (retry === false) return { ...DEFAULT_RETRY, maxTries: 1 };
  const policy = { ...DEFAULT_RETRY, ...retry };
  requireWhole(policy.maxTries, "retry.maxTries", 1, 100);
  requireWhole(policy.baseDelayMs, "retry.baseDelayMs", 0, TIMER_MAX_MS);
  requireWhole(policy.maxDelayMs, "retry.maxDelayMs", 0, TIMER_MAX_MS);
  return policy;
}

function checkLimits(limits: TransportOptions["limits"] = {}): CallLimits {
  const limitOf = (family: EndpointFamily): number | undefined => {
    const limit = limits === false ? false : (limits[family] ?? DEFAULT_LIMITS[family]);
    if (limit === false || limit === undefined) return undefined;
    return requireWhole(limit, `limits.${family}`, 1, 1_000_000);
  };
  return Object.fromEntries(ENDPOINT_FAMILIES.map((family) => [family, limitOf(family)])) as CallLimits;
}

function requireWhole(value: number, field: string, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new InvalidInputError({
    field,
    value,
    reason: `it is not a whole number from ${min} to ${max}`,
    hint: `Give ${field} in that range, or leave it out.`,
  });
}

import { InvalidInputError, systemTimer, type Timer, TIMER_MAX_MS } from "@crosscall/protocol/core";
import { ENDPOINT_FAMILIES, type EndpointFamily } from "./endpoints.ts";

/** Retry policy for transient failures. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly maxTries: number;
  /** Maximum wait before the second attempt, in milliseconds. It doubles with each attempt. */
  readonly baseDelayMs: number;
  /** Upper limit of the wait, in milliseconds. */
  readonly maxDelayMs: number;
}

/** Requests per minute by endpoint family; undefined for no limit. */
export type CallLimits = Readonly<Record<EndpointFamily, number | undefined>>;

export interface TransportSettings {
  /** Timeout per attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Timeout per request with all attempts and waits, in milliseconds. */
  readonly totalTimeoutMs: number;
  readonly retry: RetryPolicy;
  readonly limits: CallLimits;
  /** Maximum number of concurrent requests; further requests wait. */
  readonly maxConcurrentCalls: number;
  /** Maximum length of a response, in bytes. */
  readonly maxResponseBytes: number;
  readonly fetch: typeof globalThis.fetch;
  readonly timer: Timer;
  /** Random number from 0 to below 1, for jitter. */
  readonly random: () => number;
}

export interface TransportOptions {
  /** Timeout of one attempt in milliseconds. Defaults to 15,000. */
  readonly timeoutMs?: number;
  /** Timeout of a request with all attempts and waits, in milliseconds. Defaults to 60,000. */
  readonly totalTimeoutMs?: number;
  /** Retry policy. Defaults to three attempts, with waits of up to 500 ms and 1,000 ms; `false` for one attempt. */
  readonly retry?: Partial<RetryPolicy> | false;
  /**
   * Requests per minute by endpoint family. Defaults to the service's limits: 50 for `quote`, 200 for the v3 `listing`,
   * 200 for all `other`, none for `oracle`. `false` for no limit.
   */
  readonly limits?: Partial<Record<EndpointFamily, number | false>> | false;
  /** Maximum number of concurrent requests. Defaults to 10. */
  readonly maxConcurrentCalls?: number;
  /** Maximum length of a response, in bytes after decompression. Defaults to 16 MiB. */
  readonly maxResponseBytes?: number;
  /** Fetch function. Defaults to the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Clock. Defaults to the system clock. */
  readonly timer?: Timer;
  /** `Math.random` by default. */
  readonly random?: () => number;
}

const DEFAULT_RETRY: RetryPolicy = { maxTries: 3, baseDelayMs: 500, maxDelayMs: 10_000 };

/** Limits per key (spec 4, section 4). Oracles do not limit requests with a key. */
const DEFAULT_LIMITS: CallLimits = { quote: 50, listing: 200, oracle: undefined, other: 200 };

/** Upper limit of `maxResponseBytes`, because platforms limit the length of strings. */
const RESPONSE_MAX_BYTES = 2 ** 29;

export function checkTransportOptions(options: TransportOptions): TransportSettings {
  const { timeoutMs = 15_000, totalTimeoutMs = 60_000, maxConcurrentCalls = 10, maxResponseBytes = 2 ** 24 } = options;
  requireWhole(timeoutMs, "timeoutMs", 1, TIMER_MAX_MS);
  requireWhole(totalTimeoutMs, "totalTimeoutMs", 1, TIMER_MAX_MS);
  requireWhole(maxConcurrentCalls, "maxConcurrentCalls", 1, Number.MAX_SAFE_INTEGER);
  requireWhole(maxResponseBytes, "maxResponseBytes", 1, RESPONSE_MAX_BYTES);
  return {
    timeoutMs,
    totalTimeoutMs,
    retry: checkRetry(options.retry),
    limits: checkLimits(options.limits),
    maxConcurrentCalls,
    maxResponseBytes,
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
    reason: `it must be an integer from ${min} to ${max}`,
    hint: `Pass ${field} in that range, or omit it.`,
  });
}

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { SecretBox } from "./secretBox.ts";
import { systemResolve, type TargetPolicy } from "./target.ts";

/** Delivery settings of webhooks. */
export interface WebhookOptions {
  /** Names or IP addresses that may receive webhooks, in addition to loopback. Only allow owners that you trust. */
  readonly allowHosts?: readonly string[];
  /** Wait before the first retry, in milliseconds; 1,000 by default. It doubles with each retry. */
  readonly firstRetryMs?: number;
  /** Timeout for a receiver to respond, in milliseconds; 10,000 by default. */
  readonly timeoutMs?: number;
}

export interface WebhookSettings {
  readonly policy: TargetPolicy;
  readonly firstRetryMs: number;
  readonly timeoutMs: number;
  readonly secretBox: SecretBox;
}

const TIMEOUT_MS = 10_000;

/** Maximum first wait, with which ten retries take twelve days. Longer waits overflow timers. */
const WAIT_MAX_MS = 1_000_000;

/** @throws {@link InvalidInputError} naming the option */
export function checkWebhookOptions(options: WebhookOptions): Omit<WebhookSettings, "secretBox"> {
  rejectUnknownOptions(options, { allowHosts: 1, firstRetryMs: 1, timeoutMs: 1 }, "webhooks.");
  const { allowHosts = [], firstRetryMs = FIRST_RETRY_MS, timeoutMs = TIMEOUT_MS } = options;
  requireWait("webhooks.firstRetryMs", firstRetryMs, 0);
  requireWait("webhooks.timeoutMs", timeoutMs, 1);
  return {
    policy: { allowHosts: new Set(allowHosts.map(readHost)), resolve: systemResolve },
    firstRetryMs,
    timeoutMs,
  };
}

function requireWait(field: string, value: number, min: number): void {
  if (Number.isInteger(value) && value >= min && value <= WAIT_MAX_MS) return;
  throw new InvalidInputError({
    field,
    value,
    reason: `must be a whole number from ${min} to ${WAIT_MAX_MS}`,
    hint: "Pass milliseconds.",
  });
}

/** Normalizes a name as URLs normalize their host. */
function readHost(text: string): string {
  const bare = text.replace(/^\[|\]$/gu, "");
  const address = `http://${bare.includes(":") ? `[${bare}]` : bare}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && url.host === url.hostname && url.pathname === "/" && url.username === "") {
    return url.hostname.replace(/^\[|\]$|\.$/gu, "");
  }
  throw new InvalidInputError({
    field: "webhooks.allowHosts",
    value: text,
    reason: "must be a host",
    hint: "Pass a name or an IP address without scheme, port and path.",
  });
}

/** Maximum number of retries (spec 4, section 4). */
const RETRIES_MAX = 10;

/** In milliseconds. */
const FIRST_RETRY_MS = 1_000;

/**
 * Returns the wait after a failed attempt, which doubles each time. The specification requires exponential backoff
 * without numbers. Starting at one second, ten retries take 17 minutes.
 *
 * @param attempts attempts so far
 * @returns milliseconds; undefined after the last attempt
 */
export function retryDelayMs(attempts: number, firstRetryMs: number): number | undefined {
  return attempts > RETRIES_MAX ? undefined : firstRetryMs * 2 ** (attempts - 1);
}

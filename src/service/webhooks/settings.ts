import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { FIRST_RETRY_MS } from "./retryDelayMs.ts";
import type { SecretBox } from "./secretBox.ts";
import { systemResolve, type TargetPolicy } from "./target.ts";

/** How a network delivers webhooks. */
export interface WebhookOptions {
  /** Hosts that webhooks may go to beside loopback: names or IP addresses. Allow only names whose owner you trust. */
  readonly allowHosts?: readonly string[];
  /** The wait before an event is sent again, in milliseconds; 1,000 when left out. It doubles with each further one. */
  readonly firstRetryMs?: number;
  /** How long a receiver may take to answer, in milliseconds; 10,000 when left out. */
  readonly timeoutMs?: number;
}

/** How the service sends webhooks: every option with its value. */
export interface WebhookSettings {
  readonly policy: TargetPolicy;
  readonly firstRetryMs: number;
  readonly timeoutMs: number;
  /** Keeps what events are signed with. */
  readonly secretBox: SecretBox;
}

const TIMEOUT_MS = 10_000;

/** Ten repetitions of this wait end within twelve days; longer ones overflow timers. */
const WAIT_MAX_MS = 1_000_000;

/**
 * The settings that options stand for.
 *
 * @throws {@link InvalidInputError} when an option cannot be used
 */
export function checkWebhookOptions(options: WebhookOptions): Omit<WebhookSettings, "secretBox"> {
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

/** In the form that the platform's parser gives the hosts of URLs. */
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

import { sleep } from "../core/abort.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { CrosscallError, RequestNotFilledError, ServiceError, TimedOutError } from "../core/errors.ts";
import type { IntentStatus } from "../protocol/intentStatus.ts";
import { isTerminalStatus } from "../protocol/requestStatus.ts";
import type { ServiceClient } from "./client.ts";
import { getStatus } from "./getStatus.ts";

/** The rate that the service recommends (spec 1, section 8). */
const POLL_INTERVAL_MS = 1_000;

const TIMEOUT_MS = 10 * 60_000;

/** How long the service may fail to answer before a watch gives up: restarts take less. */
const FAULT_TOLERANCE_MS = 30_000;

/** What {@link watchRequest} takes. */
export interface WatchRequestParameters {
  readonly requestId: string;
  /** Milliseconds between two looks; 1,000 when left out. */
  readonly pollIntervalMs?: number;
  /** The longest watch, in milliseconds; ten minutes when left out. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Told the first status and each change of it. */
  readonly onStatus?: (status: IntentStatus) => void;
  readonly clock?: Clock;
}

/**
 * Follows a request to its end. A service that does not answer for a while, or asks to slow down, does not end it.
 *
 * @returns the final status, which is `success`
 * @throws {@link RequestNotFilledError} when it ends in failure or refund
 * @throws {@link TimedOutError} when it does not end in time
 * @throws {@link ServiceError} when the service does not know the request, or fails for half a minute
 * @throws {@link ServiceUnreachableError} when the service does not answer for half a minute
 * @throws {@link AbortedError} when the signal fires
 */
export async function watchRequest(client: ServiceClient, parameters: WatchRequestParameters): Promise<IntentStatus> {
  const { requestId, signal, onStatus, clock = systemClock } = parameters;
  const timeoutMs = parameters.timeoutMs ?? TIMEOUT_MS;
  const startedAt = clock.now();
  const what = `request ${requestId}`;
  let answeredAt = startedAt;
  let last: string | undefined;
  for (;;) {
    const { status, fault } = await look(client, requestId, signal);
    const now = clock.now();
    if (status === undefined) {
      if (now - answeredAt >= FAULT_TOLERANCE_MS) throw fault;
    } else {
      answeredAt = now;
      if (status.status !== last) onStatus?.(status);
      last = status.status;
      if (status.status === "success") return status;
      if (isTerminalStatus(status.status)) {
        throw new RequestNotFilledError({ requestId, status: status.status, details: status.details ?? undefined });
      }
    }
    const remainingMs = startedAt + timeoutMs - now;
    if (remainingMs <= 0) {
      throw new TimedOutError({
        what,
        timeoutMs,
        cure: `It was last seen ${last ?? "nowhere"}: watch it again with a longer timeoutMs.`,
      });
    }
    await sleep(Math.min(parameters.pollIntervalMs ?? POLL_INTERVAL_MS, remainingMs), signal, what);
  }
}

/** What one look saw: a status, or a fault that passes. */
type Look =
  | { readonly status: IntentStatus; readonly fault?: undefined }
  | { readonly status?: undefined; readonly fault: CrosscallError };

async function look(client: ServiceClient, requestId: string, signal: AbortSignal | undefined): Promise<Look> {
  try {
    // Once only: the watch itself is what looks again.
    return { status: await getStatus(client, { requestId, maxTries: 1, signal }) };
  } catch (error) {
    if (isPassing(error)) return { fault: error };
    throw error;
  }
}

function isPassing(error: unknown): error is CrosscallError {
  if (error instanceof ServiceError) return error.status >= 500 || error.status === 429;
  return error instanceof CrosscallError && ["SERVICE_UNREACHABLE", "TIMED_OUT"].includes(error.code);
}

import { sleep } from "../core/abort.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { RequestNotFilledError, TimedOutError } from "../core/errors.ts";
import type { IntentStatus } from "../protocol/intentStatus.ts";
import { isTerminalStatus } from "../protocol/requestStatus.ts";
import type { ServiceClient } from "./client.ts";
import { getStatus } from "./getStatus.ts";

/** The rate that the service recommends (spec 1, section 8). */
const POLL_INTERVAL_MS = 1_000;

const TIMEOUT_MS = 10 * 60_000;

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
 * Follows a request to its end.
 *
 * @returns the final status, which is `success`
 * @throws {@link RequestNotFilledError} when it ends in failure or refund
 * @throws {@link TimedOutError} when it does not end in time
 * @throws {@link AbortedError} when the signal fires
 */
export async function watchRequest(client: ServiceClient, parameters: WatchRequestParameters): Promise<IntentStatus> {
  const { requestId, signal, onStatus, clock = systemClock } = parameters;
  const timeoutMs = parameters.timeoutMs ?? TIMEOUT_MS;
  const deadline = clock.now() + timeoutMs;
  const what = `request ${requestId}`;
  let last: string | undefined;
  for (;;) {
    const status = await getStatus(client, { requestId, signal });
    if (status.status !== last) onStatus?.(status);
    last = status.status;
    if (status.status === "success") return status;
    if (isTerminalStatus(status.status)) {
      throw new RequestNotFilledError({ requestId, status: status.status, details: status.details ?? undefined });
    }
    const remainingMs = deadline - clock.now();
    if (remainingMs <= 0) {
      throw new TimedOutError({
        what,
        timeoutMs,
        cure: `It is ${status.status}: watch it again with a longer timeoutMs.`,
      });
    }
    await sleep(Math.min(parameters.pollIntervalMs ?? POLL_INTERVAL_MS, remainingMs), signal, what);
  }
}

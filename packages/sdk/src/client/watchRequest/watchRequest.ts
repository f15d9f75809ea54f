import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { type Clock, systemClock, throwIfAborted, TimedOutError, TIMER_MAX_MS } from "@crosscall/protocol/core";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { ServiceClient } from "../client.ts";
import { isProgress, toIntentStatus } from "./advanceStatus.ts";
import {
  createStatusPoller,
  type PollResult,
  pollStatus,
  SILENCE_MS,
  type SourceContext,
  type StatusSource,
} from "./statusSource.ts";

/** Polling interval that the service recommends (spec 1, section 8). */
export const POLL_INTERVAL_MS = 1_000;

/** Default of `timeoutMs`. */
export const TIMEOUT_MS = 10 * 60_000;

/** Time to wait after a failure, and after each sign of a refund. */
const REFUND_GRACE_MS = 60_000;

/** Maximum time of a failing service; restarts of the service take less. */
const FAULT_TOLERANCE_MS = 30_000;

export interface RequestStatusesParameters {
  readonly requestId: string;
  /** Polling by default. */
  readonly source?: StatusSource;
  /** Polling interval in milliseconds. Defaults to 1,000. */
  readonly pollIntervalMs?: number;
  /** Maximum time in milliseconds. Defaults to ten minutes. */
  readonly timeoutMs?: number;
  /** Time to wait for a refund after a failure, in milliseconds. Defaults to 60,000; 0 disables the wait. */
  readonly refundGraceMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
}

/**
 * Yields the first status of a request and each change until the request ends: success, refund, or a failure without a
 * refund in time. Late, duplicate and reordered statuses are dropped. The iteration continues if the service
 * temporarily does not respond or limits the rate.
 * @throws {@link TimedOutError} when the request does not end in time
 * @throws {@link ServiceError} when the service does not know the request, or fails for half a minute
 * @throws {@link ServiceUnreachableError} when the service does not respond for half a minute
 * @throws {@link InvalidInputError} when the source is invalid
 * @throws {@link AbortedError} when the signal aborts
 */
export async function* requestStatuses(
  client: ServiceClient,
  parameters: RequestStatusesParameters,
): AsyncGenerator<IntentStatus, void, undefined> {
  rejectUnknownOptions(parameters, {
    requestId: 1,
    source: 1,
    pollIntervalMs: 1,
    timeoutMs: 1,
    refundGraceMs: 1,
    signal: 1,
    clock: 1,
  });
  const { requestId, signal, clock = systemClock, timeoutMs = TIMEOUT_MS } = parameters;
  const { refundGraceMs = REFUND_GRACE_MS, source = { kind: "polling" } } = parameters;
  const what = `request ${requestId}`;
  throwIfAborted(signal, what);
  const startedAt = clock.now();
  let respondedAt = startedAt;
  let known: IntentStatus | undefined;
  /** Time of the last sign of a failure or its refund. */
  let failedAt: number | undefined;
  let isLastPoll = false;

  const stop = new AbortController();
  const inbox = new Inbox<PollResult>();
  const running = runSource(source, {
    client,
    requestId,
    pollIntervalMs: parameters.pollIntervalMs ?? POLL_INTERVAL_MS,
    signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
    report(result) {
      inbox.put(result);
      return result.status !== undefined && result.status.status !== known?.status && isProgress(known, result.status);
    },
  });
  running.catch((error: unknown) => inbox.fail(error));
  try {
    for (;;) {
      const { status, fault }: Partial<PollResult> = isLastPoll
        ? await pollStatus(client, requestId, signal)
        : ((await inbox.take(endOf() - clock.now())) ?? {});
      const now = clock.now();
      if (fault !== undefined && now - respondedAt >= FAULT_TOLERANCE_MS) throw fault;
      if (status !== undefined) {
        respondedAt = now;
        if (isProgress(known, status)) {
          const isChange = status.status !== known?.status;
          known = status;
          if (isChange) {
            if (status.status === "failure" || failedAt !== undefined) failedAt = now;
            yield status;
          }
        }
        if (known?.status === "success" || known?.status === "refund") return;
      }
      if (failedAt !== undefined && refundGraceMs === 0 && known?.status === "failure") return;
      if (now < endOf()) {
        isLastPoll = false;
      } else if (!isLastPoll) {
        isLastPoll = true;
      } else if (failedAt !== undefined) {
        return;
      } else {
        throw new TimedOutError({
          what,
          timeoutMs,
          hint: `Its last status was ${known?.status ?? "unknown"}: watch it again with a longer timeoutMs.`,
        });
      }
    }
  } finally {
    stop.abort();
  }

  function endOf(): number {
    const deadline = startedAt + timeoutMs;
    return failedAt === undefined ? deadline : Math.min(deadline, failedAt + refundGraceMs);
  }
}

class Inbox<Item> {
  private readonly items: Item[] = [];
  private failure: { readonly error: unknown } | undefined;
  private wake: () => void = () => undefined;

  put(item: Item): void {
    this.items.push(item);
    this.wake();
  }

  /** Makes `take` throw once the inbox is empty. */
  fail(error: unknown): void {
    this.failure = { error };
    this.wake();
  }

  /** Returns undefined after the timeout. */
  async take(timeoutMs: number): Promise<Item | undefined> {
    if (this.items.length === 0 && this.failure === undefined && timeoutMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => this.wake(), Math.min(timeoutMs, TIMER_MAX_MS));
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const item = this.items.shift();
    if (item === undefined && this.failure !== undefined) throw this.failure.error;
    return item;
  }
}

/** Reports statuses until the signal aborts, or the service rejects the request permanently. */
async function runSource(source: StatusSource, context: SourceContext): Promise<never> {
  switch (source.kind) {
    case "polling":
      return createStatusPoller(context, { isLive: false, silenceMs: SILENCE_MS }).run();
    case "webhook": {
      const poller = createStatusPoller(context, { isLive: true, silenceMs: source.silenceMs ?? SILENCE_MS });
      const unsubscribe = source.feed.subscribe(context.requestId, (event) => {
        poller.heard();
        context.report({ status: toIntentStatus(event) });
      });
      return poller.run().finally(unsubscribe);
    }
    // Rejects other kinds.
    default: {
      const { followWebsocket } = await import("./followWebsocket.ts");
      return followWebsocket(source, context);
    }
  }
}

/** Parameters of `watchRequest`. */
export interface WatchRequestParameters extends RequestStatusesParameters {
  /** Called with the first status and each change. */
  readonly onStatus?: (status: IntentStatus) => void;
}

/** Final result of a request. */
export interface RequestOutcome {
  /**
   * `success`: filled; `refund`: not filled, and the deposit was returned; `failure`: not filled, and not refunded in
   * time.
   */
  readonly outcome: "success" | "refund" | "failure";
  readonly requestId: string;
  /** Transactions on the origin chain, including the deposit. */
  readonly inTxHashes: readonly string[];
  /** The service's transactions: the fill, and a refund. */
  readonly txHashes: readonly string[];
  /** The last status. */
  readonly status: IntentStatus;
}

/**
 * Follows a request until it ends.
 *
 * @returns the final result, including a failure or a refund
 * @throws the errors of {@link requestStatuses}
 */
export async function watchRequest(client: ServiceClient, options: WatchRequestParameters): Promise<RequestOutcome> {
  rejectUnknownOptions(options, {
    onStatus: 1,
    requestId: 1,
    source: 1,
    pollIntervalMs: 1,
    timeoutMs: 1,
    refundGraceMs: 1,
    signal: 1,
    clock: 1,
  });
  const { onStatus, ...parameters } = options;
  // An unknown request counts as waiting for its deposit.
  // oxlint-disable-next-line no-useless-assignment -- the loop can end before the first status
  let status: IntentStatus = { status: "waiting" };
  let inTxHashes: readonly string[] = [];
  for await (status of requestStatuses(client, parameters)) {
    inTxHashes = status.inTxHashes ?? inTxHashes;
    onStatus?.(status);
  }
  return {
    outcome: outcomeOf(status),
    requestId: parameters.requestId,
    inTxHashes,
    txHashes: status.txHashes ?? [],
    status,
  };
}

function outcomeOf({ status }: IntentStatus): RequestOutcome["outcome"] {
  if (status === "success") return "success";
  return status === "refund" ? "refund" : "failure";
}

import type { RequestStatus } from "@crosscall/sdk/internal/protocol/request/requestStatus";
import type { JobQueues } from "./jobs.ts";

/** The channel on which the database tells each change of a status, once it is committed. */
export const STATUS_CHANNEL = "request_status";

/** A request has another status now. */
export interface StatusChange {
  readonly requestId: string;
  readonly status: RequestStatus;
  /** Unix time in milliseconds. */
  readonly updatedAt: number;
  /** Whether an event for a webhook was written with it. */
  readonly hasWebhook: boolean;
}

/** Takes changes of statuses. */
export interface StatusListener {
  /** Called for each change, in the order of the commits. */
  onChange(change: StatusChange): void;
  /** Called after changes may have been missed, when the connection to the database is there again. */
  onGap(): void;
}

/** Tells a listener what the database notifies of, whichever process caused it. */
export async function listenToStatuses(
  queues: Pick<JobQueues, "listen">,
  listener: StatusListener,
): Promise<{ stop(): Promise<void> }> {
  let isFirst = true;
  const handle = await queues.listen(
    STATUS_CHANNEL,
    (payload) => listener.onChange(JSON.parse(payload) as StatusChange),
    () => {
      if (!isFirst) listener.onGap();
      isFirst = false;
    },
  );
  return { stop: () => handle.close() };
}

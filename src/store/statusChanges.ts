import type { PGlite } from "@electric-sql/pglite";

import type { RequestStatus } from "../protocol/requestStatus.ts";

/** The channel on which the database tells each change of a status, once it is committed. */
export const STATUS_CHANNEL = "request_status";

/** A request has another status now. */
export interface StatusChange {
  readonly requestId: string;
  readonly status: RequestStatus;
  /** Unix time in milliseconds. */
  readonly updatedAt: number;
}

/** Tells a listener what the database notifies of, in the order of the commits. */
export async function listenToStatuses(
  pglite: PGlite,
  listener: (change: StatusChange) => void,
): Promise<{ stop(): Promise<void> }> {
  const unlisten = await pglite.listen(STATUS_CHANNEL, (payload) => listener(JSON.parse(payload) as StatusChange));
  return { stop: () => unlisten() };
}

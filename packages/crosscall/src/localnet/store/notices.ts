import type { RequestStatus } from "@crosscall/protocol/request";
import type { Channels } from "./jobs.ts";

export const STATUS_CHANNEL = "request_status";

/** Channel for the ids of new requests. */
export const CREATION_CHANNEL = "request_created";

/** Channel for the chain ids of signed transactions that are not included yet. */
export const PENDING_CHANNEL = "transaction_pending";

export interface StatusChange {
  readonly requestId: string;
  readonly status: RequestStatus;
  /** Time of the change as Unix time in milliseconds. */
  readonly updatedAt: number;
  /** Key of the webhook that receives the event stored with the change. */
  readonly webhookKeyHash: string | null;
}

export interface StatusListener {
  /** Called with each change, in commit order. */
  onChange(change: StatusChange): void;
  /** Called after a reconnect, because changes may have been missed. */
  onGap(): void;
}

/** Listens for new requests. Requests that are created while the connection is lost are not announced. */
export async function listenToCreations(
  queues: Channels,
  listener: (requestId: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const handle = await queues.listen(CREATION_CHANNEL, listener, () => undefined);
  return { stop: () => handle.close() };
}

export async function listenToStatuses(queues: Channels, listener: StatusListener): Promise<{ stop(): Promise<void> }> {
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

export interface PendingListener {
  onPending(chainId: number): void;
  /** Called when notices may have been missed. */
  onGap(): void;
}

export async function listenToPending(queues: Channels, listener: PendingListener): Promise<{ stop(): Promise<void> }> {
  const handle = await queues.listen(
    PENDING_CHANNEL,
    (payload) => listener.onPending(Number(payload)),
    () => listener.onGap(),
  );
  return { stop: () => handle.close() };
}

/** Channel for the ids of requests whose fill is held or released. */
export const HOLD_CHANNEL = "fill_hold";

/** Listens for held and released fills. Changes while the connection is lost are not announced. */
export async function listenToHolds(
  queues: Channels,
  listener: (requestId: string) => void,
): Promise<{ stop(): Promise<void> }> {
  const handle = await queues.listen(HOLD_CHANNEL, listener, () => undefined);
  return { stop: () => handle.close() };
}

export const SCENARIO_CHANNEL = "scenarios";

export async function listenToScenarios(queues: Channels, listener: () => void): Promise<{ stop(): Promise<void> }> {
  const handle = await queues.listen(SCENARIO_CHANNEL, listener, listener);
  return { stop: () => handle.close() };
}

/** Channel for the chain ids of ledgers with new entries. */
export const LEDGER_CHANNEL = "ledger_entry";

/** Calls the listener immediately, and after each change of a chain's ledger by any process. */
export async function listenToLedger(
  queues: Channels,
  chainId: number,
  listener: () => void,
): Promise<{ stop(): Promise<void> }> {
  const handle = await queues.listen(
    LEDGER_CHANNEL,
    (payload) => {
      if (Number(payload) === chainId) listener();
    },
    listener,
  );
  return { stop: () => handle.close() };
}

export const CLOCK_CHANNEL = "service_clock";

/** Listens for changes of the clock. Calls the listener immediately, and after each change by any process. */
export async function listenToClock(queues: Channels, listener: () => void): Promise<{ stop(): Promise<void> }> {
  const handle = await queues.listen(CLOCK_CHANNEL, listener, listener);
  return { stop: () => handle.close() };
}

import type { Clock } from "@crosscall/protocol/core";
import type { StatusEvent } from "@crosscall/protocol/complete";
import { STATUS_EVENT } from "@crosscall/protocol/request";
import { findRequest } from "../../store/requests/requests.ts";
import { describeStatus, type ToldChange } from "../records/describeStatus.ts";
import type { ServiceParts } from "../serviceParts.ts";

export type EventListener = (event: StatusEvent) => void;

export interface StatusEvents {
  subscribe(requestId: string, listener: EventListener): void;
  unsubscribe(requestId: string, listener: EventListener): void;
  close(): Promise<void>;
}

export async function openStatusEvents(
  parts: Pick<ServiceParts, "log" | "store"> & { readonly clock: Clock },
): Promise<StatusEvents> {
  const listeners = new Map<string, Set<EventListener>>();
  /** Sequential, so that events leave in the order of the changes. */
  let work = Promise.resolve();

  const publish = async (change: ToldChange): Promise<void> => {
    const data = await describeStatus(parts.store.db, change);
    if (data === undefined) return;
    const event: StatusEvent = { event: STATUS_EVENT, publishedAt: parts.clock.now(), data };
    for (const listener of listeners.get(change.requestId) ?? []) listener(event);
  };
  const schedule = (requestId: string, task: () => Promise<void>): void => {
    work = work.then(task).catch((error: unknown) => parts.log.error({ requestId, error }, "could not send an event"));
  };
  /** Sends the present state after changes may have been missed. */
  const publishPresent = async (requestId: string): Promise<void> => {
    const request = await findRequest(parts.store.db, requestId);
    if (request === undefined) return;
    await publish({ requestId, status: request.status, updatedAt: request.updated_at.getTime() });
  };
  const changes = await parts.store.onStatusChange({
    onChange(change) {
      // Changes without subscribers cost nothing.
      if (listeners.has(change.requestId)) schedule(change.requestId, () => publish(change));
    },
    onGap() {
      for (const requestId of listeners.keys()) schedule(requestId, () => publishPresent(requestId));
    },
  });

  return {
    subscribe(requestId, listener) {
      listeners.set(requestId, (listeners.get(requestId) ?? new Set()).add(listener));
    },
    unsubscribe(requestId, listener) {
      const ofRequest = listeners.get(requestId);
      ofRequest?.delete(listener);
      if (ofRequest?.size === 0) listeners.delete(requestId);
    },
    async close() {
      await changes.stop();
      listeners.clear();
      await work;
    },
  };
}

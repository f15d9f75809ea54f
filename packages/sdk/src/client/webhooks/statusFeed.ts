import type { StatusEvent } from "@crosscall/protocol/request";

/** Passes webhook events to the calls that watch a request. */
export interface StatusFeed {
  publish(event: StatusEvent): void;
  /** Calls a listener for each event of a request, until the returned function is called. */
  subscribe(requestId: string, listener: (event: StatusEvent) => void): () => void;
}

/**
 * Creates a status feed. It stores no events: a late subscriber requests the current status from the service first.
 */
export function createStatusFeed(): StatusFeed {
  const listeners = new Map<string, Set<(event: StatusEvent) => void>>();
  return {
    publish(event) {
      for (const listener of listeners.get(event.data.requestId.toLowerCase()) ?? []) listener(event);
    },
    subscribe(requestId, listener) {
      // A new function, since the same listener may subscribe twice.
      const own = (event: StatusEvent): void => listener(event);
      const key = requestId.toLowerCase();
      const ofRequest = listeners.get(key) ?? new Set();
      listeners.set(key, ofRequest.add(own));
      return () => {
        ofRequest.delete(own);
        if (ofRequest.size === 0 && listeners.get(key) === ofRequest) listeners.delete(key);
      };
    },
  };
}

import type { StatusEvent } from "../../protocol/request/statusEvent.ts";

/** Brings the events of a webhook to those who watch a request. */
export interface StatusFeed {
  publish(event: StatusEvent): void;
  /** Tells a listener of each event of a request, until the function that it returns is called. */
  subscribe(requestId: string, listener: (event: StatusEvent) => void): () => void;
}

/** Makes a feed. It keeps no events: who subscribes later asks the service for the status first. */
export function createStatusFeed(): StatusFeed {
  const listeners = new Map<string, Set<(event: StatusEvent) => void>>();
  return {
    publish(event) {
      for (const listener of listeners.get(event.data.requestId.toLowerCase()) ?? []) listener(event);
    },
    subscribe(requestId, listener) {
      // A function of its own: the same listener may subscribe twice.
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

import { AbortedError, pause } from "@crosscall/protocol/core";
import { addUsage, dropUsage, type UsageCount } from "../../store/usage.ts";
import type { ServiceApp } from "../route.ts";
import type { Reporter } from "../../log.ts";
import type { Recorder } from "../../market/market.ts";

const MINUTE_MS = 60_000;

/** The longest period that can be queried, in milliseconds. */
const KEPT_MS = 14 * 24 * 60 * MINUTE_MS;

/** Interval between writes. A reader first writes the counts of its own process. */
const WRITE_INTERVAL_MS = 5_000;

const DROP_INTERVAL_MS = 60 * MINUTE_MS;

export interface Usage {
  /** Writes the counts since the last write. */
  write(): Promise<void>;
}

/** Counts the HTTP requests of each key by minute, endpoint and result. Requests without a key are not counted. */
export function countUsage(app: ServiceApp, parts: Reporter & Recorder): Usage {
  let counts = new Map<string, UsageCount>();
  const errorCodes = new WeakMap<object, string>();
  const addCount = (added: UsageCount): void => {
    const { keyHash, at, endpoint, statusCode, errorCode } = added;
    const key = JSON.stringify([keyHash, at.getTime(), endpoint, statusCode, errorCode]);
    counts.set(key, { ...added, count: added.count + (counts.get(key)?.count ?? 0) });
  };
  app.addHook("preSerialization", (request, reply, payload, done) => {
    const errorCode = reply.statusCode === 400 ? errorCodeOf(payload) : undefined;
    if (errorCode !== undefined) errorCodes.set(request, errorCode);
    done(null, payload);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { caller, routeOptions } = request;
    done();
    if (caller === undefined || routeOptions.url === undefined) return;
    const { keyHash } = caller;
    const { statusCode } = reply;
    const minute = Math.floor(parts.clock.now() / MINUTE_MS) * MINUTE_MS;
    const endpoint = toEndpoint(routeOptions.url);
    const errorCode = errorCodes.get(request) ?? "";
    addCount({ keyHash, at: new Date(minute), endpoint, statusCode, errorCode, count: 1 });
  });
  const write = async (): Promise<void> => {
    // Sorted, so that processes do not deadlock.
    const counted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
    counts = new Map();
    try {
      await addUsage(parts.store.db, counted);
    } catch (error) {
      counted.forEach(addCount);
      throw error;
    }
  };
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    let droppedAt = -Infinity;
    while (await pause(WRITE_INTERVAL_MS, stop.signal)) {
      if (counts.size === 0) continue;
      try {
        await write();
        const now = parts.clock.now();
        if (now - droppedAt < DROP_INTERVAL_MS) continue;
        await dropUsage(parts.store.db, new Date(now - KEPT_MS));
        droppedAt = now;
      } catch (error) {
        parts.log.error({ error }, "could not write the usage of keys");
      }
    }
  };
  const running = run();
  app.addHook("onClose", async () => {
    stop.abort(new AbortedError({ what: "counting the usage of keys" }));
    await running;
    await write();
  });
  return { write };
}

function errorCodeOf(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const code = "errorCode" in payload ? payload.errorCode : "code" in payload ? payload.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Formats the path as in the documentation. */
function toEndpoint(url: string): string {
  return url.replace(/:(\w+)/gu, "{$1}");
}

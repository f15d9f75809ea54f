import type { FastifyReply, FastifyRequest } from "fastify";

import type { Markup } from "../../replay/report/html/markup.ts";
import { rejectForbidden } from "../service/rejection.ts";
import type { Reporter } from "../log.ts";
import type { Recorder } from "../market/market.ts";

const CONNECTIONS_MAX = 64;

/** A change of one request, or all changes since a time. */
export type Change = { readonly requestId: string } | { readonly sinceSeconds: number };

export interface LiveParameters {
  /** Time of the data on the page, in Unix seconds. */
  readonly sinceSeconds: number;
  /** Renders the event data for a change. */
  readonly render: (change: Change) => Promise<readonly Markup[]>;
}

export interface LiveChanges {
  /** Serves server-sent events named `request` until the browser leaves. */
  serve(request: FastifyRequest, reply: FastifyReply, parameters: LiveParameters): void;
  close(): Promise<void>;
}

interface Stream {
  push(requestId: string): void;
  missed(): void;
}

/** Forwards new requests and changes from the store to open pages. */
export async function openLiveChanges({ store, clock, log }: Reporter & Recorder): Promise<LiveChanges> {
  const streams = new Set<Stream>();
  const push = (requestId: string): void => streams.forEach((stream) => stream.push(requestId));
  const changes = await store.onStatusChange({
    onChange: ({ requestId }) => push(requestId),
    onGap: () => streams.forEach((stream) => stream.missed()),
  });
  const creations = await store.onCreation(push);
  const holds = await store.onHoldChange(push);
  return {
    serve(request, reply, { sinceSeconds, render }) {
      if (streams.size >= CONNECTIONS_MAX) {
        throw rejectForbidden("connections", `${CONNECTIONS_MAX} pages are open`, "Close some of them.");
      }
      const { raw } = reply;
      // On reconnect, a browser sends the id of the last received event.
      const seen = Number(request.headers["last-event-id"] ?? sinceSeconds);
      const waiting = new Set<string>();
      let since: number | undefined = Number.isSafeInteger(seen) ? seen : sinceSeconds;
      let lastSeconds = since;
      let isBusy = false;
      const send = async (change: Change): Promise<void> => {
        const now = Math.floor(clock.now() / 1_000);
        const messages = await render(change);
        lastSeconds = now;
        for (const { text } of messages) {
          if (raw.destroyed) return;
          const data = text.split(/\r\n|\r|\n/u).map((line) => `data: ${line}\n`);
          if (!raw.write(`event: request\nid: ${now}\n${data.join("")}\n`)) await drained(raw);
        }
      };
      /** Handles one change at a time. Waiting changes of the same request are merged. */
      const work = async (): Promise<void> => {
        if (isBusy) return;
        isBusy = true;
        try {
          while (!raw.destroyed && (since !== undefined || waiting.size > 0)) {
            const [requestId] = waiting;
            if (since !== undefined) {
              const sinceNow = since;
              since = undefined;
              await send({ sinceSeconds: sinceNow });
            } else if (requestId !== undefined) {
              waiting.delete(requestId);
              await send({ requestId });
            }
          }
        } catch (error) {
          log.error({ error }, "could not update a page of the console");
          raw.destroy();
        } finally {
          isBusy = false;
        }
      };
      const stream: Stream = {
        push(requestId) {
          waiting.add(requestId);
          void work();
        },
        missed() {
          since = lastSeconds;
          void work();
        },
      };
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value);
      raw.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
      raw.flushHeaders();
      streams.add(stream);
      raw.on("close", () => streams.delete(stream));
      void work();
    },
    async close() {
      await holds.stop();
      await creations.stop();
      await changes.stop();
      streams.clear();
    },
  };
}

function drained(raw: FastifyReply["raw"]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off("drain", done).off("close", done);
      resolve();
    };
    raw.on("drain", done).on("close", done);
  });
}

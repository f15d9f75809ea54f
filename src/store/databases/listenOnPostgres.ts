import type { Client } from "pg";

import { pause } from "@crosscall/sdk/internal/core/abort";
import { AbortedError } from "@crosscall/sdk/internal/core/errors";

export interface PostgresListener {
  /** `onConnect` is called at once, and after each reconnect, since notices may have been missed. */
  listen(
    channel: string,
    onNotice: (payload: string) => void,
    onConnect: () => void,
  ): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

interface ListenerParameters {
  readonly connect: () => Promise<Client>;
  readonly onError: (error: Error) => void;
}

interface Channel {
  readonly onNotice: (payload: string) => void;
  readonly onConnect: () => void;
}

const RECONNECT_MS = 100;
const RECONNECT_MAX_MS = 5_000;

/** A connection that is lost in silence is found after this time and the timeout of a statement. */
const HEARTBEAT_MS = 10_000;

/** Listens to any number of channels on one connection, which is opened with the first one. */
export function listenOnPostgres({ connect, onError }: ListenerParameters): PostgresListener {
  const stop = new AbortController();
  const channels = new Map<string, Channel>();
  let client: Client | undefined;
  let opening: Promise<void> | undefined;
  let running: Promise<void> | undefined;

  const open = async (): Promise<AbortSignal> => {
    const opened = await connect();
    const lost = new AbortController();
    opened.once("end", () => lost.abort());
    opened.on("notification", ({ channel, payload = "" }) => channels.get(channel)?.onNotice(payload));
    client = opened;
    await subscribe(opened, [...channels.keys()]);
    return AbortSignal.any([lost.signal, stop.signal]);
  };
  const watch = async (present: AbortSignal): Promise<void> => {
    while (await pause(HEARTBEAT_MS, present)) await client?.query("select");
  };
  const leave = async (): Promise<void> => {
    const left = client;
    client = undefined;
    await left?.end().catch(() => undefined);
  };
  const run = async (first: AbortSignal): Promise<void> => {
    let present: AbortSignal | undefined = first;
    let waitMs = RECONNECT_MS;
    for (;;) {
      try {
        if (present === undefined) {
          present = await open();
          waitMs = RECONNECT_MS;
          channels.forEach(({ onConnect }) => onConnect());
        }
        await watch(present);
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
      present = undefined;
      await leave();
      if (!(await pause(waitMs, stop.signal))) return;
      waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS);
    }
  };
  const start = async (): Promise<void> => {
    try {
      running = run(await open());
    } catch (error) {
      opening = undefined;
      await leave();
      throw error;
    }
  };
  return {
    async listen(channel, onNotice, onConnect) {
      channels.set(channel, { onNotice, onConnect });
      try {
        if (opening === undefined) await (opening = start());
        else {
          await opening;
          // If the connection is lost, the next one listens to all channels.
          if (client !== undefined) await subscribe(client, [channel]).catch(onError);
        }
      } catch (error) {
        channels.delete(channel);
        throw error;
      }
      onConnect();
      return {
        async close() {
          channels.delete(channel);
          await client?.query(`unlisten ${quoted(channel)}`).catch(onError);
        },
      };
    },
    async close() {
      stop.abort(new AbortedError({ what: "the database's notices" }));
      await running;
      await leave();
    },
  };
}

async function subscribe(client: Client, channels: readonly string[]): Promise<void> {
  if (channels.length > 0) await client.query(channels.map((channel) => `listen ${quoted(channel)}`).join(";"));
}

function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}

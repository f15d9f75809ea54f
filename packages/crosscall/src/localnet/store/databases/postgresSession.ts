import type { Client } from "pg";

import { AbortedError, pause } from "@crosscall/protocol/core";
import type { Lease } from "./openDatabase.ts";

/** Operations that require a dedicated session. The first use opens it, and later uses reopen a lost session. */
export interface PostgresSession {
  /**
   * Listens for notices. `onConnect` is called immediately, and after each reconnect because notices may have been
   * missed.
   */
  listen(
    channel: string,
    onNotice: (payload: string) => void,
    onConnect: () => void,
  ): Promise<{ close(): Promise<void> }>;
  /** Requests a lease. The server gives it to another process when this process ends or its connection is lost. */
  lease(name: string, onGain: () => void): Promise<Lease>;
  close(): Promise<void>;
}

interface SessionParameters {
  readonly connect: () => Promise<Client>;
  readonly onError: (error: Error) => void;
}

interface Channel {
  readonly onNotice: (payload: string) => void;
  readonly onConnect: () => void;
}

interface LeaseState {
  readonly onGain: () => void;
  isHeld: boolean;
  /** Earliest time of the next attempt, on the clock of `performance.now()`. */
  notBefore: number;
}

const RECONNECT_MS = 100;
const RECONNECT_MAX_MS = 5_000;

/** Interval between checks for silently lost connections. Detection also takes the timeout of a statement. */
const HEARTBEAT_MS = 10_000;

/** Interval between attempts to obtain a lease that another process holds. */
const LEASE_MS = 1_000;

/** Time that another process has to take over after this process yields. */
const YIELD_MS = 3 * LEASE_MS;

export function openSession({ connect, onError }: SessionParameters): PostgresSession {
  const stop = new AbortController();
  const channels = new Map<string, Channel>();
  const leases = new Map<string, LeaseState>();
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
  const takeLeases = async (): Promise<void> => {
    const open = [...leases].filter(([, { isHeld, notBefore }]) => !isHeld && performance.now() >= notBefore);
    if (client === undefined || open.length === 0) return;
    const { rows } = await client.query<{ name: string; taken: boolean }>(
      "select name, pg_try_advisory_lock(hashtextextended(name, 0)) as taken from unnest($1::text[]) as name",
      [open.map(([name]) => name)],
    );
    for (const { name, taken } of rows) {
      const lease = leases.get(name);
      if (!taken || lease === undefined) continue;
      lease.isHeld = true;
      lease.onGain();
    }
  };
  const watch = async (present: AbortSignal): Promise<void> => {
    const waitMs = (): number => ([...leases.values()].every(({ isHeld }) => isHeld) ? HEARTBEAT_MS : LEASE_MS);
    while (await pause(waitMs(), present)) {
      if (waitMs() === LEASE_MS) await takeLeases();
      else await client?.query("select");
    }
  };
  const leave = async (): Promise<void> => {
    const left = client;
    client = undefined;
    for (const lease of leases.values()) lease.isHeld = false;
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
          await takeLeases();
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
  /** Runs `work` on the open connection. If the connection is lost meanwhile, runs it on the next connection. */
  const whenOpen = async (work: (client: Client) => Promise<unknown>): Promise<void> => {
    await (opening ??= start());
    if (client !== undefined) await work(client).catch(onError);
  };
  return {
    async listen(channel, onNotice, onConnect) {
      channels.set(channel, { onNotice, onConnect });
      try {
        await whenOpen((opened) => subscribe(opened, [channel]));
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
    async lease(name, onGain) {
      const lease: LeaseState = { onGain, isHeld: false, notBefore: 0 };
      const unlock = async (): Promise<void> => {
        if (!lease.isHeld) return;
        lease.isHeld = false;
        await client?.query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]).catch(onError);
      };
      leases.set(name, lease);
      try {
        await whenOpen(takeLeases);
      } catch (error) {
        leases.delete(name);
        throw error;
      }
      return {
        isHeld: () => lease.isHeld,
        async yield() {
          lease.notBefore = performance.now() + YIELD_MS;
          await unlock();
        },
        async close() {
          leases.delete(name);
          await unlock();
        },
      };
    },
    async close() {
      stop.abort(new AbortedError({ what: "the database's session" }));
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

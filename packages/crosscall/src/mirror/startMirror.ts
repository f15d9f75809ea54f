import { type Clock, InvalidStateError, systemTimer } from "@crosscall/protocol/core";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import type { Log } from "../localnet/log.ts";
import { isOwnRequest } from "../localnet/service/caller.ts";
import { CALL_TIMEOUT_MS, createApp } from "../localnet/service/createApp.ts";
import { NO_LIMITS } from "../localnet/service/keys/keyOptions.ts";
import { openKeyRing, seedKeys } from "../localnet/service/keys/keyRing.ts";
import { listenAt } from "../localnet/service/listenAt.ts";
import { readPage } from "../localnet/service/listing/listing.ts";
import type { ServiceApp } from "../localnet/service/route.ts";
import { livesRoute, readyRoute } from "../localnet/service/routes/health.ts";
import { addRequestList } from "../localnet/service/routes/requestList.ts";
import { listRecords } from "../localnet/store/mirror/records.ts";
import { type ChangesSince, type SyncProgress, syncRequests } from "../localnet/store/mirror/syncRequests.ts";
import type { Database } from "../localnet/store/schema.ts";
import { openStore } from "../localnet/store/store.ts";

export interface MirrorOptions {
  /** Base URL of the mirrored service. */
  readonly source: string;
  readonly changesSince: ChangesSince;
  /** API keys of the requests to mirror. The mirror's own listing also accepts them. */
  readonly apiKeys: readonly string[];
  readonly database: { readonly folder: string } | { readonly url: string };
  readonly clock: Clock;
  readonly log: Log;
}

export interface Mirror {
  /**
   * Copies the changes since the last sync to the database.
   *
   * @returns the number of records
   * @throws {@link AbortedError} when the signal fires; earlier pages are stored
   * @throws errors from the listing
   */
  sync(signal: AbortSignal, onProgress?: (progress: SyncProgress) => void): Promise<number>;
  /** Serves `GET /requests/v3` on a loopback port and returns the base URL. 0 picks a free port. */
  serve(port: number): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds of overlap between syncs, because a live service can list recent changes in any order. */
const OVERLAP_MS = 60_000;

/**
 * @throws {@link InvalidStateError} if the database belongs to a local network, or the folder cannot be used
 *
 * @throws {@link DatabaseError} if the server cannot be used
 */
export async function startMirror(options: MirrorOptions): Promise<Mirror> {
  const { source, changesSince, apiKeys, database, clock, log } = options;
  const store = await openStore({ ...database, onError: (error) => log.error({ error }, "the database failed") });
  const { db } = store;
  const closers = [() => store.close()];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const scan = await db.selectFrom("scans").select("chain_id").executeTakeFirst();
    if (scan !== undefined) {
      throw new InvalidStateError({
        message: "the database belongs to a local network",
        hint: "Use a separate database for the mirror.",
      });
    }
    await seedKeys(db, { apiKeys, otherApiKeys: [], keys: [] }, new Date(clock.now()));
    return {
      async sync(signal, onProgress) {
        let before = { records: 0, total: 0 };
        for (const madeWith of apiKeys) {
          const past = before;
          await syncRequests({
            db,
            source,
            changesSince,
            madeWith,
            overlapMs: OVERLAP_MS,
            signal,
            onSkipped: (error, raw) => log.warn({ error, raw }, "a record cannot be mirrored"),
            onProgress({ records, total }) {
              before = { records: past.records + records, total: past.total + total };
              onProgress?.(before);
            },
          });
        }
        return before.records;
      },
      async serve(port) {
        const app = await createApp(
          {
            keys: openKeyRing(db, systemTimer),
            limits: NO_LIMITS,
            // A mirror has no admin endpoints and mints no tokens, so it needs no keys.
            adminKey: crypto.randomUUID(),
            networkSecret: crypto.randomUUID(),
            clock,
            callTimeoutMs: CALL_TIMEOUT_MS,
            log,
          },
          { title: "crosscall mirror", description: `Mirrored requests of ${source}.` },
        );
        livesRoute(app);
        readyRoute(app, { store });
        addMirrorList(app, store.reader);
        closers.push(() => app.close());
        const url = await listenAt(app, port);
        store.publish(url);
        return url;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function addMirrorList(app: ServiceApp, db: Database): void {
  addRequestList(app, async (listing, { caller, includesAuthenticatedData }) => {
    const { rows, envelope } = await readPage(db, listing, listRecords);
    return {
      requests: rows.map((row) =>
        includesAuthenticatedData && isOwnRequest(caller, row) ? row.record : withoutAuthenticatedData(row.record),
      ),
      ...envelope,
    };
  });
}

/** Removes the fields that only the integrator may see. Stored records contain them. */
function withoutAuthenticatedData({ data, ...record }: RequestRecord): RequestRecord {
  const { referrer: _, apiKeyName: __, ...shown } = data ?? {};
  const visible = shown.platformFee === undefined ? shown : { ...shown, platformFee: null };
  return { ...record, data: visible };
}

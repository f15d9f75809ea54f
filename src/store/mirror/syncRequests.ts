import { throwIfAborted } from "@crosscall/sdk/internal/core/abort";
import { MalformedDataError } from "@crosscall/sdk/internal/core/errors";
import type { RequestRecord } from "@crosscall/sdk/internal/protocol/request/requestRecord";
import { hashApiKey } from "../hashApiKey.ts";
import type { Database } from "../store.ts";
import { findMirrorPosition, type MirroredListing, saveMirrorPosition } from "./mirrorPosition.ts";
import { saveRecords } from "./saveRecords.ts";
import { type MirroredRequest, toMirroredRequest } from "./toMirroredRequest.ts";

/** A page of records, and how many there are on all pages, where it tells. */
export interface RecordPage {
  readonly records: readonly RequestRecord[];
  readonly total: number | undefined;
}

/**
 * Lists the requests of a key that changed at a time or later, by the time of their last change, the oldest first.
 *
 * @param sinceSeconds Unix seconds; undefined for all
 */
export type ChangesSince = (
  madeWith: string,
  sinceSeconds: number | undefined,
  signal: AbortSignal,
) => AsyncIterable<RecordPage>;

/** What {@link syncRequests} takes. */
export interface SyncParameters {
  readonly db: Database;
  /** The service's base URL, to which the position belongs. */
  readonly source: string;
  readonly changesSince: ChangesSince;
  /** The key whose requests are mirrored, one of the caller's own. */
  readonly madeWith: string;
  /**
   * How far a sync goes back behind the last one, in milliseconds: what was written at the same time becomes visible in
   * any order.
   */
  readonly overlapMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Called for each record that lacks what a mirror files it by, with the record as it came. */
  readonly onSkipped?: (error: MalformedDataError, raw: unknown) => void;
}

/** How far a sync is. */
export interface SyncProgress {
  /** Records that came so far, some of them perhaps known already. */
  readonly records: number;
  /** How many there were to come when it began. */
  readonly total: number;
}

/**
 * Brings the requests that changed since the last sync into the database. Each page is written before the position
 * behind it, so that a sync that ends anywhere is taken up there by the next, and none is missed.
 *
 * @returns how many records came
 * @throws {@link AbortedError} when the signal fires; what came until then is in the database
 * @throws what the listing throws
 */
export async function syncRequests(parameters: SyncParameters): Promise<number> {
  const { db, source, changesSince, madeWith, overlapMs, signal, onProgress, onSkipped } = parameters;
  const apiKeyHash = hashApiKey(madeWith);
  const listing: MirroredListing = { source, apiKeyHash };
  const syncedTo = await findMirrorPosition(db, listing);
  let records = 0;
  let total = 0;
  throwIfAborted(signal, "the sync");
  for await (const page of changesSince(madeWith, syncedTo && startOf(syncedTo, overlapMs), signal)) {
    total = page.total ?? total;
    const mirrored = page.records.flatMap((record) => mirror(record, apiKeyHash, onSkipped));
    await saveRecords(db, mirrored);
    const last = mirrored.at(-1);
    if (last !== undefined) await saveMirrorPosition(db, listing, new Date(last.request.updated_at));
    records += page.records.length;
    onProgress?.({ records, total: Math.max(total, records) });
    throwIfAborted(signal, "the sync");
  }
  return records;
}

/** The rows of a record; none where it lacks its id, status or times. */
function mirror(record: RequestRecord, apiKeyHash: string, onSkipped: SyncParameters["onSkipped"]): MirroredRequest[] {
  try {
    return [toMirroredRequest(record, apiKeyHash)];
  } catch (error) {
    if (!(error instanceof MalformedDataError)) throw error;
    onSkipped?.(error, record.unreadable?.raw ?? record);
    return [];
  }
}

/** Listings take whole seconds. */
function startOf(syncedTo: Date, overlapMs: number): number {
  return Math.max(Math.floor((syncedTo.getTime() - overlapMs) / 1_000), 0);
}

import { MalformedDataError, throwIfAborted } from "@crosscall/protocol/core";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import { hashApiKey } from "../hashApiKey.ts";
import type { Database, TimeColumn } from "../schema.ts";
import { saveRecords } from "./records.ts";
import { type MirroredRequest, toMirroredRequest } from "./toMirroredRequest.ts";

export interface MirrorTable {
  readonly source: string;
  readonly api_key_hash: string;
  /** Time up to which the database contains every change. */
  updated_to: TimeColumn;
}

declare module "../schema.ts" {
  interface StoreSchema {
    mirrors: MirrorTable;
  }
}

export interface MirroredListing {
  readonly source: string;
  readonly apiKeyHash: string;
}

/** Reads the time up to which the database contains every change of the listing; undefined if it was never synced. */
async function findMirrorPosition(db: Database, { source, apiKeyHash }: MirroredListing): Promise<Date | undefined> {
  const row = await db
    .selectFrom("mirrors")
    .select("updated_to")
    .where("source", "=", source)
    .where("api_key_hash", "=", apiKeyHash)
    .executeTakeFirst();
  return row?.updated_to;
}

async function saveMirrorPosition(
  db: Database,
  { source, apiKeyHash }: MirroredListing,
  updatedTo: Date,
): Promise<void> {
  await db
    .insertInto("mirrors")
    .values({ source, api_key_hash: apiKeyHash, updated_to: updatedTo })
    .onConflict((conflict) => conflict.columns(["source", "api_key_hash"]).doUpdateSet({ updated_to: updatedTo }))
    .execute();
}

export interface RecordPage {
  readonly records: readonly RequestRecord[];
  readonly total: number | undefined;
}

export type ChangesSince = (
  madeWith: string,
  sinceSeconds: number | undefined,
  signal: AbortSignal,
) => AsyncIterable<RecordPage>;

export interface SyncParameters {
  readonly db: Database;
  readonly source: string;
  readonly changesSince: ChangesSince;
  readonly madeWith: string;
  /**
   * Overlap with the previous sync in milliseconds, because changes with the same time can become visible in any order.
   */
  readonly overlapMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Called with each record without an id, status or times. */
  readonly onSkipped?: (error: MalformedDataError, raw: unknown) => void;
}

export interface SyncProgress {
  readonly records: number;
  readonly total: number;
}

/**
 * Copies the requests that changed since the last sync to the database. Writes each page before its position, so that
 * an interrupted sync resumes at this position.
 *
 * @returns the number of records
 * @throws {@link AbortedError} when the signal fires
 * @throws errors from the listing
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

function mirror(record: RequestRecord, apiKeyHash: string, onSkipped: SyncParameters["onSkipped"]): MirroredRequest[] {
  try {
    return [toMirroredRequest(record, apiKeyHash)];
  } catch (error) {
    if (!(error instanceof MalformedDataError)) throw error;
    onSkipped?.(error, record.unreadable?.raw ?? record);
    return [];
  }
}

/** Returns the start of a sync in whole seconds, because listings only accept these. */
function startOf(syncedTo: Date, overlapMs: number): number {
  return Math.max(Math.floor((syncedTo.getTime() - overlapMs) / 1_000), 0);
}

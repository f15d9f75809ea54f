import { statfsSync } from "node:fs";

import type { PGlite } from "@electric-sql/pglite";

import { DatabaseError } from "../databaseError.ts";
import { PARSE, SIMPLE_QUERY, textAt, toMessage, toText } from "./protocolMessages.ts";

/** For the next file of the write-ahead log (16 MB), buffered pages (16 MB), and a statement that begins now. */
const RESERVE_BYTES = 48 * 1_048_576;

// PostgreSQL, appendix A.
const DISK_FULL = "53100";
const READ_ONLY_TRANSACTION = "25006";

export interface DiskGuard {
  /** Whether closing the database could fail: it writes. The next start recovers a database that was not closed. */
  mayClose(): boolean;
}

/**
 * Lets the database only read while its disk is almost full. PostgreSQL ends if it cannot write its log, and PGlite then
 * blocks the process at the next statement, so none is sent to it after that.
 */
export function guardDisk(pglite: PGlite, folder: string): DiskGuard {
  const execute = pglite.execProtocolStream.bind(pglite);
  let isInTransaction = false;
  let isReadOnly = false;
  let failure: DatabaseError | undefined;

  pglite.execProtocolStream = async (message, options) => {
    if (failure !== undefined) {
      // Callers wait for the begin of a transaction before they see errors.
      if (isTransactionControl(message)) return [];
      throw failure;
    }
    if (!isInTransaction && (message[0] === PARSE || message[0] === SIMPLE_QUERY)) {
      const isFull = freeBytes(folder) < RESERVE_BYTES;
      if (isFull !== isReadOnly) {
        await execute(toMessage(SIMPLE_QUERY, toText(`set default_transaction_read_only = ${isFull}`)), options);
        isReadOnly = isFull;
      }
    }
    try {
      const messages = await execute(message, options);
      for (const each of messages) if (isReady(each)) isInTransaction = each.status !== "I";
      return messages;
    } catch (cause) {
      const { code, severity } = cause as { readonly code?: unknown; readonly severity?: unknown };
      const isFull = code === DISK_FULL || (isReadOnly && code === READ_ONLY_TRANSACTION);
      const error = new DatabaseError({ database: folder, flaw: isFull ? "disk-full" : "ended", cause });
      // The program itself ends with an error of another kind.
      if (severity !== "ERROR") failure = error;
      throw isFull || severity !== "ERROR" ? error : cause;
    }
  };
  return { mayClose: () => failure === undefined && freeBytes(folder) >= RESERVE_BYTES };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function isReady(message: object): message is { readonly name: "readyForQuery"; readonly status: string } {
  return "name" in message && message.name === "readyForQuery";
}

function isTransactionControl(message: Uint8Array): boolean {
  return message[0] === SIMPLE_QUERY && /^(?:begin|rollback)\b/iu.test(textAt(message, 5));
}

import { statfsSync } from "node:fs";

import type { PGlite } from "@electric-sql/pglite";

import { DatabaseError } from "../databaseError.ts";

// Message types of PostgreSQL's protocol (PostgreSQL, section 54.7).

const PARSE = 0x50;
const DESCRIBE = 0x44;
const BIND = 0x42;
const SIMPLE_QUERY = 0x51;
const CLOSE = 0x43;
const STATEMENT = 0x53;

/** Reads the text that starts at a position. */
function textAt(message: Uint8Array, from: number): string {
  return Buffer.from(message.subarray(from, message.indexOf(0, from))).toString();
}

function toText(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

function toMessage(type: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  const message = Buffer.alloc(5 + body.length);
  message[0] = type;
  // The length field includes its own size.
  message.writeInt32BE(4 + body.length, 1);
  message.set(body, 5);
  return message;
}

/**
 * Minimum free disk space: the next file of the write-ahead log (16 MB), buffered pages (16 MB), and a starting
 * statement.
 */
const RESERVE_BYTES = 48 * 1_048_576;

// PostgreSQL, appendix A.
const DISK_FULL = "53100";
const READ_ONLY_TRANSACTION = "25006";

export interface DiskGuard {
  /** Returns whether there is space to close the database. The next start recovers an unclosed database. */
  mayClose(): boolean;
}

/**
 * Makes the database read-only while its disk is almost full. PostgreSQL stops if it cannot write its log, and PGlite
 * then blocks the process at the next statement. After such a failure, no more statements are sent.
 */
export function guardDisk(pglite: PGlite, folder: string): DiskGuard {
  const execute = pglite.execProtocolStream.bind(pglite);
  let isInTransaction = false;
  let isReadOnly = false;
  let failure: DatabaseError | undefined;

  pglite.execProtocolStream = async (message, options) => {
    if (failure !== undefined) {
      // Lets `begin` succeed, because callers handle errors only within a transaction.
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
      // A severity other than ERROR means that PostgreSQL itself stopped.
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

type Messages = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

interface Prepared {
  readonly name: string;
  /** Descriptions of a statement's parameters and columns. */
  readonly description: Messages;
  uses: number;
}

interface Query {
  readonly text: string;
  /** Name of the prepared statement; undefined if the statement is not prepared. */
  readonly name: string | undefined;
  prepared: Prepared | undefined;
}

const STATEMENTS_MAX = 500;

/** Number of uses after which a statement is planned again, because plans do not adapt to growing tables. */
const USES_MAX = 500;

/** Matches statements that can change the columns of prepared statements. */
const SCHEMA_CHANGE = /\b(?:alter|create|drop)\b/iu;

/**
 * Makes a database parse and plan each statement once instead of on every use. Parsing and planning take longer than
 * executing most statements. PGlite does not prepare statements, so this adds names to the messages that it sends.
 */
export function prepareStatements(pglite: PGlite): void {
  const execute = pglite.execProtocolStream.bind(pglite);
  const statements = new Map<string, Prepared>();
  let names = 0;
  let query: Query | undefined;

  pglite.execProtocolStream = async (message, options) => {
    switch (message[0]) {
      case SIMPLE_QUERY:
        if (SCHEMA_CHANGE.test(textAt(message, 5))) statements.clear();
        return execute(message, options);
      case PARSE: {
        query = undefined;
        // Handles only statements without a name and without parameter types.
        if (message[5] !== 0 || message.at(-1) !== 0 || message.at(-2) !== 0) return execute(message, options);
        const text = textAt(message, 6);
        if (SCHEMA_CHANGE.test(text)) statements.clear();
        const known = statements.get(text);
        if (known !== undefined && known.uses < USES_MAX) {
          known.uses += 1;
          query = { text, name: known.name, prepared: known };
          return [];
        }
        if (known !== undefined) {
          statements.delete(text);
          await execute(toMessage(CLOSE, Buffer.from([STATEMENT]), toText(known.name)), options);
        }
        if (statements.size >= STATEMENTS_MAX) return execute(message, options);
        names += 1;
        query = { text, name: `s${names}`, prepared: undefined };
        return execute(toMessage(PARSE, toText(`s${names}`), message.subarray(6)), options);
      }
      case DESCRIBE: {
        if (query?.name === undefined) return execute(message, options);
        if (query.prepared === undefined) {
          const description = await execute(toMessage(DESCRIBE, Buffer.from([STATEMENT]), toText(query.name)), options);
          query.prepared = { name: query.name, description, uses: 1 };
          statements.set(query.text, query.prepared);
        }
        return query.prepared.description;
      }
      case BIND:
        if (query?.name === undefined) return execute(message, options);
        // The portal must also be unnamed.
        return execute(toMessage(BIND, toText(""), toText(query.name), message.subarray(7)), options);
      default:
        return execute(message, options);
    }
  };
}

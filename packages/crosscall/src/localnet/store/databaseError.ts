import { CrosscallError } from "@crosscall/protocol/core";

export type DatabaseFlaw =
  | "unreachable"
  | "connection-lost"
  | "access-denied"
  | "missing"
  | "newer-schema"
  | "unknown-schema"
  | "in-use"
  | "disk-full"
  | "read-only"
  | "ended";

const FLAWS: Readonly<Record<DatabaseFlaw, { readonly reason: string; readonly hint: string }>> = {
  "connection-lost": {
    reason: "the connection was lost",
    hint: "Try again: the next statement opens a new connection. A statement that was running may have been executed.",
  },
  unreachable: {
    reason: "it does not respond",
    hint: "Check the host and port in the database's URL, and that the server runs and accepts connections.",
  },
  "access-denied": {
    reason: "the user or the password is wrong",
    hint: "Check the user and password in the database's URL, and the user's privileges.",
  },
  missing: { reason: "the database does not exist", hint: "Create the database, or pass another one." },
  "in-use": {
    reason: "another process uses it",
    hint: "Use the running network, stop it, or pass another folder.",
  },
  "disk-full": {
    reason: "its disk is full",
    hint: "Free space on the disk. The database then continues without a restart. Accepted requests are not lost.",
  },
  "read-only": {
    reason: "it is read-only",
    hint: "Free space on the server's disk, or pass the URL of the primary server.",
  },
  ended: {
    reason: "the database stopped with an error",
    hint: "Restart the process. The database then recovers. Accepted requests are not lost.",
  },
  "newer-schema": {
    reason: "the database was written by a newer version of crosscall",
    hint: "Use that version, or another database.",
  },
  "unknown-schema": {
    reason: "the database was written by a development version of crosscall with a different schema",
    hint: "Remove the folder, or use a new database: the data cannot be migrated.",
  },
};

export class DatabaseError extends CrosscallError {
  readonly code = "DATABASE_UNUSABLE";
  /** Name of the database, without its password. */
  readonly database: string;
  /** Reason that the database is unusable. */
  readonly flaw: DatabaseFlaw;

  /** Process that uses the folder, and the URL of its service; only for `in-use`. */
  declare readonly owner?: { readonly pid: number; readonly url?: string };

  constructor(parameters: {
    database: string;
    flaw: DatabaseFlaw;
    owner?: NonNullable<DatabaseError["owner"]>;
    cause?: unknown;
  }) {
    const { database, flaw, owner, cause } = parameters;
    const { reason, hint } = FLAWS[flaw];
    const by = owner === undefined ? "" : `: process ${owner.pid}${owner.url === undefined ? "" : ` at ${owner.url}`}`;
    super({ message: `the database ${database} cannot be used: ${reason}${by}`, hint, cause });
    this.database = database;
    this.flaw = flaw;
    if (owner !== undefined) this.owner = owner;
  }
}

import { CrosscallError } from "@crosscall/sdk/internal/core/errors";

export type DatabaseFlaw = "unreachable" | "access-denied" | "missing" | "newer-schema";

const FLAWS: Readonly<Record<DatabaseFlaw, { readonly reason: string; readonly hint: string }>> = {
  unreachable: {
    reason: "it does not respond",
    hint: "Check host and port of the database's URL, and that the server runs and takes connections.",
  },
  "access-denied": {
    reason: "the user or the password is wrong",
    hint: "Check user and password of the database's URL, and what the user may do there.",
  },
  missing: { reason: "the database does not exist", hint: "Create the database, or pass another one." },
  "newer-schema": {
    reason: "a newer version of crosscall wrote it",
    hint: "Use that version, or another database.",
  },
};

export class DatabaseError extends CrosscallError {
  readonly code = "DATABASE_UNUSABLE";
  /** The database, without its password. */
  readonly database: string;
  /** Why the database cannot be used. */
  readonly flaw: DatabaseFlaw;

  constructor(parameters: { database: string; flaw: DatabaseFlaw; cause?: unknown }) {
    const { database, flaw, cause } = parameters;
    const { reason, hint } = FLAWS[flaw];
    super({ message: `the database ${database} cannot be used: ${reason}`, hint, cause });
    this.database = database;
    this.flaw = flaw;
  }
}

import { addLedgerEntry, listLedgerEntries, lockLedger } from "../store/ledgerEntries.ts";
import type { Database, StoreTransaction } from "../store/schema.ts";

export interface LedgerLogParameters<State, Entry, Applied> {
  readonly db: Database;
  readonly chainId: number;
  /** Creates the state without entries. */
  readonly create: () => State;
  /** Applies an entry to the state. Depends on nothing else, so that every process gets the same state. */
  readonly apply: (state: State, entry: Entry) => Applied;
  /** Called with each error that a listener throws. */
  readonly onListenerError?: (error: unknown) => void;
}

/** A change of a ledger in progress. */
export interface LedgerWriter<State, Entry, Applied> {
  /** Transaction of the change. */
  readonly db: StoreTransaction;
  readonly state: State;
  /** Stores an entry and changes the state. */
  readonly add: (entry: Entry) => Promise<Applied>;
}

/** State up to a position. */
interface Copy<State, Applied> {
  readonly state: State;
  /** Position of the last entry; 0 without entries. */
  position: number;
  /** Results of the entries that listeners have not received yet. */
  unreported: { readonly position: number; readonly applied: Applied }[];
}

type Listener<State, Applied> = (applied: Applied, state: State) => void;

/**
 * State of a ledger, stored as the entries that produced it. Every process on the database reads the entries, so all
 * processes have the same state, even after a restart.
 */
export class LedgerLog<State, Entry extends object, Applied> {
  readonly #parameters: LedgerLogParameters<State, Entry, Applied>;
  readonly #listeners = new Set<Listener<State, Applied>>();
  #copy: Copy<State, Applied>;
  /** Position of the last entry that listeners know; undefined before the first read. */
  #reported: number | undefined;
  #settling: Promise<Copy<State, Applied>> | undefined;

  constructor(parameters: LedgerLogParameters<State, Entry, Applied>) {
    this.#parameters = parameters;
    this.#copy = this.#create();
  }

  /** Returns the current state. Waits for a change in progress. */
  async read(): Promise<State> {
    const copy = (await this.#synchronize(this.#parameters.db)) ?? (await this.#settle());
    return copy.state;
  }

  /** Reports committed entries, including those of other processes, to the listeners. */
  async refresh(): Promise<void> {
    if (this.#listeners.size > 0) await this.read();
  }

  /**
   * Calls the listener with the result of each entry that any process adds from now on, when this process first reads or
   * changes the ledger after the entry is committed.
   *
   * @returns a function that stops this
   */
  listen(listener: Listener<State, Applied>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Changes the ledger in a database transaction, while nothing else changes it. The entries are stored if and only if
   * the transaction commits.
   *
   * @param db transaction of the caller, which changes the ledger once; a new one by default
   */
  async write<Result>(
    work: (writer: LedgerWriter<State, Entry, Applied>) => Promise<Result>,
    db?: StoreTransaction,
  ): Promise<Result> {
    if (db === undefined) return this.#parameters.db.transaction().execute((own) => this.write(work, own));
    const copy = await this.#lock(db);
    return work({
      db,
      state: copy.state,
      add: async (entry) => {
        copy.position = await addLedgerEntry(db, this.#parameters.chainId, entry);
        return this.#apply(copy, entry, copy.position);
      },
    });
  }

  /** Waits until the change that added the last entry is committed or rolled back. */
  #settle(): Promise<Copy<State, Applied>> {
    // One connection waits for all reads.
    this.#settling ??= this.#parameters.db
      .transaction()
      .execute((db) => this.#lock(db))
      .finally(() => {
        this.#settling = undefined;
      });
    return this.#settling;
  }

  /** Waits until nothing else changes the ledger, and returns the committed state. */
  async #lock(db: StoreTransaction): Promise<Copy<State, Applied>> {
    await lockLedger(db, this.#parameters.chainId);
    for (;;) {
      const copy = await this.#synchronize(db);
      if (copy !== undefined) return copy;
      // The last entry was rolled back.
      this.#copy = this.#create();
    }
  }

  /** Applies the entries that other processes added. Returns undefined if the last entry is not committed. */
  async #synchronize(db: Database): Promise<Copy<State, Applied> | undefined> {
    for (;;) {
      const copy = this.#copy;
      const { position } = copy;
      const stored = await listLedgerEntries(db, this.#parameters.chainId, position);
      // Another call has changed the copy in the meantime.
      if (copy !== this.#copy || copy.position !== position) continue;
      if (position > 0 && stored[0]?.position !== position) return undefined;
      for (const { position: at, entry } of stored) {
        if (at <= position) continue;
        try {
          this.#apply(copy, entry as Entry, at);
        } catch (error) {
          // The state may contain parts of the entry.
          this.#copy = this.#create();
          throw error;
        }
        copy.position = at;
      }
      this.#report(copy);
      return copy;
    }
  }

  #create(): Copy<State, Applied> {
    return { state: this.#parameters.create(), position: 0, unreported: [] };
  }

  #apply(copy: Copy<State, Applied>, entry: Entry, position: number): Applied {
    const applied = this.#parameters.apply(copy.state, entry);
    copy.unreported.push({ position, applied });
    return applied;
  }

  /** Reports the entries of a copy whose entries are all committed. */
  #report(copy: Copy<State, Applied>): void {
    const { state, position, unreported } = copy;
    const last = this.#reported ?? position;
    copy.unreported = [];
    this.#reported = Math.max(last, position);
    const added = unreported.filter((candidate) => candidate.position > last);
    for (const { applied } of added) {
      for (const listener of this.#listeners) {
        try {
          listener(applied, state);
        } catch (error) {
          this.#parameters.onListenerError?.(error);
        }
      }
    }
  }
}

/** Returns the result of an entry that always has one, unlike other entries of its ledger. */
export function resultOf<Result>(result: Result | undefined): Result {
  if (result === undefined) throw new TypeError("the entry has no result");
  return result;
}

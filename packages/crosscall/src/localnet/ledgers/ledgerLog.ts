import { addLedgerEntry, listLedgerEntries, lockLedger } from "../store/ledgerEntries.ts";
import type { Database, StoreTransaction } from "../store/schema.ts";

export interface LedgerLogParameters<State, Entry, Applied> {
  readonly db: Database;
  readonly chainId: number;
  /** Creates the state without entries. */
  readonly create: () => State;
  /** Changes the state by an entry. Depends on nothing else, so that every process gets the same state. */
  readonly apply: (state: State, entry: Entry) => Applied;
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
interface Copy<State> {
  readonly state: State;
  /** Position of the last entry; 0 without entries. */
  position: number;
}

/**
 * State of a ledger, as the entries in the database that produced it. Every process on the database reads them, so all
 * have the same state, also after a restart.
 */
export class LedgerLog<State, Entry extends object, Applied> {
  readonly #parameters: LedgerLogParameters<State, Entry, Applied>;
  #copy: Copy<State>;

  constructor(parameters: LedgerLogParameters<State, Entry, Applied>) {
    this.#parameters = parameters;
    this.#copy = { state: parameters.create(), position: 0 };
  }

  /** Returns the current state. */
  async read(): Promise<State> {
    return (await this.#synchronize(this.#parameters.db)).state;
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
    const { chainId, apply } = this.#parameters;
    await lockLedger(db, chainId);
    const copy = await this.#synchronize(db);
    return work({
      db,
      state: copy.state,
      add: async (entry) => {
        copy.position = await addLedgerEntry(db, chainId, entry);
        return apply(copy.state, entry);
      },
    });
  }

  /** Applies the entries that other processes added. */
  async #synchronize(db: Database): Promise<Copy<State>> {
    const { chainId, create, apply } = this.#parameters;
    for (;;) {
      const copy = this.#copy;
      const { position } = copy;
      const stored = await listLedgerEntries(db, chainId, position);
      // Another call has changed the copy meanwhile.
      if (copy !== this.#copy || copy.position !== position) continue;
      if (position > 0 && stored[0]?.position !== position) {
        // The last entry is not committed, and may never be.
        this.#copy = { state: create(), position: 0 };
        continue;
      }
      for (const { position: at, entry } of stored) {
        if (at <= position) continue;
        apply(copy.state, entry as Entry);
        copy.position = at;
      }
      return copy;
    }
  }
}

/** Returns the result of an entry that always has one, unlike other entries of its ledger. */
export function resultOf<Result>(result: Result | undefined): Result {
  if (result === undefined) throw new TypeError("the entry has no result");
  return result;
}

import type { Timer } from "@crosscall/sdk/internal/core/timer";
import { hashApiKey } from "../../store/hashApiKey.ts";
import { findActiveKey, listKeyHashes } from "../../store/keys.ts";
import type { Database } from "../../store/store.ts";
import type { StoredLimits } from "../../store/tables/keyTables.ts";

/** Who calls, by the API key of the call. */
export interface Caller {
  readonly keyHash: string;
  readonly integrator: string;
  /** Hashes of all keys that the integrator has or had, this one among them: what they quoted stays its own. */
  readonly ownKeyHashes: ReadonlySet<string>;
  readonly limits: StoredLimits;
}

/** The keys that the service takes. */
export interface KeyRing {
  /** The owner of a key; undefined where it is unknown or revoked. */
  find(apiKey: string): Promise<Caller | undefined>;
  /** Drops what is remembered, so that a change is seen at once. */
  forget(): void;
}

/** How long a key that was found is taken without asking again: what another process revokes ends within it. */
const FRESH_MS = 1_000;

/** The keys of a store. Those in use are remembered for a second, so that a call costs no query of its own. */
export function openKeyRing(db: Database, timer: Timer): KeyRing {
  const found = new Map<string, { readonly caller: Caller; readonly at: number }>();
  return {
    async find(apiKey) {
      const hash = hashApiKey(apiKey);
      const remembered = found.get(hash);
      if (remembered !== undefined && Math.abs(timer.now() - remembered.at) < FRESH_MS) return remembered.caller;
      const at = timer.now();
      const caller = await readCaller(db, hash);
      if (caller === undefined) found.delete(hash);
      else found.set(hash, { caller, at });
      return caller;
    },
    forget: () => found.clear(),
  };
}

async function readCaller(db: Database, hash: string): Promise<Caller | undefined> {
  const key = await findActiveKey(db, hash);
  if (key === undefined) return undefined;
  const { integrator, limits } = key;
  return { keyHash: hash, integrator, limits, ownKeyHashes: new Set(await listKeyHashes(db, integrator)) };
}

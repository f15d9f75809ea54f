import type { Timer } from "@crosscall/protocol/core";
import { insertApiKey, listKeysWith, type StoredLimits } from "../../store/keys.ts";
import { hashApiKey } from "../../store/hashApiKey.ts";
import type { Database } from "../../store/schema.ts";
import { type KeyOptions, LOCAL_INTEGRATORS } from "./keyOptions.ts";

export interface Caller {
  readonly keyHash: string;
  readonly integrator: string;
  /** Hashes of all current and revoked keys of the integrator, which owns their quotes. */
  readonly ownKeyHashes: ReadonlySet<string>;
  /** Names by key hash; omits keys without a name. */
  readonly ownKeyNames: ReadonlyMap<string, string>;
  readonly limits: StoredLimits;
  /** Whether the request has an access token of the key instead of the key itself. */
  readonly hasToken?: true;
}

export interface KeyRing {
  /** Finds the caller with an API key. Returns undefined if the key is unknown or revoked. */
  find(apiKey: string): Promise<Caller | undefined>;
  /** Finds the caller by the hash of a key, like `find`. */
  findHash(keyHash: string): Promise<Caller | undefined>;
  /** Empties the cache, so that a change applies immediately. */
  forget(): void;
}

/** Maximum time for which a key is accepted after another process revoked it. */
const FRESH_MS = 1_000;

/** Opens a key ring. It caches keys in use, so that HTTP requests need no query. */
export function openKeyRing(db: Database, timer: Timer): KeyRing {
  const found = new Map<string, { readonly caller: Caller; readonly at: number }>();
  const findHash = async (hash: string): Promise<Caller | undefined> => {
    const remembered = found.get(hash);
    if (remembered !== undefined && Math.abs(timer.now() - remembered.at) < FRESH_MS) return remembered.caller;
    const at = timer.now();
    const caller = await readCaller(db, hash);
    if (caller === undefined) found.delete(hash);
    else found.set(hash, { caller, at });
    return caller;
  };
  return {
    find: (apiKey) => findHash(hashApiKey(apiKey)),
    findHash,
    forget: () => found.clear(),
  };
}

async function readCaller(db: Database, hash: string): Promise<Caller | undefined> {
  const own = await listKeysWith(db, hash);
  const key = own.find((each) => each.hash === hash);
  if (key === undefined) return undefined;
  return {
    keyHash: hash,
    integrator: key.integrator,
    limits: key.limits,
    ownKeyHashes: new Set(own.map((each) => each.hash)),
    ownKeyNames: new Map(own.flatMap((each) => (each.label === "" ? [] : [[each.hash, each.label]]))),
  };
}

export interface StartKeys {
  readonly apiKeys: readonly string[];
  readonly otherApiKeys: readonly string[];
  readonly keys: readonly KeyOptions[];
}

/** Adds the keys of the options. A revoked key stays revoked: another process may have revoked it on purpose. */
export async function seedKeys(db: Database, { apiKeys, otherApiKeys, keys }: StartKeys, at: Date): Promise<void> {
  const all: readonly KeyOptions[] = [
    ...apiKeys.map((apiKey) => ({ apiKey })),
    ...otherApiKeys.map((apiKey) => ({ apiKey, integrator: LOCAL_INTEGRATORS.stranger })),
    ...keys,
  ];
  for (const key of all) {
    await insertApiKey(db, {
      apiKey: key.apiKey,
      integrator: key.integrator ?? LOCAL_INTEGRATORS.own,
      label: key.label ?? "",
      limits: key.limits ?? {},
      createdAt: at,
    });
  }
}

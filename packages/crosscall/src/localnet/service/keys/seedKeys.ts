import { insertApiKey } from "../../store/keys.ts";
import type { Database } from "../../store/schema.ts";
import { type KeyOptions, LOCAL_INTEGRATORS } from "./keyOptions.ts";

export interface StartKeys {
  readonly apiKeys: readonly string[];
  readonly otherApiKeys: readonly string[];
  readonly keys: readonly KeyOptions[];
}

/** A revoked key stays revoked: another process may have revoked it on purpose. */
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

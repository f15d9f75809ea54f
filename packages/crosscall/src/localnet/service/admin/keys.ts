import type { Static } from "typebox";

import { MICRO_USD_E18 } from "@crosscall/protocol/quote/rules";
import { formatUsd } from "../../market/currencies.ts";
import { rejectField, rejectUnknown } from "../../market/rejection.ts";
import { trailingVolume } from "../../market/revenueShareOf.ts";
import {
  apiKeyId,
  findApiKeyById,
  insertApiKey,
  type KeyWithSponsorship,
  listApiKeys,
  revokeApiKey,
} from "../../store/keys.ts";
import { hashApiKey } from "../../store/hashApiKey.ts";
import { findRevenueShareTerms, setRevenueShareTerms, sumRevenueShare } from "../../store/revenueShares.ts";
import { findSponsorBalance, setSponsorBalance } from "../../store/sponsors.ts";
import { removeWebhook } from "../../store/webhooks.ts";
import { LOCAL_INTEGRATORS } from "../keys/keyOptions.ts";
import type { RandomSource, Recorder, StoreUser } from "../../market/market.ts";
import type { AdminKeyHolder, KeyHolder } from "../serviceParts.ts";
import type { AdminHandlers } from "./routes.ts";
import type { KeyInfo, NewKeySchema, RevenueShare } from "./schemas.ts";

export function keyHandlers(parts: Recorder & RandomSource & KeyHolder & AdminKeyHolder): AdminHandlers["keys"] {
  const { clock, keys, randomWord } = parts;
  const { db } = parts.store;
  return {
    list: async () => ({ keys: (await listApiKeys(db)).map(toKey) }),
    async add({ body }) {
      const apiKey = body.apiKey ?? `ck_${randomWord().slice(2)}`;
      const row = await addKey(parts, apiKey, body);
      keys.forget();
      return { apiKey, key: toKey(row) };
    },
    async revoke({ params: { id } }) {
      await revokeApiKey(db, id, new Date(clock.now()));
      keys.forget();
      const row = await findApiKeyById(db, id);
      if (row === undefined) throw rejectUnknown(`key ${id}`);
      await removeWebhook(db, row.hash);
      return { key: toKey(row) };
    },
  };
}

/** @throws {@link RejectionError} if the key already exists, or is the admin key */
async function addKey(
  { store, clock, adminKey }: Recorder & AdminKeyHolder,
  apiKey: string,
  body: Static<typeof NewKeySchema>,
): Promise<KeyWithSponsorship> {
  const { integrator = LOCAL_INTEGRATORS.own, label = "", limits = {}, sponsorBalance } = body;
  const hash = hashApiKey(apiKey);
  const row = await store.db.transaction().execute(async (db) => {
    const key = { apiKey, integrator, label, limits, createdAt: new Date(clock.now()) };
    if (apiKey === adminKey || !(await insertApiKey(db, key))) return undefined;
    if (sponsorBalance !== undefined) await setSponsorBalance(db, hash, BigInt(sponsorBalance) * MICRO_USD_E18);
    return findApiKeyById(db, apiKeyId(hash));
  });
  if (row !== undefined) return row;
  // Do not reveal whether the key exists or existed.
  throw rejectField("apiKey", null, "cannot be added", "Omit it to create a random key.");
}

function toKey(row: KeyWithSponsorship): KeyInfo {
  return {
    id: row.id,
    integrator: row.integrator,
    label: row.label,
    limits: row.limits,
    sponsorBalance: row.balance_usd_e18 === null ? null : (BigInt(row.balance_usd_e18) / MICRO_USD_E18).toString(),
    createdAt: row.created_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}

/** Creates the handlers for an API key's sponsorship budget. */
export function sponsorHandlers({ store: { db } }: StoreUser): AdminHandlers["sponsors"] {
  return {
    async set({ body }) {
      await setSponsorBalance(db, hashApiKey(body.apiKey), BigInt(body.balance) * MICRO_USD_E18);
      return body;
    },
    async read({ query: { apiKey } }) {
      const balance = (await findSponsorBalance(db, hashApiKey(apiKey))) ?? 0n;
      return { apiKey, balance: (balance / MICRO_USD_E18).toString() };
    },
  };
}

/** Creates the handlers for an API key's share of the platform fee (spec 2, section 9.1). */
export function revenueShareHandlers(parts: Recorder): AdminHandlers["revenueShare"] {
  return {
    async set({ body: { apiKey, businessVerified, wallet, otherVolumeUsd = "0" } }) {
      await setRevenueShareTerms(parts.store.db, {
        api_key_hash: hashApiKey(apiKey),
        is_business_verified: businessVerified,
        wallet,
        other_volume_usd: otherVolumeUsd,
      });
      return readRevenueShare(parts, apiKey);
    },
    read: ({ query: { apiKey } }) => readRevenueShare(parts, apiKey),
  };
}

async function readRevenueShare(parts: Recorder, apiKey: string): Promise<RevenueShare> {
  const hash = hashApiKey(apiKey);
  const row = await findRevenueShareTerms(parts.store.db, hash);
  const otherVolumeUsd = row?.other_volume_usd ?? "0";
  return {
    apiKey,
    businessVerified: row?.is_business_verified ?? false,
    wallet: row?.wallet ?? null,
    otherVolumeUsd,
    volumeUsd: formatUsd(await trailingVolume(parts, hash, otherVolumeUsd)),
    accruedUsd: formatUsd(await sumRevenueShare(parts.store.db, hash)),
  };
}

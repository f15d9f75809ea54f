import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { MICRO_USD_E18 } from "@crosscall/protocol/quote/rules";
import { refuseField, refuseUnknown } from "../../market/refusal.ts";
import {
  apiKeyId,
  findApiKeyById,
  hashApiKey,
  insertApiKey,
  type KeyWithSponsorship,
  listApiKeys,
  revokeApiKey,
} from "../../store/keys.ts";
import { setSponsorBalance } from "../../store/sponsors.ts";
import { removeWebhook } from "../../store/webhooks.ts";
import { LOCAL_INTEGRATORS } from "../keys/keyOptions.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";
import { AddedKeySchema, type KeyInfo, KeyListSchema, NewKeySchema, RevokedKeySchema } from "./keySchemas.ts";

const IdSchema = Type.Object({ id: Type.String({ description: "The key's id." }) });

export const keysRoute: ServiceRoute<"adminKey" | "clock" | "keys" | "randomWord" | "store"> = (app, parts) => {
  const { store, keys } = parts;
  app.get(
    "/admin/keys",
    {
      schema: {
        summary: "List API keys by id",
        response: { 200: KeyListSchema, "4xx": ServiceErrorSchema },
      },
    },
    async () => ({ keys: (await listApiKeys(store.db)).map(toKey) }),
  );
  app.post(
    "/admin/keys",
    {
      schema: {
        summary: "Create an API key; only this response contains it",
        body: NewKeySchema,
        response: {
          201: AddedKeySchema,
          "4xx": ServiceErrorSchema,
        },
      },
    },
    async ({ body }, reply) => {
      const apiKey = body.apiKey ?? `ck_${parts.randomWord().slice(2)}`;
      const row = await addKey(parts, apiKey, body);
      keys.forget();
      return reply.status(201).send({ apiKey, key: toKey(row) });
    },
  );
  app.delete(
    "/admin/keys/:id",
    {
      schema: {
        summary: "Revoke an API key permanently and delete its webhook",
        params: IdSchema,
        response: { 200: RevokedKeySchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ params: { id } }) => {
      await revokeApiKey(store.db, id, new Date(parts.clock.now()));
      keys.forget();
      const row = await findApiKeyById(store.db, id);
      if (row !== undefined) await removeWebhook(store.db, row.hash);
      if (row === undefined) throw refuseUnknown(`key ${id}`);
      return { key: toKey(row) };
    },
  );
};

/** @throws {@link RefusalError} if the key exists, or is the admin key */
async function addKey(
  { store, clock, adminKey }: Pick<ServiceParts, "adminKey" | "clock" | "store">,
  apiKey: string,
  body: Type.Static<typeof NewKeySchema>,
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
  throw refuseField("apiKey", null, "cannot be added", "Omit it to get a random key.");
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

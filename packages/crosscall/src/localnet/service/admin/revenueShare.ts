import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { nullable } from "@crosscall/protocol/schema";
import { formatUsd } from "../../market/currencies.ts";
import { trailingVolume } from "../../market/revenueShareOf.ts";
import { hashApiKey } from "../../store/keys.ts";
import { findRevenueShareTerms, setRevenueShareTerms, sumRevenueShare } from "../../store/revenueShares.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

const dollars = (description: string) =>
  Type.String({ pattern: "^[0-9]{1,80}(\\.[0-9]{1,6})?$", description: `${description} In US dollars.` });

const terms = {
  apiKey: Type.String({ minLength: 1, description: "The integrator's API key." }),
  businessVerified: Type.Boolean({ description: "Whether the business verification is complete." }),
  wallet: nullable(Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", description: "EVM wallet that receives the share." })),
  otherVolumeUsd: dollars("Volume of the trailing 30 days, in addition to the integrator's requests here."),
};

const StateSchema = Type.Object({
  ...terms,
  volumeUsd: dollars("Whole volume of the trailing 30 days."),
  accruedUsd: dollars("Share of the filled requests of this key."),
});

const NewTermsSchema = Type.Object(
  { ...terms, otherVolumeUsd: Type.Optional(terms.otherVolumeUsd) },
  { additionalProperties: false },
);

/** Revenue share on the platform fee (spec 2, section 9.1). */
export const revenueShareRoute: ServiceRoute<"clock" | "store"> = (app, parts) => {
  const { db } = parts.store;
  app.post(
    "/admin/revenue-share",
    {
      schema: {
        summary: "Set the terms of an API key's share of the platform fee",
        body: NewTermsSchema,
        response: { 200: StateSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body: { apiKey, businessVerified, wallet, otherVolumeUsd = "0" } }) => {
      await setRevenueShareTerms(db, {
        api_key_hash: hashApiKey(apiKey),
        is_business_verified: businessVerified,
        wallet,
        other_volume_usd: otherVolumeUsd,
      });
      return stateOf(parts, apiKey);
    },
  );
  app.get(
    "/admin/revenue-share",
    {
      schema: {
        summary: "What an API key's share of the platform fee is",
        querystring: Type.Object({ apiKey: terms.apiKey }),
        response: { 200: StateSchema, "4xx": ServiceErrorSchema },
      },
    },
    ({ query: { apiKey } }) => stateOf(parts, apiKey),
  );
};

async function stateOf(
  parts: Pick<ServiceParts, "clock" | "store">,
  apiKey: string,
): Promise<Type.Static<typeof StateSchema>> {
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

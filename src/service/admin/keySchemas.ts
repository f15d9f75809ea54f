import * as Type from "typebox";

import { amountText } from "@crosscall/sdk/internal/protocol/schema/schemaParts";
import { API_KEY_PATTERN, LIMIT_MAX } from "../keys/keyOptions.ts";

const limit = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: LIMIT_MAX }), Type.Literal(false)], { description }));

const LimitsSchema = Type.Object(
  {
    quote: limit("Quotes a minute; false for no limit."),
    listing: limit("Calls of the v3 listing a minute; false for no limit."),
    other: limit("All other calls a minute, but the v2 listing; false for no limit."),
  },
  { additionalProperties: false },
);

/** What may be sponsored, as the service counts caps. */
const sponsorBalance = amountText("What its quotes may spend on fees of users, in USD micro-units.");

const name = (description: string) => Type.Optional(Type.String({ pattern: "^.{1,128}$", description }));

/** Schema of a key to be added. */
export const NewKeySchema = Type.Object(
  {
    apiKey: Type.Optional(Type.String({ pattern: API_KEY_PATTERN, description: "The key; a random one if left out." })),
    integrator: name("Whose it is: keys of one integrator see each other's requests."),
    label: name("What it is for."),
    limits: Type.Optional(LimitsSchema),
    sponsorBalance: Type.Optional(sponsorBalance),
  },
  { additionalProperties: false },
);

const KeySchema = Type.Object({
  id: Type.String({ description: "Names the key without being it." }),
  integrator: Type.String(),
  label: Type.String(),
  limits: LimitsSchema,
  sponsorBalance: Type.Union([sponsorBalance, Type.Null()], { description: "Null: it may not sponsor." }),
  createdAt: Type.String({ description: "ISO 8601." }),
  revokedAt: Type.Union([Type.String({ description: "ISO 8601." }), Type.Null()]),
});

/** A key, as the controls show it: never the key itself. */
export type KeyInfo = Type.Static<typeof KeySchema>;

/** Schema of the answer that lists keys. */
export const KeyListSchema = Type.Object({ keys: Type.Array(KeySchema) });

/** Schema of the one answer that shows a key. */
export const AddedKeySchema = Type.Object({ apiKey: Type.String({ description: "The key." }), key: KeySchema });

/** Schema of the answer about a revoked key. */
export const RevokedKeySchema = Type.Object({ key: KeySchema });

import * as Type from "typebox";

import { amountText } from "@crosscall/protocol/schema";
import { API_KEY_PATTERN, LIMIT_MAX } from "../keys/keyOptions.ts";

const limit = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: LIMIT_MAX }), Type.Literal(false)], { description }));

const LimitsSchema = Type.Object(
  {
    quote: limit("Quote requests per minute; false for no limit."),
    listing: limit("v3 listing requests per minute; false for no limit."),
    other: limit("Other requests per minute, without the v2 listing; false for no limit."),
  },
  { additionalProperties: false },
);

const sponsorBalance = amountText("Fees that the key may sponsor, in millionths of a US dollar.");

const name = (description: string) => Type.Optional(Type.String({ pattern: "^.{1,128}$", description }));

export const NewKeySchema = Type.Object(
  {
    apiKey: Type.Optional(Type.String({ pattern: API_KEY_PATTERN, description: "The key; a random one by default." })),
    integrator: name("Owner: keys of one integrator see each other's requests."),
    label: name("Description."),
    limits: Type.Optional(LimitsSchema),
    sponsorBalance: Type.Optional(sponsorBalance),
  },
  { additionalProperties: false },
);

const KeySchema = Type.Object({
  id: Type.String({ description: "Id of the key; not the key itself." }),
  integrator: Type.String(),
  label: Type.String(),
  limits: LimitsSchema,
  sponsorBalance: Type.Union([sponsorBalance, Type.Null()], { description: "Null if the key may not sponsor." }),
  createdAt: Type.String({ description: "ISO 8601." }),
  revokedAt: Type.Union([Type.String({ description: "ISO 8601." }), Type.Null()]),
});

export type KeyInfo = Type.Static<typeof KeySchema>;

export const KeyListSchema = Type.Object({ keys: Type.Array(KeySchema) });

export const AddedKeySchema = Type.Object({ apiKey: Type.String({ description: "The key." }), key: KeySchema });

export const RevokedKeySchema = Type.Object({ key: KeySchema });

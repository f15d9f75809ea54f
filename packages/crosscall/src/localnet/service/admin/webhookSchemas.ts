import * as Type from "typebox";

import { RequestStatusSchema, StatusUpdateSchema } from "@crosscall/protocol/request";

const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const NewWebhookSchema = Type.Object(
  {
    apiKey: Type.String({ description: "API key whose requests are reported; it also signs the events." }),
    url: Type.String({ description: "URL that receives the events." }),
    headers: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>(
        Type.Object({}, { additionalProperties: Type.String(), description: "Sent with every event." }),
      ),
    ),
  },
  { additionalProperties: false },
);

export const WebhookSchema = Type.Object({
  keyId: Type.String({ description: "The key's id." }),
  url: Type.String(),
  headerNames: Type.Array(Type.String(), { description: "Its headers, without their values." }),
  createdAt: Type.String({ description: "ISO 8601." }),
});

export type WebhookInfo = Type.Static<typeof WebhookSchema>;

export const OneWebhookSchema = Type.Object({ webhook: WebhookSchema });

export const WebhookListSchema = Type.Object({ webhooks: Type.Array(WebhookSchema) });

export const WebhookTestSchema = Type.Object({
  isDelivered: Type.Boolean({ description: "Whether the receiver responded with 2xx." }),
  answerStatus: nullableInteger("Status of the receiver's response; null without a response."),
  problem: nullableText("Why the delivery failed."),
});

const DeliveryStateSchema = Type.Union(
  [Type.Literal("pending"), Type.Literal("delivered"), Type.Literal("undelivered")],
  { description: "undelivered: no further attempt is made." },
);

export const DeliveryQuerySchema = Type.Object(
  {
    state: Type.Optional(DeliveryStateSchema),
    requestId: Type.Optional(Type.String({ minLength: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    before: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Events with lower ids only." }),
    ),
  },
  { additionalProperties: false },
);

const DeliverySchema = Type.Object({
  id: Type.Integer({ description: "Grows with each event." }),
  keyId: Type.String(),
  requestId: Type.String(),
  status: RequestStatusSchema,
  updatedAt: Type.Integer({ description: "Time of this status, Unix milliseconds." }),
  state: DeliveryStateSchema,
  attempts: Type.Integer(),
  answerStatus: nullableInteger("HTTP status of the receiver's last response."),
  problem: nullableText("Why the last attempt failed."),
  nextAttemptAt: nullableText("ISO 8601, by the database's clock; also set during an attempt."),
  finishedAt: nullableText("ISO 8601, by the database's clock."),
  data: Type.Union([StatusUpdateSchema, Type.Null()], {
    description: "Content of the event; null before the first attempt.",
  }),
});

export type DeliveryInfo = Type.Static<typeof DeliverySchema>;

export const DeliveryListSchema = Type.Object({ deliveries: Type.Array(DeliverySchema) });

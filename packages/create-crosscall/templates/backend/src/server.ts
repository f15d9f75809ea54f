import { createFastifyWebhook, createWebhookHandler } from "@crosscall/sdk";
import fastify, { type FastifyInstance } from "fastify";
import type { Address } from "viem";

import type { Supplies } from "./supplies.ts";

const SUPPLY = {
  type: "object",
  required: ["id", "amount", "recipient"],
  additionalProperties: false,
  properties: {
    id: { type: "string", minLength: 1, maxLength: 100 },
    // Amount in the smallest unit of the asset.
    amount: { type: "string", pattern: "^[1-9][0-9]{0,30}$" },
    recipient: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" },
  },
} as const;

interface SupplyBody {
  readonly id: string;
  readonly amount: string;
  readonly recipient: Address;
}

/** Serves `/supplies` for your application (add your own authentication) and `/webhook` for the service. */
export function createServer({ supplies, apiKey }: { supplies: Supplies; apiKey: string }): FastifyInstance {
  const server = fastify();

  server.post<{ Body: SupplyBody }>("/supplies", { schema: { body: SUPPLY } }, async ({ body }, reply) => {
    const supply = await supplies.create(body.id, BigInt(body.amount), body.recipient);
    return reply.code(202).send(supply);
  });

  server.get<{ Params: { id: string } }>("/supplies/:id", async ({ params }, reply) => {
    const supply = supplies.find(params.id);
    return supply ?? reply.code(404).send({ message: "there is no supply with this id" });
  });

  // Verifies the signature of each delivery, and drops duplicates.
  const webhook = createWebhookHandler({ apiKey, feed: supplies.feed });
  server.register(createFastifyWebhook(webhook, { path: "/webhook" }));

  return server;
}

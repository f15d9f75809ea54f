import type { Static } from "typebox";

import { compact } from "@crosscall/protocol/core";
import {
  type DeliveryInfo,
  DeliveryListSchema,
  OneWebhookSchema,
  type WebhookInfo,
  WebhookListSchema,
  WebhookTestSchema,
} from "../../localnet/service/admin/webhookSchemas.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/runAdmin.ts";

interface SetOptions extends AdminOptions {
  readonly apiKey: string;
  readonly header: Readonly<Record<string, string>>;
}

export function runSet(url: string, { apiKey, header: headers, ...options }: SetOptions): Promise<void> {
  const body = { apiKey, url, headers };
  const call = { method: "PUT", path: "/admin/webhooks", body, schema: OneWebhookSchema } as const;
  return runAdmin(options, call, ({ webhook }) => toWebhookLine(webhook));
}

export function runShow(options: AdminOptions): Promise<void> {
  const call = { method: "GET", path: "/admin/webhooks", schema: WebhookListSchema } as const;
  return runAdmin(options, call, ({ webhooks }) =>
    webhooks.length === 0 ? "There are no webhooks.\n" : webhooks.map(toWebhookLine).join(""),
  );
}

function toWebhookLine({ keyId, url, headerNames }: WebhookInfo): string {
  return `${keyId}  ${url}${headerNames.length === 0 ? "" : `  (${headerNames.join(", ")})`}\n`;
}

export function runRemove(keyId: string, options: AdminOptions): Promise<void> {
  const path = `/admin/webhooks/${encodeURIComponent(keyId)}`;
  const call = { method: "DELETE", path, schema: OneWebhookSchema } as const;
  return runAdmin(options, call, ({ webhook }) => `Removed the webhook ${webhook.url}.\n`);
}

export function runTest(keyId: string, options: AdminOptions): Promise<void> {
  const path = `/admin/webhooks/${encodeURIComponent(keyId)}/test`;
  const call = { method: "POST", path, schema: WebhookTestSchema } as const;
  const print = ({ isDelivered, answerStatus, problem }: Static<typeof WebhookTestSchema>): string =>
    isDelivered
      ? `The receiver accepted it with status ${answerStatus ?? ""}.\n`
      : `The receiver did not accept it: ${problem ?? ""}.\n`;
  return runAdmin(options, call, print, (outcome) => ({ ok: outcome.isDelivered, ...outcome }));
}

interface DeliveriesOptions extends AdminOptions {
  readonly state?: string;
  readonly requestId?: string;
  readonly before?: number;
  readonly limit: number;
}

export function runDeliveries({ state, requestId, before, limit, ...options }: DeliveriesOptions): Promise<void> {
  const query = new URLSearchParams(
    compact({ limit: String(limit), state, requestId, before: before === undefined ? undefined : String(before) }),
  );
  const path = `/admin/webhooks/deliveries?${query.toString()}`;
  return runAdmin(options, { method: "GET", path, schema: DeliveryListSchema }, ({ deliveries }) =>
    deliveries.length === 0 ? "No deliveries.\n" : deliveries.map(toDeliveryLine).join(""),
  );
}

function toDeliveryLine({ id, requestId, status, state, attempts, problem }: DeliveryInfo): string {
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  const reason = problem === null ? "" : `: ${problem}`;
  return `${String(id).padStart(6)}  ${requestId}  ${status.padEnd(10)}  ${state}, ${tries}${reason}\n`;
}

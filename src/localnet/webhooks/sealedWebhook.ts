import type { WebhookRow } from "../../store/tables/webhookTables.ts";
import type { WebhookHeaders } from "./headers.ts";
import type { Sealer } from "./sealer.ts";

/** What of a webhook is secret: the key that signs its events, and headers that may hold others. */
export interface WebhookSecrets {
  readonly apiKey: string;
  readonly headers: WebhookHeaders;
}

/** Seals the secrets of a key's webhook. */
export function sealWebhook(sealer: Sealer, keyHash: string, secrets: WebhookSecrets): string {
  return sealer.seal(JSON.stringify(secrets), keyHash);
}

/** The secrets of a webhook; undefined where they were sealed under another admin key. */
export function openWebhook(sealer: Sealer, webhook: WebhookRow): WebhookSecrets | undefined {
  const text = sealer.open(webhook.sealed, webhook.key_hash);
  return text === undefined ? undefined : (JSON.parse(text) as WebhookSecrets);
}

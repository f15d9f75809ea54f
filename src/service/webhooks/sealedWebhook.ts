import type { WebhookRow } from "../../store/tables/webhookTables.ts";
import type { WebhookHeaders } from "./headers.ts";
import type { SecretBox } from "./secretBox.ts";

/** What of a webhook is secret: the key that signs its events, and headers that may hold others. */
export interface WebhookSecrets {
  readonly apiKey: string;
  readonly headers: WebhookHeaders;
}

/** Seals the secrets of a key's webhook. */
export function sealWebhook(secretBox: SecretBox, keyHash: string, secrets: WebhookSecrets): string {
  return secretBox.seal(JSON.stringify(secrets), keyHash);
}

/** The secrets of a webhook; undefined where they were sealed under another admin key. */
export function openWebhook(secretBox: SecretBox, webhook: WebhookRow): WebhookSecrets | undefined {
  const text = secretBox.open(webhook.sealed, webhook.key_hash);
  return text === undefined ? undefined : (JSON.parse(text) as WebhookSecrets);
}

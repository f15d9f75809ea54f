import type { WebhookRow } from "../../store/webhooks.ts";
import type { WebhookHeaders } from "./headers.ts";
import type { SecretBox } from "./secretBox.ts";

/** The key that signs events, and headers, which may contain secrets too. */
export interface WebhookSecrets {
  readonly apiKey: string;
  readonly headers: WebhookHeaders;
}

export function sealWebhook(secretBox: SecretBox, keyHash: string, secrets: WebhookSecrets): string {
  return secretBox.seal(JSON.stringify(secrets), keyHash);
}

/** Undefined if sealed with another secret. */
export function openWebhook(secretBox: SecretBox, webhook: WebhookRow): WebhookSecrets | undefined {
  const text = secretBox.open(webhook.sealed, webhook.key_hash);
  return text === undefined ? undefined : (JSON.parse(text) as WebhookSecrets);
}

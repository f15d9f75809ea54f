import { createCipheriv, createDecipheriv, scryptSync } from "node:crypto";

import type { WebhookRow } from "../../store/webhooks.ts";
import type { WebhookHeaders } from "./sendWebhook.ts";

export interface SecretBox {
  /** @param place place where the text is stored; the text can only be opened for the same place */
  seal(text: string, place: string): string;
  /**
   * Opens a sealed text. Returns undefined if the text was sealed with a different secret or for a different place, or
   * was altered.
   */
  open(sealed: string, place: string): string | undefined;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Creates a box that encrypts with AES-256-GCM. Derives the key by scrypt on first use.
 *
 * @param randomBytes fresh bytes, at least 12
 */
export function createSecretBox(secret: string, randomBytes: () => Uint8Array): SecretBox {
  let derived: Buffer | undefined;
  const key = (): Buffer => (derived ??= scryptSync(secret, "crosscall webhooks", 32));
  return {
    seal(text, place) {
      const nonce = randomBytes().subarray(0, NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key(), nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([body, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

/** The key that signs events, and the headers, which may also contain secrets. */
export interface WebhookSecrets {
  readonly apiKey: string;
  readonly headers: WebhookHeaders;
}

export function sealWebhook(secretBox: SecretBox, keyHash: string, secrets: WebhookSecrets): string {
  return secretBox.seal(JSON.stringify(secrets), keyHash);
}

/** Opens the secrets of a webhook. Returns undefined if they were sealed with a different secret. */
export function openWebhook(secretBox: SecretBox, webhook: WebhookRow): WebhookSecrets | undefined {
  const text = secretBox.open(webhook.sealed, webhook.key_hash);
  return text === undefined ? undefined : (JSON.parse(text) as WebhookSecrets);
}

import type { WebhookInfo } from "../../src/service/admin/webhookSchemas.ts";

/** A webhook on one line, without its secrets. */
export function toWebhookLine({ keyId, url, headerNames }: WebhookInfo): string {
  return `${keyId}  ${url}${headerNames.length === 0 ? "" : `  (${headerNames.join(", ")})`}\n`;
}

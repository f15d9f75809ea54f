import type { WebhookInfo } from "../../src/service/admin/webhookSchemas.ts";

export function toWebhookLine({ keyId, url, headerNames }: WebhookInfo): string {
  return `${keyId}  ${url}${headerNames.length === 0 ? "" : `  (${headerNames.join(", ")})`}\n`;
}

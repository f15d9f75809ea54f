import { compact } from "@crosscall/protocol/core";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { DeliveryInfo, WebhookInfo } from "../../localnet/service/admin/schemas.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { runAdmin } from "../../admin/callAdmin.ts";

interface SetOptions extends AdminOptions {
  readonly apiKey: string;
  readonly header: Readonly<Record<string, string>>;
}

export function runSet(url: string, { apiKey, header: headers, ...options }: SetOptions): Promise<void> {
  const body = { apiKey, url, headers };
  return runAdmin(options, ADMIN_ROUTES.webhooks.set, { body }, ({ webhook }) => toWebhookLine(webhook));
}

export function runShow(options: AdminOptions): Promise<void> {
  return runAdmin(options, ADMIN_ROUTES.webhooks.list, {}, ({ webhooks }) =>
    webhooks.length === 0 ? "There are no webhooks.\n" : webhooks.map(toWebhookLine).join(""),
  );
}

function toWebhookLine({ keyId, url, headerNames }: WebhookInfo): string {
  return `${keyId}  ${url}${headerNames.length === 0 ? "" : `  (${headerNames.join(", ")})`}\n`;
}

export function runRemove(keyId: string, options: AdminOptions): Promise<void> {
  const toText = ({ webhook }: { readonly webhook: WebhookInfo }) => `Removed the webhook ${webhook.url}.\n`;
  return runAdmin(options, ADMIN_ROUTES.webhooks.remove, { params: { keyId } }, toText);
}

export function runTest(keyId: string, options: AdminOptions): Promise<void> {
  return runAdmin(
    options,
    ADMIN_ROUTES.webhooks.test,
    { params: { keyId } },
    ({ isDelivered, answerStatus, problem }) =>
      isDelivered
        ? `The receiver accepted the event with status ${answerStatus ?? ""}.\n`
        : `The receiver did not accept the event: ${problem ?? ""}.\n`,
    (outcome) => ({ ok: outcome.isDelivered, ...outcome }),
  );
}

interface DeliveriesOptions extends AdminOptions {
  readonly state?: DeliveryInfo["state"];
  readonly requestId?: string;
  readonly before?: number;
  readonly limit: number;
}

export function runDeliveries({ state, requestId, before, limit, ...options }: DeliveriesOptions): Promise<void> {
  const query = { limit, ...compact({ state, requestId, before }) };
  return runAdmin(options, ADMIN_ROUTES.webhooks.deliveries, { query }, ({ deliveries }) =>
    deliveries.length === 0 ? "No deliveries.\n" : deliveries.map(toDeliveryLine).join(""),
  );
}

function toDeliveryLine({ id, requestId, status, state, attempts, problem }: DeliveryInfo): string {
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  const reason = problem === null ? "" : `: ${problem}`;
  return `${String(id).padStart(6)}  ${requestId}  ${status.padEnd(10)}  ${state}, ${tries}${reason}\n`;
}

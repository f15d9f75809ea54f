import { type DeliveryInfo, DeliveryListSchema } from "../../src/service/admin/webhookSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface DeliveriesOptions extends AdminOptions {
  readonly state?: string;
  readonly requestId?: string;
  readonly before?: number;
  readonly limit: number;
  readonly json?: boolean;
}

export function runDeliveries(options: DeliveriesOptions): Promise<void> {
  return runAdmin((signal) => listDeliveries(options, signal));
}

async function listDeliveries({ json = false, ...options }: DeliveriesOptions, signal: AbortSignal): Promise<string> {
  const { state, requestId, before, limit } = options;
  const query = new URLSearchParams({
    limit: String(limit),
    ...(state === undefined ? {} : { state }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(before === undefined ? {} : { before: String(before) }),
  });
  const path = `/admin/webhooks/deliveries?${query.toString()}`;
  const { deliveries } = await callAdmin(options, { method: "GET", path, schema: DeliveryListSchema, signal });
  if (json) return toJsonLine({ ok: true, deliveries });
  return deliveries.length === 0 ? "No deliveries.\n" : deliveries.map(toLine).join("");
}

function toLine({ id, requestId, status, state, attempts, problem }: DeliveryInfo): string {
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  const reason = problem === null ? "" : `: ${problem}`;
  return `${String(id).padStart(6)}  ${requestId}  ${status.padEnd(10)}  ${state}, ${tries}${reason}\n`;
}

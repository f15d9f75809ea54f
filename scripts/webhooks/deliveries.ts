import { Command, Option } from "commander";

import { type DeliveryInfo, DeliveryListSchema } from "../../src/localnet/service/admin/webhookSchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { parsePositive } from "../options/numbers.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface DeliveriesOptions extends AdminOptions {
  readonly state?: string;
  readonly requestId?: string;
  readonly before?: number;
  readonly limit: number;
  readonly json?: boolean;
}

/** `crosscall webhooks deliveries`: events and what came of them. */
export function deliveriesCommand(): Command {
  return addAdminOptions(
    new Command("deliveries").description("List events for webhooks and what came of them, the newest first."),
  )
    .addOption(new Option("--state <state>", "of this state only").choices(["pending", "delivered", "undelivered"]))
    .option("--request-id <id>", "of this request only")
    .option("--before <id>", "those with lower ids: the page after this one", parsePositive)
    .option("--limit <count>", "how many, 1 to 200", parsePositive, 50)
    .option("--json", "print one JSON object with what each event tells instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall webhooks deliveries --state undelivered",
        "  crosscall webhooks deliveries --request-id 0x… --json",
      ].join("\n"),
    )
    .action((options: DeliveriesOptions) => runAdmin((signal) => runDeliveries(options, signal)));
}

async function runDeliveries({ json = false, ...options }: DeliveriesOptions, signal: AbortSignal): Promise<string> {
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
  return deliveries.length === 0 ? "There are none.\n" : deliveries.map(toLine).join("");
}

function toLine({ id, requestId, status, state, attempts, problem }: DeliveryInfo): string {
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  const reason = problem === null ? "" : `: ${problem}`;
  return `${String(id).padStart(6)}  ${requestId}  ${status.padEnd(10)}  ${state}, ${tries}${reason}\n`;
}

import { Command, InvalidArgumentError } from "commander";
import type { Static } from "typebox";

import { TimeSchema } from "../src/localnet/service/admin/clock.ts";
import { addAdminOptions, type AdminOptions } from "./admin/adminOptions.ts";
import { callAdmin } from "./admin/callAdmin.ts";
import { runAdmin } from "./admin/runAdmin.ts";
import { parseInteger } from "./options/numbers.ts";
import { toJsonLine } from "./terminal/toJson.ts";

interface ClockOptions extends AdminOptions {
  readonly set?: number;
  readonly offset?: number;
  readonly reset?: boolean;
  readonly json?: boolean;
}

/** `crosscall clock`: the time that a running network's service goes by. */
export function clockCommand(): Command {
  const command = new Command("clock").description(
    "Show or set the time that a running network's service goes by. Chains keep their own.",
  );
  return addAdminOptions(command)
    .option("--set <time>", "set it: ISO 8601 or Unix milliseconds; it runs on from there", parseTime)
    .option("--offset <seconds>", "set it this far from the machine's own; negative for the past", parseInteger)
    .option("--reset", "go by the machine's own again")
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall clock",
        "  crosscall clock --set 2026-11-24T00:00:00Z",
        "  crosscall clock --offset 3600 --json",
        "  crosscall clock --reset",
      ].join("\n"),
    )
    .action((options: ClockOptions) => runAdmin((signal) => runClock(options, signal)));
}

async function runClock({ json = false, ...options }: ClockOptions, signal: AbortSignal): Promise<string> {
  const time = await callAdmin(options, { ...toCall(options), path: "/admin/clock", schema: TimeSchema, signal });
  return json ? toJsonLine({ ok: true, ...time }) : toText(time);
}

function toCall({ set, offset, reset }: ClockOptions): { method: "GET" } | { method: "PUT"; body: unknown } {
  const body = {
    ...(set === undefined ? {} : { now: set }),
    ...(offset === undefined ? {} : { offsetMs: offset * 1_000 }),
    ...(reset === true ? { reset } : {}),
  };
  return Object.keys(body).length === 0 ? { method: "GET" } : { method: "PUT", body };
}

function toText({ now, offsetMs }: Static<typeof TimeSchema>): string {
  const distance = offsetMs === 0 ? "the machine's own" : `${offsetMs} ms from the machine's own`;
  return `${new Date(now).toISOString()}  (${distance})\n`;
}

function parseTime(text: string): number {
  const time = /^\d{1,15}$/u.test(text) ? Number(text) : /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError("It is neither ISO 8601 nor Unix milliseconds.");
  return time;
}

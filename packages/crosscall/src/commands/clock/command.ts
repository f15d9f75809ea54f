import { InvalidArgumentError } from "commander";

import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { parseInteger } from "../../options/commonOptions.ts";

export function defineClock(command: Command): Command {
  return addAdminOptions(command)
    .option("--set <time>", "set the clock to this time (ISO 8601 or Unix milliseconds); it keeps running", parseTime)
    .option(
      "--offset <seconds>",
      "set the clock to the system time plus this offset; negative for the past",
      parseInteger,
    )
    .option("--reset", "use the system time again")
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall clock",
      "crosscall clock --set 2026-11-24T00:00:00Z",
      "crosscall clock --offset 3600 --json",
      "crosscall clock --reset",
    ])
    .lazyAction(async () => (await import("./run.ts")).runClock);
}

function parseTime(text: string): number {
  const time = /^\d{1,15}$/u.test(text) ? Number(text) : /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError("Use ISO 8601 or Unix milliseconds.");
  return time;
}

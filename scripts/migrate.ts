import { Command } from "commander";

import { recordsCommand } from "./migrate/records.ts";
import { reportCommand } from "./migrate/report.ts";

/** `crosscall migrate`: from the v2 listing, which ends on 24 November 2026, to v3. */
export function migrateCommand(): Command {
  return new Command("migrate")
    .description("Move from the v2 listing of requests to v3: find what code reads of it, and convert records.")
    .addCommand(reportCommand())
    .addCommand(recordsCommand());
}

import { Command } from "commander";

import { checkOracleCommand } from "./oracle/check.ts";
import { startOracleCommand } from "./oracle/start.ts";

/** `crosscall oracle`: the attestation oracle. */
export function oracleCommand(): Command {
  return new Command("oracle")
    .description("Run the attestation oracle, or check one that runs.")
    .addCommand(startOracleCommand(), { isDefault: true })
    .addCommand(checkOracleCommand());
}

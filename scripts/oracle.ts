import { Command, Option } from "commander";

import { LOG_LEVELS } from "@crosscall/sdk/internal/core/logLevel";
import { lazily } from "./options/lazily.ts";

/** `crosscall oracle`: the attestation oracle. */
export function defineOracle(command: Command): Command {
  return command.addCommand(startOracleCommand(), { isDefault: true }).addCommand(checkOracleCommand());
}

/** `crosscall oracle check`: the operations checks against an oracle that runs. */
function checkOracleCommand(): Command {
  return new Command("check")
    .description("Check an oracle after its deployment. Exits with 1 where something is not as it should be.")
    .argument("<url>", "its base URL")
    .addOption(new Option("--api-key <key>", "API key; better by the variable").env("CROSSCALL_ORACLE_API_KEY"))
    .option("--chain <id...>", "the chains that it should list")
    .option("--signer <address>", "the address that it should sign with")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall oracle check http://127.0.0.1:3100",
        "  crosscall oracle check https://oracle.example --chain base optimism --signer 0x…",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./oracle/check.ts")).runCheck));
}

/** `crosscall oracle start`: the attestation oracle, until Ctrl-C. */
function startOracleCommand(): Command {
  return new Command("start")
    .description("Start the attestation oracle as the variables of the environment say. Ctrl-C stops it.")
    .option("--configs <folder>", "where the chain files are", "configs")
    .option("--host <address>", "address to listen on; 0.0.0.0 for all", "127.0.0.1")
    .addOption(new Option("--log-level <level>", "how much to log").choices(LOG_LEVELS).default("info"))
    .option("--json", "print one JSON object when it is up; its log goes to standard error either way")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  ENVIRONMENT=localnet ECDSA_PRIVATE_KEY=… LOCAL_31337_RPC_URL=http://127.0.0.1:8545 \\",
        "    LOCAL_31338_RPC_URL=http://127.0.0.1:8546 HTTP_PORT=3100 crosscall oracle start",
        "  crosscall oracle start --configs /etc/oracle --host 0.0.0.0",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./oracle/start.ts")).runStart));
}

import { Option } from "commander";

import type { Command } from "./options/command.ts";
import { LOG_LEVELS } from "@crosscall/sdk/internal/core/logLevel";

export function defineOracle(command: Command): Command {
  command
    .command("start", { isDefault: true })
    .description("Start the attestation oracle until Ctrl-C. Environment variables and chain files configure it.")
    .option("--configs <folder>", "folder of the chain files", "configs")
    .option("--host <address>", "listen address; 0.0.0.0 for all interfaces", "127.0.0.1")
    .addOption(new Option("--log-level <level>", "log level").choices(LOG_LEVELS).default("info"))
    .option("--json", "print one JSON object once the oracle runs; logs go to standard error")
    .examples([
      "ENVIRONMENT=localnet ECDSA_PRIVATE_KEY=… LOCAL_31337_RPC_URL=http://127.0.0.1:8545 \\",
      "  LOCAL_31338_RPC_URL=http://127.0.0.1:8546 HTTP_PORT=3100 crosscall oracle start",
      "crosscall oracle start --configs /etc/oracle --host 0.0.0.0",
    ])
    .lazyAction(async () => (await import("./oracle/start.ts")).runStart);

  command
    .command("check")
    .description(
      "Check a running oracle: health, documentation, chains, signer and API key. Exits with 1 if a check fails.",
    )
    .argument("<url>", "base URL of the oracle")
    .addOption(
      new Option("--api-key <key>", "API key; prefer the environment variable").env("CROSSCALL_ORACLE_API_KEY"),
    )
    .option("--chain <id...>", "expected chains (default: any)")
    .option("--signer <address>", "expected signer (default: any)")
    .option("--json", "print one JSON object")
    .examples([
      "crosscall oracle check http://127.0.0.1:3100",
      "crosscall oracle check https://oracle.example --chain base optimism --signer 0x…",
    ])
    .lazyAction(async () => (await import("./oracle/check.ts")).runCheck);

  return command;
}

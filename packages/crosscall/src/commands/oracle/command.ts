import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { LOG_LEVELS } from "@crosscall/protocol/core";

export function defineOracle(command: Command): Command {
  command
    .command("start", { isDefault: true })
    .description("Start the attestation oracle until Ctrl-C. Configure it with environment variables and chain files.")
    .option("--configs <folder>", "folder with the chain files", "configs")
    .option("--host <address>", "listen address; 0.0.0.0 for all interfaces", "127.0.0.1")
    .addOption(
      new Option("--workers <count>", "processes that share the port; auto for one per CPU (default: 1)").env(
        "WORKERS",
      ),
    )
    .addOption(new Option("--log-level <level>", "log level").choices(LOG_LEVELS).default("info"))
    .option("--json", "print one JSON object when the oracle is ready; logs go to standard error")
    .examples([
      "ENVIRONMENT=localnet ECDSA_PRIVATE_KEY=… LOCAL_31337_RPC_URL=http://127.0.0.1:8545 \\",
      "  LOCAL_31338_RPC_URL=http://127.0.0.1:8546 HTTP_PORT=3100 crosscall oracle start",
      "crosscall oracle start --configs /etc/oracle --host 0.0.0.0",
    ])
    .lazyAction(async () => (await import("./start.ts")).runStart);

  command
    .command("check")
    .description(
      "Check a running oracle: health, readiness, documentation, chains, signer, API key, and its peers' signatures for sample requests. Exits with 1 if a check fails.",
    )
    .argument("[url]", "base URL of the oracle (default: the oracle of this folder's network)")
    .addOption(
      new Option("--api-key <key>", "API key; prefer the environment variable").env("CROSSCALL_ORACLE_API_KEY"),
    )
    .option("--chain <id...>", "expected chains; with --transaction, its chain (default: any)")
    .option(
      "--signer <address...>",
      "expected signers: of the oracle and, with sample requests, of its peers (default: any)",
    )
    .option("--transaction <hash>", "transaction with a deposit on --chain that peers must sign")
    .option("--sample <file>", "JSON lines of requests {route, body} that peers must sign, or - for standard input")
    .option("--json", "print one JSON object")
    .examples([
      "crosscall oracle check",
      "crosscall oracle check https://oracle.example --chain base optimism --signer 0x…",
      "crosscall oracle check https://oracle.example --chain base --transaction 0x… --signer 0x… 0x…",
    ])
    .lazyAction(async () => (await import("./check.ts")).runCheck);

  command
    .command("diff")
    .description(
      "Compare two running oracles: send each request in a file to both, and show the differences. Exits with 1 if a response differs.",
    )
    .argument("<a>", "base URL of oracle A")
    .argument("<b>", "base URL of oracle B")
    .requiredOption("--requests <file>", "JSON lines of requests {route, body}, or - for standard input")
    .addOption(
      new Option("--api-key-a <key>", "API key for A; prefer the environment variable").env(
        "CROSSCALL_ORACLE_API_KEY_A",
      ),
    )
    .addOption(
      new Option("--api-key-b <key>", "API key for B; prefer the environment variable").env(
        "CROSSCALL_ORACLE_API_KEY_B",
      ),
    )
    .option("--json", "print one JSON object")
    .examples([
      "crosscall oracle diff https://oracle.example http://127.0.0.1:3100 --requests requests.jsonl",
      "tail -n 1000 requests.jsonl | crosscall oracle diff https://oracle.example http://127.0.0.1:3100 --requests - --json",
    ])
    .lazyAction(async () => (await import("./diff.ts")).runDiff);

  return command;
}

import { Command, Option } from "commander";

import { loadConfiguration } from "../../src/oracle/config/loadConfiguration.ts";
import { createOracleLog, ORACLE_LOG_LEVELS, type OracleLogLevel } from "../../src/oracle/log.ts";
import { startOracle } from "../../src/oracle/startOracle.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface StartOptions {
  readonly configs: string;
  readonly host: string;
  readonly logLevel: OracleLogLevel;
  readonly json?: boolean;
}

/** `crosscall oracle start`: the attestation oracle, until Ctrl-C. */
export function startOracleCommand(): Command {
  return new Command("start")
    .description("Start the attestation oracle as the variables of the environment say. Ctrl-C stops it.")
    .option("--configs <folder>", "where the chain files are", "configs")
    .option("--host <address>", "address to listen on; 0.0.0.0 for all", "127.0.0.1")
    .addOption(new Option("--log-level <level>", "how much to log").choices(ORACLE_LOG_LEVELS).default("info"))
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
    .action(runStart);
}

async function runStart({ configs, host, logLevel, json = false }: StartOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    const configuration = await loadConfiguration(process.env, configs);
    const log = createOracleLog(logLevel, process.stderr);
    const oracle = await startOracle(configuration, { log, host });
    try {
      const chains = configuration.chains.map(({ id }) => id);
      process.stdout.write(
        json
          ? toJsonLine({ ok: true, url: oracle.url, signer: oracle.signer, chains })
          : `Oracle ${oracle.url}\nSigner ${oracle.signer}\nChains ${chains.join(", ")}\n`,
      );
      await interrupt.fired;
    } finally {
      await oracle.close();
    }
  } finally {
    interrupt.release();
  }
}

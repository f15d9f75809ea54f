import { Command, Option } from "commander";

import { InvalidInputError } from "../../src/core/errors.ts";
import { checkOracle } from "../../src/oracle/check/checkOracle.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface CheckOptions {
  readonly apiKey?: string;
  readonly chain?: readonly string[];
  readonly signer?: string;
  readonly json?: boolean;
}

/** `crosscall oracle check`: the operations checks against an oracle that runs. */
export function checkOracleCommand(): Command {
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
    .action(runCheck);
}

async function runCheck(url: string, { apiKey, chain, signer, json = false }: CheckOptions): Promise<void> {
  if (!/^https?:$/u.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    const reason = "it is no HTTP URL";
    throw new InvalidInputError({ field: "<url>", value: url, reason, cure: "Give the oracle's base URL." });
  }
  const interrupt = interruptOnCtrlC();
  try {
    const checks = await checkOracle({
      url,
      ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }),
      ...(chain === undefined ? {} : { chains: chain }),
      ...(signer === undefined ? {} : { signer }),
      signal: interrupt.signal,
    });
    const ok = checks.every(({ isMet }) => isMet);
    const lines = checks.map(({ name, isMet, seen }) => `${isMet ? "ok  " : "FAIL"} ${name}: ${seen}\n`);
    process.stdout.write(json ? toJsonLine({ ok, checks }) : lines.join(""));
    if (!ok) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}

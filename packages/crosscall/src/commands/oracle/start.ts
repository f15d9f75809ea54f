import { createOracleLog, loadConfiguration, startWorkers } from "@crosscall/oracle";
import type { LogLevel } from "@crosscall/protocol/core";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { toJsonLine, writeNotice, writeOutput } from "../../terminal/output.ts";

interface StartOptions {
  readonly configs: string;
  readonly host: string;
  readonly workers?: string;
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

export async function runStart({ configs, host, workers, logLevel, json = false }: StartOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const configuration = await loadConfiguration({ ...process.env, WORKERS: workers }, configs);
  const log = createOracleLog(logLevel, { write: writeNotice });
  const oracle = await startWorkers(configuration, { log, logFd: 2, host });
  try {
    const chains = configuration.chains.map(({ id }) => id);
    writeOutput(
      json
        ? toJsonLine({ ok: true, url: oracle.url, signer: oracle.signer, chains })
        : `Oracle ${oracle.url}\nSigner ${oracle.signer}\nChains ${chains.join(", ")}\n`,
    );
    await interrupt.fired;
  } finally {
    await oracle.close();
  }
}

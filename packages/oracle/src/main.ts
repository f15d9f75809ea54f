#!/usr/bin/env node
import { CrosscallError, printableLines } from "@crosscall/protocol/core";
import { loadConfiguration } from "./config/loadConfiguration.ts";
import { readSecrets } from "./config/readSecrets.ts";
import { createOracleLog } from "./log.ts";
import { startWorkers } from "./workers/startWorkers.ts";

// Entry point of the container, configured with environment variables. On SIGTERM, waits for requests in progress.
const log = createOracleLog("info");
try {
  // Sets the variables in the process's environment, because the AWS SDK reads it.
  Object.assign(process.env, await readSecrets(process.env.SECRETS_FOLDER ?? "/vault/secrets", process.env));
  const configuration = await loadConfiguration(process.env, "configs");
  const oracle = await startWorkers(configuration, { log, logFd: 1, host: "0.0.0.0" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      log.info({ signal }, "the oracle stops");
      void oracle.close();
    });
  }
} catch (error) {
  if (!(error instanceof CrosscallError)) throw error;
  process.stderr.write(printableLines(`${error.message}\n${error.hint}\n`));
  process.exitCode = 1;
}

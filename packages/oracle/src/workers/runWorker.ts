import type { Address } from "viem";

import { CrosscallError, type LogLevel } from "@crosscall/protocol/core";
import type { Booking, Conflict } from "../attest/ledger.ts";
import type { OracleConfiguration } from "../config/loadConfiguration.ts";
import type { RateLimitState } from "../service/rateLimit.ts";
import type { OpenedOracle } from "../startOracle.ts";
import { type Channel, openChannel } from "./channel.ts";
import type { Metrics } from "./mergeMetrics.ts";

/** Procedures of the primary process that workers call. */
export interface PrimaryProcedures {
  readonly start: () => WorkerStart;
  readonly up: (about: WorkerUp) => void;
  readonly failed: (error: WorkerFailure) => void;
  readonly count: (address: string) => RateLimitState;
  readonly book: (booking: Booking) => Conflict | undefined;
  readonly readMetrics: () => Promise<string>;
}

/** Procedures of a worker that the primary process calls. */
export interface WorkerProcedures {
  readonly readOwnMetrics: () => Promise<Metrics>;
  /** Completes requests in progress, and exits. */
  readonly close: () => Promise<void>;
}

export interface WorkerStart {
  readonly configuration: OracleConfiguration;
  readonly host: string;
  readonly level: LogLevel;
}

export interface WorkerUp {
  readonly signer: Address;
}

export interface WorkerFailure {
  readonly message: string;
  readonly hint: string;
}

// Ctrl-C reaches all processes of a terminal, but the primary process decides when workers stop.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

const open = async (): Promise<OpenedOracle> => {
  // Imported after the signal handlers are set, because loading takes a long time.
  const [{ openOracle, optimizeWebAssembly }, { createRemoteLedger }, { createOracleLog }, { destination }] =
    await Promise.all([
      import("../startOracle.ts"),
      import("../attest/ledger.ts"),
      import("../log.ts"),
      import("pino"),
    ]);
  optimizeWebAssembly();
  const { configuration, host, level } = await primary.call("start");
  // Logs to the primary process's standard output.
  const log = createOracleLog(level, destination({ dest: 1, sync: true }));
  return openOracle(
    configuration,
    { log, host },
    {
      rateLimit: { count: (address) => primary.call("count", address) },
      ledger: createRemoteLedger((booking) => primary.call("book", booking)),
      readMetrics: () => primary.call("readMetrics"),
    },
  );
};

const primary: Channel<PrimaryProcedures> = openChannel<PrimaryProcedures>(process as Required<typeof process>, {
  readOwnMetrics: async () => (await opened).observer.registry.getMetricsAsJSON(),
  async close() {
    await (await opened).close();
    process.exit();
  },
});

const opened: Promise<OpenedOracle> = open();
try {
  const { signer } = await opened;
  await primary.call("up", { signer });
} catch (error) {
  if (!(error instanceof CrosscallError)) throw error;
  await primary.call("failed", { message: error.message, hint: error.hint });
  process.exit(1);
}

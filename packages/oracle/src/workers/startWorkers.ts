import cluster from "node:cluster";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { extname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { collectDefaultMetrics, Registry } from "prom-client";
import type { Address } from "viem";

import { InvalidStateError, type LogLevel, systemClock } from "@crosscall/protocol/core";
import { bookRemote, createLedger } from "../attest/ledger.ts";
import type { OracleConfiguration } from "../config/loadConfiguration.ts";
import type { Log } from "../log.ts";
import { createRateLimit } from "../service/rateLimit.ts";
import { logStart, optimizeWebAssembly, type Oracle, portInUse, startOracle, urlOf } from "../startOracle.ts";
import { type Channel, openChannel } from "./channel.ts";
import { createMergedMetrics } from "./mergeMetrics.ts";
import type { PrimaryProcedures, WorkerFailure, WorkerProcedures, WorkerStart, WorkerUp } from "./runWorker.ts";

export interface StartWorkersOptions {
  readonly log: Log;
  /** File descriptor for the log: standard output or standard error. */
  readonly logFd: 1 | 2;
  /** Listening address; loopback by default. */
  readonly host?: string;
}

/** Packages contain JavaScript. */
const WORKER = fileURLToPath(new URL(`runWorker${extname(import.meta.url)}`, import.meta.url));

/** Time after which a worker's exit does not count as a failed start. */
const STABLE_MS = 60_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Time without a response after which a worker counts as hanging. */
const METRICS_MS = 1_000;

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly failure: WorkerFailure | undefined;
}

interface RunningWorker {
  readonly id: number;
  readonly pid: number | undefined;
  readonly channel: Channel<WorkerProcedures>;
  readonly up: Promise<WorkerUp>;
  readonly exited: Promise<Exit>;
}

/**
 * Starts the attestation oracle in the configured number of processes. If the number is one, it runs in this process.
 * Workers that exit are restarted. They share the rate limit and the ledger, and each has its own caches.
 *
 * @throws {@link InvalidStateError} if a worker does not start
 */
export async function startWorkers(
  configuration: OracleConfiguration,
  { log, logFd, host = "127.0.0.1" }: StartWorkersOptions,
): Promise<Oracle> {
  const { settings } = configuration;
  if (settings.workers === 1) {
    optimizeWebAssembly();
    return startOracle(configuration, { log, host });
  }
  requireChildProcesses();
  const port = await findPort(host, settings.port);
  const start: WorkerStart = {
    configuration: { ...configuration, settings: { ...settings, port } },
    host,
    level: log.level as LogLevel,
  };
  const ledger = createLedger();
  const rateLimit = createRateLimit(settings.rateLimit, systemClock);
  const ownMetrics = new Registry();
  collectDefaultMetrics({ register: ownMetrics });
  const metrics = createMergedMetrics();
  const running = new Set<RunningWorker>();
  const answering = new Set<RunningWorker>();
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;

  const readMetrics = async (): Promise<string> => {
    metrics.keep(0, await ownMetrics.getMetricsAsJSON());
    const readOne = async (worker: RunningWorker): Promise<void> => {
      const own = worker.channel.call("readOwnMetrics").catch(() => undefined);
      const known = await Promise.race([own, delay(METRICS_MS, undefined, { ref: false })]);
      if (!answering.has(worker)) return;
      if (known === undefined) metrics.keepCounts(worker.id);
      else metrics.keep(worker.id, known);
    };
    await Promise.all([...answering].map(readOne));
    return metrics.toText();
  };

  const run = (): RunningWorker => {
    const child = cluster.fork();
    const up = Promise.withResolvers<WorkerUp>();
    const exited = Promise.withResolvers<Exit>();
    let failure: WorkerFailure | undefined;
    const channel = openChannel<WorkerProcedures>(child, {
      start: () => start,
      up(about) {
        answering.add(worker);
        up.resolve(about);
      },
      failed: (error) => void (failure = error),
      count: (address) => rateLimit.count(address),
      book: (booking) => bookRemote(ledger, booking),
      readMetrics,
    } satisfies PrimaryProcedures);
    const worker = { id: child.id, pid: child.process.pid, channel, up: up.promise, exited: exited.promise };
    running.add(worker);
    const end = (code: number | null, signal: string | null): void => {
      running.delete(worker);
      answering.delete(worker);
      metrics.remove(worker.id);
      channel.end();
      exited.resolve({ code, signal, failure });
    };
    child.once("exit", end);
    // Handles `error`, because a process that cannot be created does not emit `exit`.
    child.on("error", (error) => {
      log.error({ error }, "a worker failed");
      if (child.process.pid === undefined) end(null, null);
    });
    return worker;
  };

  /** Restarts a worker until the oracle closes. */
  const supervise = async (number: number, started: PromiseWithResolvers<WorkerUp>): Promise<void> => {
    const slot = { hasStarted: false };
    for (let deaths = 0; !isClosing();) {
      const worker = run();
      const startedAt = performance.now();
      void worker.up.then((about) => {
        if (slot.hasStarted) log.info({ worker: number, workerPid: worker.pid }, "a worker is running again");
        slot.hasStarted = true;
        started.resolve(about);
      });
      const { code, signal, failure } = await worker.exited;
      if (isClosing()) return;
      // An exit by a signal does not indicate a configuration error.
      if (!slot.hasStarted && signal === null) {
        started.reject(cannotStart(failure, code));
        return;
      }
      deaths = performance.now() - startedAt < STABLE_MS ? deaths + 1 : 1;
      const delayMs = restartDelayMs(deaths);
      const reason = failure?.message;
      log.error({ worker: number, code, signal, reason, delayMs }, "a worker exited and is restarted");
      await delay(delayMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  const supervisors: Promise<void>[] = [];
  const startOne = (): Promise<WorkerUp> => {
    const started = Promise.withResolvers<WorkerUp>();
    supervisors.push(supervise(supervisors.length + 1, started));
    return started.promise;
  };
  const close = async (): Promise<void> => {
    closing.abort();
    // A worker exits before it responds.
    for (const { channel } of running) void channel.call("close").catch(() => undefined);
    await Promise.all(supervisors);
  };

  // Lets workers accept connections themselves. Otherwise, a connection that this process hands to a worker would stay
  // open forever if the worker dies first.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: WORKER, args: [], serialization: "advanced", stdio: ["ignore", logFd, 2, "ipc"] });
  let signer: Address;
  try {
    // Starts one worker first, so that a startup error is reported only once.
    ({ signer } = await startOne());
    await Promise.all(Array.from({ length: settings.workers - 1 }, startOne));
  } catch (error) {
    await close();
    throw error;
  }
  logStart(log, configuration, { signer, port, workers: [...running].map(({ pid }) => pid) });
  return { url: urlOf(port), signer, close, [Symbol.asyncDispose]: close };
}

/** @param deaths number of consecutive failed starts */
export function restartDelayMs(deaths: number): number {
  return deaths === 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (deaths - 2), MAX_DELAY_MS);
}

function requireChildProcesses(): void {
  // `process.permission` is undefined without Node's permission model.
  if ((process.permission as typeof process.permission | undefined)?.has("child") !== false) return;
  throw new InvalidStateError({
    message: "WORKERS is above 1, but this process is not allowed to start child processes",
    hint: "Start Node.js with --allow-child-process, or unset WORKERS.",
  });
}

function cannotStart(failure: WorkerFailure | undefined, code: number | null): InvalidStateError {
  if (failure !== undefined) return new InvalidStateError(failure);
  return new InvalidStateError({
    message: `a worker exited with ${code} during startup`,
    hint: "See the worker's output on standard error.",
  });
}

/** Finds a free port for all workers, and reports a port in use before the first worker starts. */
async function findPort(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port });
  try {
    await once(server, "listening");
  } catch (cause) {
    throw portInUse(port, cause);
  }
  const { port: found } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return found;
}

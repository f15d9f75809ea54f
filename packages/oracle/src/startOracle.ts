import { setFlagsFromString } from "node:v8";

import type { Address } from "viem";

import { type Clock, InvalidStateError, systemClock } from "@crosscall/protocol/core";
import { createExecutionHasher } from "@crosscall/protocol/attestation";
import { guardServer } from "./service/guardServer.ts";
import type { LocalNames } from "./service/localNames.ts";
import { createLedger, type Ledger } from "./attest/ledger.ts";
import { keccak256 } from "./attest/keccak.ts";
import { openChains } from "./chainTable.ts";
import { type OracleConfiguration, requireAgreement } from "./config/loadConfiguration.ts";
import { openHub } from "./hub.ts";
import type { OracleContext } from "./oracleContext.ts";
import type { Log } from "./log.ts";
import { createObserver, type Observer } from "./observer.ts";
import { openPeers } from "./peers/peers.ts";
import { type ConnectionLimits, createOracleApp } from "./service/app.ts";
import { createRateLimit, type RateLimit } from "./service/rateLimit.ts";
import { watchConnections } from "./service/watchConnections.ts";
import { createSigner } from "./signers/createSigner.ts";

/** A running oracle. */
export interface Oracle {
  /** Base URL on loopback. */
  readonly url: string;
  /** In lower case. */
  readonly signer: Address;
  /** Completes requests in progress, closes idle connections, and stops. */
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StartOracleOptions {
  readonly log: Log;
  /** Listening address; loopback by default. */
  readonly host?: string;
  readonly clock?: Clock;
  /** Host names that requests from this machine may use; any by default. */
  readonly names?: LocalNames;
  /** For tests. */
  readonly connectionLimits?: ConnectionLimits;
}

/** Parts that the processes of an oracle share. */
export interface SharedParts {
  readonly rateLimit: RateLimit;
  readonly ledger: Ledger;
  /** Returns the metrics of all processes in Prometheus text format. */
  readonly readMetrics: () => Promise<string>;
}

export interface OpenedOracle extends Oracle {
  readonly port: number;
  readonly observer: Observer;
}

/**
 * Starts the attestation oracle in this process.
 *
 * @throws {@link InvalidStateError} if a key service does not return its public key, or the port is in use
 */
export async function startOracle(configuration: OracleConfiguration, options: StartOracleOptions): Promise<Oracle> {
  const oracle = await openOracle(configuration, options);
  const { signer, port } = oracle;
  logStart(options.log, configuration, { signer, port });
  return oracle;
}

/**
 * Starts the oracle without logging the start.
 *
 * @param shared parts shared between processes; separate parts by default
 */
export async function openOracle(
  { settings, chains: chainConfigs, hub, disabledChains = {} }: OracleConfiguration,
  { log, host = "127.0.0.1", clock = systemClock, names, connectionLimits }: StartOracleOptions,
  shared?: SharedParts,
): Promise<OpenedOracle> {
  const { oracleVersion, evmChainId, oracleAddress } = hub;
  requireAgreement(chainConfigs);
  const signer = await createSigner(settings.signing);
  const observer = createObserver(log, signer.address, Object.keys(disabledChains));
  const hubReader = openHub(hub, { clock, observer });
  const chains = openChains(chainConfigs, { clock, observer, hub: hubReader });
  const peers = openPeers(settings, observer);
  const context = {
    settings,
    disabledChains,
    chains,
    hub,
    hubReader,
    ledger: shared?.ledger ?? createLedger(),
    signer,
    peers,
    clock,
    observer,
    log,
    rateLimit: shared?.rateLimit ?? createRateLimit(settings.rateLimit, clock),
    readMetrics: shared?.readMetrics ?? (() => observer.registry.metrics()),
    hashExecution: createExecutionHasher(
      { oracleVersion, evmChainId, oracleAddress: oracleAddress as Address },
      keccak256,
    ),
  };
  const app = await createOracleApp(context, connectionLimits);
  if (names !== undefined) guardServer(app.server, names);
  const connections = watchConnections(app.server);
  const close = async (): Promise<void> => {
    const ending = connections.start();
    await app.close().finally(() => ending.stop());
    for (const part of [chains, hubReader, peers]) part.close();
  };
  try {
    await app.listen({ host, port: settings.port });
  } catch (cause) {
    await close();
    throw portInUse(settings.port, cause);
  }
  checkChains(context);
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : settings.port;
  const url = urlOf(port);
  return { url, port, signer: signer.address, observer, close, [Symbol.asyncDispose]: close };
}

/**
 * Makes V8 optimize WebAssembly immediately. Call it in a process that only runs an oracle, after its modules are
 * loaded. By default, V8 optimizes only after more than a thousand signatures, which take twice as long until then.
 */
export function optimizeWebAssembly(): void {
  setFlagsFromString("--no-liftoff");
}

/**
 * Reports an endpoint of another chain immediately. The endpoint is not used, and `/ready` fails until it serves the
 * configured chain.
 */
function checkChains({ chains, log }: Pick<OracleContext, "chains" | "log">): void {
  for (const { config, vm } of chains.all) {
    vm?.checkChain().catch((error: unknown) => {
      log.error({ chain: config.id, error }, "an RPC endpoint serves a different chain");
    });
  }
}

export function urlOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

export function portInUse(port: number, cause: unknown): InvalidStateError {
  return new InvalidStateError({
    message: `the oracle cannot listen on port ${port}`,
    hint: "Set another port (HTTP_PORT), or stop the process that uses this one.",
    cause,
  });
}

/** @param about fields of the first log line */
export function logStart(
  log: Log,
  { settings, chains, disabledChains = {}, warnings = [] }: OracleConfiguration,
  about: object,
): void {
  log.info({ ...about, chains: chains.map(({ id }) => id) }, "the oracle is up");
  for (const { at, reason, hint } of warnings) log.warn({ at }, `${reason}. ${hint}`);
  const disabled = Object.keys(disabledChains);
  if (disabled.length > 0)
    log.warn({ chains: disabled, missing: disabledChains }, "chains are disabled: a setting is missing");
  if (settings.apiKeys === undefined) log.warn("API_KEYS is not set: every route is public");
}

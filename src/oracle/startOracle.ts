import type { Address } from "viem";

import { type Clock, systemClock } from "@crosscall/sdk/internal/core/clock";
import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import { createExecutionHasher } from "@crosscall/sdk/internal/protocol/attestation/execution";
import { openChains } from "./chainTable.ts";
import type { OracleConfiguration } from "./config/loadConfiguration.ts";
import { openHub } from "./hub.ts";
import type { Log } from "./log.ts";
import { createObserver } from "./observer.ts";
import { openPeers } from "./peers/peers.ts";
import { type ConnectionLimits, createOracleApp } from "./service/app.ts";
import { watchConnections } from "./service/watchConnections.ts";
import { createSigner } from "./signers/createSigner.ts";

export interface Oracle {
  /** Base URL, on loopback. */
  readonly url: string;
  /** In lower case. */
  readonly signer: Address;
  /** Completes calls in progress, closes idle connections, and stops. */
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface StartOracleOptions {
  readonly log: Log;
  /** Listening address; loopback by default. */
  readonly host?: string;
  readonly clock?: Clock;
  /** For tests. */
  readonly connectionLimits?: ConnectionLimits;
}

/**
 * Starts the attestation oracle (spec 3).
 *
 * @throws {@link InvalidStateError} if a key service does not return its public key, or the port is in use
 */
export async function startOracle(
  { settings, chains: chainConfigs, hub, disabledChains = [], warnings = [] }: OracleConfiguration,
  { log, host = "127.0.0.1", clock = systemClock, connectionLimits }: StartOracleOptions,
): Promise<Oracle> {
  const signer = await createSigner(settings.signing);
  const observer = createObserver(log, signer.address, disabledChains);
  const hubReader = openHub(hub, { clock, observer });
  const chains = openChains(chainConfigs, { clock, observer, hub: hubReader });
  const peers = openPeers(settings, observer);
  const context = {
    settings,
    disabledChains,
    chains,
    hub,
    hubReader,
    signer,
    peers,
    clock,
    observer,
    log,
    hashExecution: createExecutionHasher({
      oracleVersion: hub.oracleVersion,
      evmChainId: hub.evmChainId,
      oracleAddress: hub.oracleAddress as Address,
    }),
  };
  const app = await createOracleApp(context, connectionLimits);
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
    throw new InvalidStateError({
      message: `the oracle cannot listen on port ${settings.port}`,
      hint: "Set another port (HTTP_PORT), or stop the process that uses this one.",
      cause,
    });
  }
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : settings.port;
  log.info({ signer: signer.address, port, chains: chainConfigs.map(({ id }) => id) }, "the oracle is up");
  for (const { at, reason, hint } of warnings) log.warn({ at }, `${reason}. ${hint}`);
  if (disabledChains.length > 0) log.warn({ chains: disabledChains }, "chains are disabled: a variable is not set");
  if (settings.apiKeys === undefined) log.warn("API_KEYS is not set: every route is open to everyone");
  return { url: `http://127.0.0.1:${port}`, signer: signer.address, close, [Symbol.asyncDispose]: close };
}

import type { Address, Hex } from "viem";

import type { OracleConfiguration } from "../../oracle/config/loadConfiguration.ts";
import type { PeerSettings } from "../../oracle/config/settings.ts";
import { type Oracle, startOracle } from "../../oracle/startOracle.ts";
import { ORACLE_KEYS } from "../accounts.ts";
import type { ServiceChain } from "../context.ts";
import type { Log } from "../log.ts";
import { LOCAL_HUB, ORACLE_SIGNERS, type OracleHub } from "./localHub.ts";

/** The attestation oracles of a running network: one to ask, and the other that it asks for its signature. */
export interface LocalOracle {
  /** Base URL. It takes the network's API keys. */
  readonly url: string;
  /** Base URL of the other one. */
  readonly peerUrl: string;
  /** Who signs, in ascending order: `AttestationVerifier` of each chain knows them. */
  readonly signers: readonly Address[];
  /** What is signed for. */
  readonly hub: OracleHub;
}

/** What the oracles are started with. */
export interface LocalOraclesParameters {
  readonly chains: readonly ServiceChain[];
  /** Keys that they take. */
  readonly apiKeys: readonly string[];
  /** Port of the first; 0 for a free one. */
  readonly port: number;
  readonly log: Log;
}

/** Oracles, and what stops them. */
export interface StartedOracles {
  readonly oracle: LocalOracle;
  close(): Promise<void>;
}

/** Starts two oracles that read the network's chains, the second a peer of the first. */
export async function startLocalOracles(parameters: LocalOraclesParameters): Promise<StartedOracles> {
  const [firstKey, secondKey] = ORACLE_KEYS;
  const second = await startOne(parameters, { key: secondKey, port: 0, peers: [] });
  let first: Oracle;
  try {
    const peers = [{ baseUrl: second.url, apiKey: undefined }];
    first = await startOne(parameters, { key: firstKey, port: parameters.port, peers });
  } catch (error) {
    await second.close();
    throw error;
  }
  return {
    oracle: { url: first.url, peerUrl: second.url, signers: ORACLE_SIGNERS, hub: LOCAL_HUB },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}

interface OneOracle {
  readonly key: Hex;
  readonly port: number;
  readonly peers: readonly PeerSettings[];
}

function startOne({ chains, apiKeys, log }: LocalOraclesParameters, { key, port, peers }: OneOracle): Promise<Oracle> {
  const configuration: OracleConfiguration = {
    settings: {
      ...{ environment: "localnet", signing: { module: "raw-private-key", privateKey: key }, port, peers },
      apiKeys: apiKeys.map((apiKey) => ({ key: apiKey, label: "local" })),
      ...{ peerTimeoutMs: 5_000, signers: undefined, signersThreshold: 0, version: undefined },
      rateLimit: { max: 2, windowMs: 1_000 },
    },
    chains: chains.map(({ id, protocolChainId, rpcUrl, contracts }) => ({
      ...{ id: protocolChainId, vmType: "ethereum-vm", httpRpcUrl: rpcUrl },
      depository: contracts.depository.toLowerCase(),
      hubChainId: id,
      // A local chain that nobody uses makes no blocks, so nothing would ever become final.
      additionalData: { finalizationBlocks: 0, finalizationTime: 0 },
    })),
    hub: { ...LOCAL_HUB, httpRpcUrl: chains[0]?.rpcUrl ?? "" },
  };
  return startOracle(configuration, { log });
}

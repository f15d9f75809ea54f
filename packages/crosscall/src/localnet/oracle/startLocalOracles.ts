import type { Address, Hex } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import { ORACLE_KEYS } from "../devchain/accounts.ts";
import type { DevChain } from "../devchain/devChain.ts";
import { LOCAL_HUB, ORACLE_SIGNERS, type OracleHub } from "../devchain/oracleHub.ts";
import type { Ledger } from "../market/ledger.ts";
import { findSimulatedChain } from "../market/simulatedChains.ts";
import type { LocalNames } from "@crosscall/oracle/server";
import type { Log } from "../log.ts";
import type { Oracle } from "@crosscall/oracle";
import type { PeerSettings } from "@crosscall/oracle/server";
import { openLazyServer } from "./lazyServer.ts";

/** The attestation oracles of a running network: the oracle at `url`, and a peer that adds a second signature. */
export interface LocalOracle {
  /** Base URL of the first oracle. It accepts the network's API keys. */
  readonly url: string;
  /** Base URL of the second oracle. */
  readonly peerUrl: string;
  /** Addresses of the signers in ascending order, as in the chains' `AttestationVerifier`. */
  readonly signers: readonly Address[];
  /** The contracts and hub that the oracles sign for. */
  readonly hub: OracleHub;
}

export interface LocalOraclesParameters {
  readonly chains: readonly DevChain[];
  readonly ledgers: ReadonlyMap<number, Ledger>;
  readonly apiKeys: readonly string[];
  /** Port of the first oracle; 0 selects a free port. */
  readonly port: number;
  readonly names: LocalNames;
  readonly clock: Clock;
  readonly log: Log;
}

export interface StartedOracles {
  readonly oracle: LocalOracle;
  close(): Promise<void>;
}

/**
 * Opens the ports of two oracles that are peers. Each oracle starts on its first connection.
 *
 * @throws {@link InvalidStateError} if the port is in use
 */
export async function startLocalOracles(parameters: LocalOraclesParameters): Promise<StartedOracles> {
  const { port, log } = parameters;
  const [firstKey, secondKey] = ORACLE_KEYS;
  const second = await openLazyServer(0, () => startOne(parameters, secondKey, []), log);
  // Forwards the callers' keys, because both oracles accept the same keys.
  const peers = [{ baseUrl: second.url, apiKey: undefined }];
  try {
    const first = await openLazyServer(port, () => startOne(parameters, firstKey, peers), log);
    return {
      oracle: { url: first.url, peerUrl: second.url, signers: ORACLE_SIGNERS, hub: LOCAL_HUB },
      async close() {
        // The first oracle stops first, because it may still call the second.
        await first.close();
        await second.close();
      },
    };
  } catch (error) {
    await second.close();
    throw error;
  }
}

async function startOne(
  { chains, ledgers, apiKeys, names, clock, log }: LocalOraclesParameters,
  privateKey: Hex,
  peers: readonly PeerSettings[],
): Promise<Oracle> {
  const { startOracle } = await import("@crosscall/oracle");
  const hubUrl = chains[0]?.rpcUrl ?? "";
  return startOracle(
    {
      settings: {
        environment: "localnet",
        signing: { module: "raw-private-key", privateKey },
        port: 0,
        workers: 1,
        peers,
        apiKeys: apiKeys.map((key) => ({ key, label: "local" })),
        // Both oracles run in this process. A slow machine must not lose a signature to a timeout.
        peerTimeoutMs: 60_000,
        signers: undefined,
        signersThreshold: 0,
        version: undefined,
        rateLimit: { max: 2, windowMs: 1_000 },
      },
      chains: [
        ...chains.map(({ id, protocolChainId, rpcUrl, contracts, finality }) => ({
          id: protocolChainId,
          vmType: "ethereum-vm" as const,
          httpRpcUrl: rpcUrl,
          depository: contracts.depository.toLowerCase(),
          hubChainId: id,
          additionalData: { finalizationBlocks: finality.blocks, finalizationTime: finality.seconds },
        })),
        ...ledgerChains(ledgers),
      ],
      hub: { ...LOCAL_HUB, httpRpcUrl: hubUrl, auroraHttpRpcUrl: hubUrl },
    },
    { log, names, clock },
  );
}

/** Settings under which every transaction is final at once, because an idle ledger creates no blocks. */
const ALWAYS_FINAL = { finalizationBlocks: 0, finalizationTime: 0 };

function ledgerChains(ledgers: ReadonlyMap<number, Ledger>) {
  return [...ledgers].flatMap(([id, { oracleChain }]) => {
    const simulated = findSimulatedChain(id);
    if (oracleChain === undefined || simulated === undefined) return [];
    const { protocolChainId, depository } = simulated;
    const additionalData = { ...ALWAYS_FINAL, ...oracleChain.additionalData };
    return [{ ...oracleChain, id: protocolChainId, depository, additionalData }];
  });
}

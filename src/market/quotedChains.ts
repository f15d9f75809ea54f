import type { Address } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import { CurrencyTable, localCurrencies } from "./currencies.ts";
import { findSimulatedChain, SIMULATED_CHAINS, type SimulatedChain } from "./simulatedChains.ts";

/** A chain that is quoted: one that runs here, or a simulated one. */
export type QuotedChain = DevChain | SimulatedChain;

/** The chains that run here, by id. */
export type DevChains = ReadonlyMap<number, DevChain>;

/** Whether a chain is quoted and does not run here. */
export function isSimulated(chain: QuotedChain): chain is SimulatedChain {
  return findSimulatedChain(chain.id) !== undefined;
}

/** All quoted chains, those that run first. */
export function listQuotedChains(chains: DevChains): QuotedChain[] {
  return [...chains.values(), ...SIMULATED_CHAINS];
}

/** The quoted chain with this id, or undefined. */
export function findQuotedChain(chains: DevChains, chainId: number): QuotedChain | undefined {
  return findSimulatedChain(chainId) ?? chains.get(chainId);
}

/** The currencies of all quoted chains, with their prices. */
export function createCurrencyTable(chains: DevChains): CurrencyTable {
  return new CurrencyTable(
    listQuotedChains(chains).flatMap((chain) =>
      isSimulated(chain) ? chain.currencies : localCurrencies(chain.id, chain.contracts),
    ),
  );
}

/** What accepts deposits on a chain. */
export function depositoryOf(chain: QuotedChain): string {
  return isSimulated(chain) ? chain.depository : chain.contracts.depository;
}

/** The router that runs calls on a chain; undefined where there is none. */
export function routerOf(chain: QuotedChain): Address | undefined {
  return isSimulated(chain) ? undefined : chain.contracts.router;
}

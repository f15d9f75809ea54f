import type { Address } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import { CurrencyTable, localCurrencies } from "./currencies.ts";
import { findSimulatedChain, SIMULATED_CHAINS, type SimulatedChain } from "./simulatedChains.ts";

export type QuotedChain = DevChain | SimulatedChain;

export type DevChains = ReadonlyMap<number, DevChain>;

export function isSimulated(chain: QuotedChain): chain is SimulatedChain {
  return findSimulatedChain(chain.id) !== undefined;
}

/** Those that run here come first. */
export function listQuotedChains(chains: DevChains): QuotedChain[] {
  return [...chains.values(), ...SIMULATED_CHAINS];
}

export function findQuotedChain(chains: DevChains, chainId: number): QuotedChain | undefined {
  return findSimulatedChain(chainId) ?? chains.get(chainId);
}

export function createCurrencyTable(chains: DevChains): CurrencyTable {
  return new CurrencyTable(
    listQuotedChains(chains).flatMap((chain) =>
      isSimulated(chain) ? chain.currencies : localCurrencies(chain.id, chain.contracts),
    ),
  );
}

export function depositoryOf(chain: QuotedChain): string {
  return isSimulated(chain) ? chain.depository : chain.contracts.depository;
}

/** Undefined if there is none. */
export function routerOf(chain: QuotedChain): Address | undefined {
  return isSimulated(chain) ? undefined : chain.contracts.router;
}

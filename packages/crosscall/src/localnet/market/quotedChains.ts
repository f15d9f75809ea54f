import type { Address } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { DevChain } from "../devchain/devChain.ts";
import { CurrencyTable, inventoryOf, type PricedCurrency, pricedCurrencies } from "./currencies.ts";
import { rejectProblem } from "./rejection.ts";
import { findSimulatedChain, SIMULATED_CHAINS, type SimulatedChain } from "./simulatedChains.ts";

export type QuotedChain = DevChain | SimulatedChain;

export type DevChains = ReadonlyMap<number, DevChain>;

export function isSimulated(chain: QuotedChain): chain is SimulatedChain {
  return findSimulatedChain(chain.id) !== undefined;
}

/** Lists the chains that run here before the simulated chains. */
export function listQuotedChains(chains: DevChains): QuotedChain[] {
  return [...chains.values(), ...SIMULATED_CHAINS];
}

export function findQuotedChain(chains: DevChains, chainId: number): QuotedChain | undefined {
  return findSimulatedChain(chainId) ?? chains.get(chainId);
}

/** @throws {@link RejectionError} if the network does not have the chain */
export function requireQuotedChain(chains: DevChains, chainId: number, field: string): QuotedChain {
  const chain = findQuotedChain(chains, chainId);
  if (chain !== undefined) return chain;
  const known = listQuotedChains(chains).map(({ id }) => id);
  throw rejectProblem({
    errorCode: "UNSUPPORTED_CHAIN",
    field,
    value: chainId,
    reason: `this network has the chains ${known.join(", ")}`,
    hint: "Choose one of them; GET /chains lists them.",
  });
}

export function createCurrencyTable(chains: DevChains): CurrencyTable {
  return new CurrencyTable(
    listQuotedChains(chains).flatMap((chain) =>
      isSimulated(chain) ? chain.currencies : pricedCurrencies(chain.id, chain.tokens),
    ),
  );
}

export function vmTypeOf(chain: QuotedChain): "evm" | SimulatedChain["vmType"] {
  return isSimulated(chain) ? chain.vmType : "evm";
}

/** Returns the currencies that the solver holds. It swaps for all others. */
export function holdingsOf(currencies: CurrencyTable, chain: QuotedChain): PricedCurrency[] {
  const held: readonly string[] = isSimulated(chain) ? chain.holdings : inventoryOf(chain.contracts);
  return currencies
    .ofChain(chain.id)
    .filter(({ currency }) => held.some((address) => isSameAddress(address, currency.address)));
}

export function depositoryOf(chain: QuotedChain): string {
  return isSimulated(chain) ? chain.depository : chain.contracts.depository;
}

/** Returns the router, or undefined on simulated chains. */
export function routerOf(chain: QuotedChain): Address | undefined {
  return isSimulated(chain) ? undefined : chain.contracts.router;
}

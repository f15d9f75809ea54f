import { ChainListSchema } from "@crosscall/sdk/internal/protocol/common/chainEntry";
import type { ChainCurrency, ChainEntry, Currency } from "@crosscall/sdk/internal/protocol/complete";
import { readRestrictions } from "../../market/quote/restrictions.ts";
import { depositoryOf, isSimulated, listQuotedChains, type QuotedChain } from "../../market/quotedChains.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

export const chainsRoute: ServiceRoute<"chains" | "currencies" | "solver" | "store"> = (app, parts) => {
  app.get(
    "/chains",
    { schema: { summary: "List the chains of the service", response: { 200: ChainListSchema } } },
    async () => {
      const { disabledChains = [] } = await readRestrictions(parts);
      return { chains: listQuotedChains(parts.chains).map((chain) => toChainEntry(parts, chain, disabledChains)) };
    },
  );
};

function toChainEntry(
  { currencies, solver }: Pick<ServiceParts, "currencies" | "solver">,
  chain: QuotedChain,
  disabled: readonly number[],
): ChainEntry {
  const tokens = currencies.ofChain(chain.id).filter(({ currency }) => !currency.metadata.isNative);
  const entry = {
    id: chain.id,
    name: chain.protocolChainId,
    displayName: chain.name,
    wsRpcUrl: null,
    explorerUrl: null,
    disabled: disabled.includes(chain.id),
    depositEnabled: true,
    currency: toChainCurrency(currencies.nativeOf(chain.id).currency),
    erc20Currencies: tokens.map(({ currency }) => toChainCurrency(currency)),
    protocol: { v2: { chainId: chain.protocolChainId, depository: depositoryOf(chain) } },
  };
  // A simulated chain has no node and no router.
  if (isSimulated(chain)) return { ...entry, vmType: chain.vmType, httpRpcUrl: "", solverAddresses: [chain.solver] };
  return {
    ...entry,
    vmType: "evm",
    httpRpcUrl: chain.rpcUrl,
    solverAddresses: [solver.address],
    contracts: { v3: { erc20Router: chain.contracts.router } },
  };
}

function toChainCurrency({ symbol, name, address, decimals }: Currency): ChainCurrency {
  return { id: symbol.toLowerCase(), symbol, name, address, decimals };
}

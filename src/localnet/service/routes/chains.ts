import { type ChainCurrency, type ChainEntry, ChainListSchema } from "../../../protocol/chainEntry.ts";
import type { Currency } from "../../../protocol/currency.ts";
import type { ServiceChain, ServiceContext } from "../../context.ts";
import type { ServiceRoute } from "../route.ts";

/** `GET /chains`: the chains of this network, with their contracts and currencies. */
export const chainsRoute: ServiceRoute = (app, context) => {
  app.get(
    "/chains",
    { schema: { summary: "The chains that the service knows", response: { 200: ChainListSchema } } },
    () => ({ chains: [...context.chains.values()].map((chain) => toChainEntry(context, chain)) }),
  );
};

function toChainEntry(context: ServiceContext, chain: ServiceChain): ChainEntry {
  const currencies = context.currencies.ofChain(chain.id).map(({ currency }) => currency);
  return {
    id: chain.id,
    name: chain.protocolChainId,
    displayName: chain.name,
    vmType: "evm",
    httpRpcUrl: chain.rpcUrl,
    wsRpcUrl: null,
    explorerUrl: null,
    disabled: false,
    depositEnabled: true,
    currency: toChainCurrency(context.currencies.nativeOf(chain.id).currency),
    erc20Currencies: currencies.filter(({ metadata }) => !metadata.isNative).map(toChainCurrency),
    solverAddresses: [context.solver.address],
    contracts: { v3: { erc20Router: chain.contracts.router } },
    protocol: { v2: { chainId: chain.protocolChainId, depository: chain.contracts.depository } },
  };
}

function toChainCurrency({ symbol, name, address, decimals }: Currency): ChainCurrency {
  return { id: symbol.toLowerCase(), symbol, name, address, decimals };
}

import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import { ChainListSchema } from "@crosscall/sdk/internal/protocol/common/chainEntry";
import type { ChainCurrency, ChainEntry, Currency } from "@crosscall/sdk/internal/protocol/complete";
import type { DevChain } from "../../devchain/devChain.ts";
import { readRestrictions } from "../../market/quote/readRestrictions.ts";
import { SIMULATED_CHAINS, type SimulatedChain } from "../../market/simulatedChains.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

/** `GET /chains`: the chains of this network, with their contracts and currencies. */
export const chainsRoute: ServiceRoute<"chains" | "currencies" | "solver" | "store"> = (app, parts) => {
  app.get(
    "/chains",
    { schema: { summary: "The chains that the service knows", response: { 200: ChainListSchema } } },
    async () => {
      const { disabledChains = [] } = await readRestrictions(parts);
      return {
        chains: [
          ...[...parts.chains.values()].map((chain) => toChainEntry(parts, chain, disabledChains)),
          ...[...SIMULATED_CHAINS.values()].map(toSimulatedEntry),
        ],
      };
    },
  );
};

function toChainEntry(
  parts: Pick<ServiceParts, "currencies" | "solver">,
  chain: DevChain,
  disabled: readonly number[],
): ChainEntry {
  const currencies = parts.currencies.ofChain(chain.id).map(({ currency }) => currency);
  return {
    id: chain.id,
    name: chain.protocolChainId,
    displayName: chain.name,
    vmType: "evm",
    httpRpcUrl: chain.rpcUrl,
    wsRpcUrl: null,
    explorerUrl: null,
    disabled: disabled.includes(chain.id),
    depositEnabled: true,
    currency: toChainCurrency(parts.currencies.nativeOf(chain.id).currency),
    erc20Currencies: currencies.filter(({ metadata }) => !metadata.isNative).map(toChainCurrency),
    solverAddresses: [parts.solver.address],
    contracts: { v3: { erc20Router: chain.contracts.router } },
    protocol: { v2: { chainId: chain.protocolChainId, depository: chain.contracts.depository } },
  };
}

/** A chain that is quoted and not run: nothing answers at an RPC URL, and no router is there. */
function toSimulatedEntry(chain: SimulatedChain): ChainEntry {
  const [native, ...others] = chain.currencies.map(({ currency }) => toChainCurrency(currency));
  if (native === undefined)
    throw new InvalidStateError({ message: `chain ${chain.id} has no currency`, hint: "Add one." });
  return {
    id: chain.id,
    name: chain.protocolChainId,
    displayName: chain.name,
    vmType: chain.vmType,
    httpRpcUrl: "",
    wsRpcUrl: null,
    explorerUrl: null,
    disabled: false,
    depositEnabled: true,
    currency: native,
    erc20Currencies: others,
    solverAddresses: [chain.solver],
    protocol: { v2: { chainId: chain.protocolChainId, depository: chain.depository } },
  };
}

function toChainCurrency({ symbol, name, address, decimals }: Currency): ChainCurrency {
  return { id: symbol.toLowerCase(), symbol, name, address, decimals };
}

import * as Type from "typebox";

import { ChainListSchema } from "@crosscall/protocol/common";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import type { ChainCurrency, ChainEntry, Currency } from "@crosscall/protocol/complete";
import { routerGenerationOf } from "@crosscall/protocol/generations";
import type { ChainContracts } from "../../devchain/contracts.ts";
import { findHead } from "../../devchain/readChain.ts";
import { currencyIdOf } from "../../market/currencies.ts";
import { permitKindOf } from "../../market/gasless/permit.ts";
import { readRestrictions } from "../../market/quote/restrictions.ts";
import {
  depositoryOf,
  holdingsOf,
  isSimulated,
  listQuotedChains,
  type QuotedChain,
  requireQuotedChain,
  vmTypeOf,
} from "../../market/quotedChains.ts";
import { swapSourcesOf } from "../../market/swaps/swap.ts";
import { responseMessageAndCode, MessageAndCodeSchema } from "../errorForms.ts";
import { referrerQuery, wholeNumber } from "../listing/queryParts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, LedgerUser, Payer, Pricer, StoreUser } from "../../market/market.ts";

const ChainsQuerySchema = Type.Object({
  includeChains: Type.Optional(
    Type.String({ description: "Ids of private chains, without effect: this network has none." }),
  ),
  ...referrerQuery,
});

export const chainsRoute: ServiceRoute<Pricer & ChainReader & Payer & StoreUser & LedgerUser> = (app, parts) => {
  app.get(
    "/chains",
    {
      schema: {
        summary: "List the chains of the service",
        querystring: ChainsQuerySchema,
        response: { 200: ChainListSchema },
      },
    },
    async () => {
      const { disabledChains = [] } = await readRestrictions(parts);
      return { chains: listQuotedChains(parts.chains).map((chain) => toChainEntry(parts, chain, disabledChains)) };
    },
  );
};

const NO_FEES = { withdrawalFee: 0, depositFee: 0, surgeEnabled: false };

function toChainEntry(
  { currencies, ledgers, solver }: Pricer & Payer & LedgerUser,
  chain: QuotedChain,
  disabled: readonly number[],
): ChainEntry {
  const all = currencies.ofChain(chain.id).map(({ currency }) => currency);
  const held = holdingsOf(currencies, chain).map(({ currency }) => currency);
  const toEntry = (currency: Currency) => ({ ...toChainCurrency(currency), supportsBridging: held.includes(currency) });
  const live = isSimulated(chain) ? undefined : chain.live;
  const entry = {
    id: chain.id,
    name: live?.name ?? chain.protocolChainId,
    displayName: chain.name,
    vmType: vmTypeOf(chain),
    // Local chains have no icons and no websocket. The live service sends these three fields as text even if they are
    // empty.
    wsRpcUrl: "",
    explorerUrl: live?.explorerUrl ?? "",
    explorerName: live?.explorerName ?? "",
    explorerPaths: null,
    explorerQueryParams: null,
    iconUrl: null,
    logoUrl: null,
    brandColor: null,
    statusMessage: null,
    disabled: disabled.includes(chain.id),
    partialDisableLimit: 0,
    depositEnabled: true,
    blockProductionLagging: false,
    // Without liquidity for swaps, only currencies that the solver holds can be bridged.
    tokenSupport: all.length > held.length ? ("All" as const) : ("Limited" as const),
    ...NO_FEES,
    baseChainId: null,
    tags: [],
    currency: toEntry(currencies.nativeOf(chain.id).currency),
    erc20Currencies: all
      .filter(({ metadata }) => !metadata.isNative)
      .map((currency) => ({ ...toEntry(currency), supportsPermit: supportsPermit(chain, currency), ...NO_FEES })),
    featuredTokens: held.map((currency) => ({
      ...toEntry(currency),
      metadata: { logoURI: currency.metadata.logoURI },
    })),
    solverCurrencies: held.map(toChainCurrency),
    protocol: {
      v2: { chainId: chain.protocolChainId, depository: depositoryOf(chain), depositoryVault: null },
    },
  };
  // A simulated chain has no node and no router.
  if (isSimulated(chain)) {
    const { url = "", websocketUrl = "" } = ledgers.get(chain.id) ?? {};
    return { ...entry, httpRpcUrl: url, wsRpcUrl: websocketUrl, solverAddresses: [chain.solver] };
  }
  return {
    ...entry,
    httpRpcUrl: chain.rpcUrl,
    solverAddresses: [solver.address],
    contracts: contractsOf(chain.contracts),
  };
}

/**
 * Lists the contracts of a chain. The default generation is at the top level, and each generation also has its own key.
 */
function contractsOf({ router: erc20Router, approvalProxy }: ChainContracts): NonNullable<ChainEntry["contracts"]> {
  const { listedAs } = routerGenerationOf(erc20Router) ?? {};
  const pair = { erc20Router, approvalProxy };
  return listedAs === undefined || listedAs === "v3" ? { v3: { erc20Router } } : { ...pair, [listedAs]: pair };
}

function toChainCurrency(currency: Currency): ChainCurrency {
  const { symbol, name, address, decimals } = currency;
  return { id: currencyIdOf(currency), symbol, name, address, decimals };
}

/** Returns whether the currency has its own permit. */
function supportsPermit(chain: QuotedChain, { address }: Currency): boolean {
  return !isSimulated(chain) && permitKindOf(chain, address) !== "permit2";
}

const HealthQuerySchema = Type.Object({ chainId: wholeNumber("All chains if missing."), ...referrerQuery });

/** A chain is healthy if its node responds. Simulated chains have no node. */
export const chainHealthRoute: ServiceRoute<ChainReader> = (app, parts) => {
  app.get(
    "/chains/health",
    {
      schema: {
        summary: "Check whether a chain responds",
        querystring: HealthQuerySchema,
        response: {
          200: Type.Object({ healthy: Type.Boolean() }),
          400: MessageAndCodeSchema,
          "4xx": ServiceErrorSchema,
        },
      },
      errorHandler: responseMessageAndCode,
    },
    async ({ query: { chainId } }) => {
      const chains =
        chainId === undefined ? listQuotedChains(parts.chains) : [requireQuotedChain(parts.chains, chainId, "chainId")];
      const heads = await Promise.all(chains.flatMap((chain) => (isSimulated(chain) ? [] : [findHead(chain)])));
      return { healthy: !heads.includes(undefined) };
    },
  );
};

const SourcesQuerySchema = Type.Object({ chainId: wholeNumber("All chains if missing."), ...referrerQuery });

export const swapSourcesRoute: ServiceRoute<ChainReader & LedgerUser> = (app, { chains, ledgers }) => {
  app.get(
    "/swap-sources",
    {
      schema: {
        summary: "List the swap sources that quotes can use",
        querystring: SourcesQuerySchema,
        response: responses(Type.Object({ sources: Type.Array(Type.String()) })),
      },
    },
    ({ query: { chainId } }) => {
      const of = chainId === undefined ? listQuotedChains(chains) : [requireQuotedChain(chains, chainId, "chainId")];
      return {
        sources: [...new Set(of.flatMap((chain) => ledgers.get(chain.id)?.swapSources ?? swapSourcesOf(chain)))],
      };
    },
  );
};

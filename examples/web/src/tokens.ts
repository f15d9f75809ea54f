import type { Token } from "@relayprotocol/relay-kit-ui";
import type { RelayChain } from "@relayprotocol/relay-sdk";

type ChainCurrency = RelayChain["currency"] | NonNullable<RelayChain["erc20Currencies"]>[number];

/** Converts a chain's currency to the widget's type. */
export function toToken(chain: RelayChain | undefined, currency: ChainCurrency | undefined): Token | undefined {
  if (chain === undefined || currency?.address === undefined) return undefined;
  const { address, symbol = "", name = symbol, decimals = 18 } = currency;
  return { chainId: chain.id, address, symbol, name, decimals, logoURI: "" };
}

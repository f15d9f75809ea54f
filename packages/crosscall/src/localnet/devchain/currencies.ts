import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Currency } from "@crosscall/protocol/complete";
import type { ChainContracts } from "./contracts.ts";

export type ChainSymbol = "ETH" | "USDC" | "USDT" | "WETH" | "TKN" | "FEE";

export interface ChainCurrency extends Currency {
  readonly symbol: ChainSymbol;
}

/** Share of every transfer that the local fee token burns, in bps. */
const LOCAL_TRANSFER_FEE_BPS = 100n;

export function chainCurrencies(chainId: number, contracts: ChainContracts): ChainCurrency[] {
  const { dollar, tether, token, feeToken, wrappedNative } = contracts;
  const rows: readonly [address: string, symbol: ChainSymbol, name: string, decimals: number][] = [
    [EVM_NATIVE_CURRENCY, "ETH", "Ether", 18],
    [dollar, "USDC", "Local Dollar", 6],
    [tether, "USDT", "Local Tether", 6],
    [wrappedNative, "WETH", "Wrapped Ether", 18],
    [token, "TKN", "Local Token", 18],
    [feeToken, "FEE", "Local Fee Token", 18],
  ];
  return rows.map(([address, symbol, name, decimals]) => ({
    chainId,
    address,
    symbol,
    name,
    decimals,
    metadata: { logoURI: "", verified: true, isNative: address === EVM_NATIVE_CURRENCY },
  }));
}

/**
 * Finds a currency by address or symbol.
 *
 * @throws {@link InvalidInputError} if there is none
 */
export function findCurrency(currencies: readonly Currency[], wanted: string): Currency {
  const found = currencies.find(
    ({ address, symbol }) => isSameAddress(address, wanted) || symbol.toLowerCase() === wanted.toLowerCase(),
  );
  if (found !== undefined) return found;
  throw new InvalidInputError({
    field: "currency",
    value: wanted,
    reason: `the chain has ${currencies.map(({ symbol }) => symbol).join(", ")}`,
    hint: "Pass the symbol or address of one of them.",
  });
}

/** In bps. */
export function transferFeeOf({ feeToken }: Pick<ChainContracts, "feeToken">, token: string): bigint {
  return isSameAddress(token, feeToken) ? LOCAL_TRANSFER_FEE_BPS : 0n;
}

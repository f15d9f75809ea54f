import { chainFamilyOf } from "../chains/families/chainFamilyOf.ts";
import type { Currency } from "./currency.ts";

/**
 * Returns whether a currency is its chain's native currency. Uses `metadata.isNative` if present (the live service
 * rarely sends it), else the address.
 *
 * @returns undefined if unknown: `isNative` and the address are missing, or the chain is unknown
 */
export function isNativeCurrency({
  chainId,
  address,
  metadata,
}: Pick<Currency, "chainId" | "address"> & {
  readonly metadata?: Pick<NonNullable<Currency["metadata"]>, "isNative"> | null | undefined;
}): boolean | undefined {
  if (typeof metadata?.isNative === "boolean") return metadata.isNative;
  const family = chainId == null ? undefined : chainFamilyOf(chainId);
  if (address == null || family === undefined || family.nativeCurrencies.length === 0) return undefined;
  return family.nativeCurrencies.some((native) => family.isSame(native, address));
}

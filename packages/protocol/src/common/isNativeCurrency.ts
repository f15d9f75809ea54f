import { chainFamilyOf } from "../chains/families/chainFamilyOf.ts";
import type { Currency } from "./currency.ts";

/**
 * Returns whether a currency is its chain's native currency. The live service rarely sends `metadata.isNative`;
 * without it, the address decides.
 *
 * @returns undefined when neither says: `isNative` and the address are missing, or the chain is not known here
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

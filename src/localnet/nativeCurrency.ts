import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";

/** Whether a currency is its chain's native one. */
export function isNativeCurrency(currency: string): boolean {
  return isSameAddress(currency, EVM_NATIVE_CURRENCY);
}

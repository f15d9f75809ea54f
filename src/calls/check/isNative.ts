import { EVM_NATIVE_CURRENCY, isSameAddress } from "../../chains/address.ts";

/** Whether a token is the native currency. */
export function isNative(token: string): boolean {
  return isSameAddress(token, EVM_NATIVE_CURRENCY);
}

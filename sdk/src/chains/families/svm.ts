import { base58 } from "@scure/base";

import { InvalidInputError } from "../../core/errors.ts";
import type { ChainFamily } from "./chainFamily.ts";

/** Spec 4, section 4. */
const SVM_NATIVE_CURRENCY = "11111111111111111111111111111111";

const PUBLIC_KEY_BYTES = 32;

/** Currencies in the specification (spec 2, section 6). */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  [SVM_NATIVE_CURRENCY, 9],
  // Wrapped native currency.
  ["So11111111111111111111111111111111111111112", 9],
  // USDC and USDT.
  ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", 6],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", 6],
]);

/** Base58 public keys of 32 bytes, case-sensitive (spec 2, section 6). */
export const SVM_FAMILY: ChainFamily = {
  name: "svm",
  takesCalls: false,
  nativeCurrencies: [SVM_NATIVE_CURRENCY],
  parseAccount: parseSvmAddress,
  parseCurrency: parseSvmAddress,
  isSame: (a, b) => a === b,
  decimalsOf: (currency) => DECIMALS.get(currency),
};

function parseSvmAddress(value: unknown, field: string): string {
  if (typeof value === "string") {
    if (byteLength(value) === PUBLIC_KEY_BYTES) return value;
    if (value.startsWith("0x")) {
      throw new InvalidInputError({
        field,
        value,
        reason: "an SVM address is a base58 public key of 32 bytes, never an EVM address",
        hint: `Pass ${field} in base58, which is case-sensitive; the native currency is ${SVM_NATIVE_CURRENCY}.`,
      });
    }
  }
  throw new InvalidInputError({
    field,
    value,
    reason: "it is not a base58 public key of 32 bytes",
    hint: `Copy ${field} from its source with its case as it is: lower case makes it another address, or none.`,
  });
}

function byteLength(text: string): number | undefined {
  try {
    return base58.decode(text).length;
  } catch {
    return undefined;
  }
}

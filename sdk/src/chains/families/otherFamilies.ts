import { InvalidInputError } from "../../core/errors.ts";
import { isSameAddress, parseEvmAddress } from "../address.ts";
import type { ChainFamily, ChainFamilyName } from "./chainFamily.ts";
import type { ChainVmType } from "./vmTypes.ts";

/** Only the service checks the form of their addresses, which are case-sensitive. */
export const OTHER_FAMILIES: Readonly<Record<Exclude<ChainVmType, "evm" | "lvm" | "svm">, ChainFamily>> = {
  bvm: textFamily("bvm", ["bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8"]),
  // Accounts are EVM addresses; currencies are ids of 16 bytes, some followed by their exchange's name.
  hypevm: { ...textFamily("hypevm", []), parseAccount: parseEvmAddress, isSame: isSameHex },
  tonvm: textFamily("tonvm", []),
  tvm: textFamily("tvm", []),
  xrpvm: textFamily("xrpvm", []),
};

/** Chains in neither the service's list nor the table of documented ids; nothing is checked. */
export const UNKNOWN_FAMILY: ChainFamily = { ...textFamily("unknown", []), takesCalls: true, isSame: isSameAddress };

function textFamily(name: ChainFamilyName, nativeCurrencies: readonly string[]): ChainFamily {
  return {
    name,
    takesCalls: false,
    nativeCurrencies,
    parseAccount: parseText,
    parseCurrency: parseText,
    isSame: (a, b) => a === b,
    decimalsOf: () => undefined,
  };
}

function isSameHex(a: string, b: string): boolean {
  return a === b || (/^0x[0-9a-f]*$/iu.test(a) && a.toLowerCase() === b.toLowerCase());
}

function parseText(value: unknown, field: string): string {
  if (typeof value === "string" && /^\S+$/u.test(value)) return value;
  throw new InvalidInputError({
    field,
    value,
    reason: "it is empty or has spaces",
    hint: `Pass ${field} in its chain's format.`,
  });
}

import { decodeBase58 } from "../../encoding/baseTexts.ts";
import { InvalidInputError } from "../../core/errors.ts";
import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress, parseEvmAddress } from "../address.ts";
import type { ChainFamily, ChainFamilyName } from "./chainFamily.ts";
import { type ChainVmType, VM_TYPE_BY_CHAIN_ID } from "./vmTypes.ts";

/** Families of spec 4, section 4. */
const SVM_NATIVE_CURRENCY = "11111111111111111111111111111111";

const PUBLIC_KEY_BYTES = 32;

/** Decimals by currency (spec 2, section 6). */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  [SVM_NATIVE_CURRENCY, 9],
  // Wrapped native currency.
  ["So11111111111111111111111111111111111111112", 9],
  // USDC and USDT.
  ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", 6],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", 6],
]);

/** SVM accounts and currencies: case-sensitive base58 public keys of 32 bytes (spec 2, section 6). */
const SVM_FAMILY: ChainFamily = {
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
    if (decodeBase58(value)?.length === PUBLIC_KEY_BYTES) return value;
    if (value.startsWith("0x")) {
      throw new InvalidInputError({
        field,
        value,
        reason: "an SVM address is a base58 key of 32 bytes, not an EVM address",
        hint: `Pass ${field} in base58, which is case-sensitive; the native currency is ${SVM_NATIVE_CURRENCY}.`,
      });
    }
  }
  throw new InvalidInputError({
    field,
    value,
    reason: "it is not a base58 public key of 32 bytes",
    hint: `Copy ${field} without changing its case.`,
  });
}

/** Placeholder for native currency in other services; it has no contract. */
const FOREIGN_NATIVE_CURRENCY = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

const EVM_FAMILY: ChainFamily = {
  name: "evm",
  takesCalls: true,
  nativeCurrencies: [EVM_NATIVE_CURRENCY],
  parseAccount: parseEvmAddress,
  parseCurrency: parseEvmCurrency,
  isSame: isSameAddress,
  decimalsOf: (currency) => (isEvmNative(currency) ? 18 : undefined),
};

function parseEvmCurrency(value: unknown, field: string): string {
  const currency = parseEvmAddress(value, field);
  if (!isSameAddress(currency, FOREIGN_NATIVE_CURRENCY)) return currency;
  throw new InvalidInputError({
    field,
    value,
    reason: "the service writes the native currency as the zero address",
    hint: `Pass ${field} as ${EVM_NATIVE_CURRENCY}.`,
  });
}

/** Maximum index: larger numbers are not exact in JSON (spec 2, section 2.1). */
const INDEX_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Accounts and assets are decimal indexes, never wallet addresses (spec 2, section 6). */
const EXCHANGE_FAMILY: ChainFamily = {
  name: "lvm",
  takesCalls: false,
  nativeCurrencies: ["0", "3"],
  parseAccount: (value, field) =>
    parseIndex(value, field, "accounts", `Pass ${field} as the index that the exchange's address lookup returns.`),
  parseCurrency: (value, field) => parseIndex(value, field, "assets", `Pass ${field} as the asset's id, such as "3".`),
  isSame: (a, b) => a === b,
  decimalsOf: () => undefined,
};

function parseIndex(value: unknown, field: string, what: string, hint: string): string {
  if (typeof value === "string" && /^(0|[1-9]\d{0,15})$/u.test(value) && BigInt(value) <= INDEX_MAX) return value;
  throw new InvalidInputError({
    field,
    value,
    reason: `the exchange chain writes ${what} as decimal indexes up to ${INDEX_MAX}`,
    hint,
  });
}

/** Families with case-sensitive addresses. Only the service checks their form. */
const OTHER_FAMILIES: Readonly<Record<Exclude<ChainVmType, "evm" | "lvm" | "svm">, ChainFamily>> = {
  bvm: textFamily("bvm", ["bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8"]),
  // Accounts are EVM addresses; currencies are ids of 16 bytes, some followed by their market's name.
  hypevm: { ...textFamily("hypevm", []), parseAccount: parseEvmAddress, isSame: isSameHex },
  tonvm: textFamily("tonvm", []),
  tvm: textFamily("tvm", []),
  xrpvm: textFamily("xrpvm", []),
};

/** Chains that neither the service nor the table of documented ids lists. Addresses are not checked. */
const UNKNOWN_FAMILY: ChainFamily = { ...textFamily("unknown", []), takesCalls: true, isSame: isSameAddress };

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

const FAMILIES: Readonly<Record<ChainVmType, ChainFamily>> = {
  ...OTHER_FAMILIES,
  evm: EVM_FAMILY,
  svm: SVM_FAMILY,
  lvm: EXCHANGE_FAMILY,
};

/** From `GET /chains`. */
export interface KnownChain {
  readonly id?: number | null | undefined;
  readonly vmType?: string | null | undefined;
}

/**
 * Returns the family of a chain, from `GET /chains` if given, else from the documented chain ids. A chain in neither
 * has the family `unknown`, for which addresses are not checked.
 *
 * @param chains entries of `GET /chains`, for chains that the table does not list
 */
export function chainFamilyOf(chainId: number, chains: readonly KnownChain[] = []): ChainFamily {
  const listed = chains.find(({ id }) => id === chainId)?.vmType;
  const vmType = listed ?? VM_TYPE_BY_CHAIN_ID.get(chainId);
  return isVmType(vmType) ? FAMILIES[vmType] : UNKNOWN_FAMILY;
}

/** Ignores case for EVM addresses only. */
export function isSameAddressOf(chainId: number, a: string, b: string): boolean {
  return chainFamilyOf(chainId).isSame(a, b);
}

function isVmType(vmType: string | undefined): vmType is ChainVmType {
  return vmType !== undefined && Object.hasOwn(FAMILIES, vmType);
}

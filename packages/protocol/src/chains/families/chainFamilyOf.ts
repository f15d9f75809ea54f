import { decodeBase58, decodeBase58Check } from "../../encoding/baseTexts.ts";
import { decodeSegwit } from "../../encoding/segwit.ts";
import { InvalidInputError } from "../../core/errors.ts";
import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress, parseEvmAddress } from "../address.ts";
import type { ChainFamily, ChainFamilyName } from "./chainFamily.ts";
import { type ChainVmType, VM_TYPE_BY_CHAIN_ID } from "./vmTypes.ts";

/** Address that stands for the native currency of SVM chains. */
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
    hint: `Copy ${field} from its source without changing its case, which is part of the address.`,
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

/** Address that stands for the native currency. It is not a valid account; as `refundTo`, it means the payer. */
const BITCOIN_NATIVE_CURRENCY = "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8";

/** Base58 addresses are case-sensitive; segwit addresses are in lower case. */
const BITCOIN_FAMILY: ChainFamily = {
  ...textFamily("bvm", [BITCOIN_NATIVE_CURRENCY]),
  parseAccount: parseBitcoinAddress,
  decimalsOf: (currency) => (currency === BITCOIN_NATIVE_CURRENCY ? 8 : undefined),
};

const KEY_HASH_VERSION = 0;
const SCRIPT_HASH_VERSION = 5;

function parseBitcoinAddress(value: unknown, field: string): string {
  if (typeof value === "string") {
    const { version = 0, program } = decodeSegwit(value) ?? {};
    const length = program?.length ?? 0;
    const isProgram = version === 0 ? length === 20 || length === 32 : version === 1 ? length === 32 : length >= 2;
    if ((isProgram && length <= 40) || value === BITCOIN_NATIVE_CURRENCY) return value.toLowerCase();
    const legacy = decodeBase58Check(value);
    if (legacy?.length === 21 && [KEY_HASH_VERSION, SCRIPT_HASH_VERSION].includes(legacy[0] ?? -1)) return value;
  }
  throw new InvalidInputError({
    field,
    value,
    reason: "it is not a Bitcoin address of the main network",
    hint: `Pass ${field} as an address that starts with bc1, 1 or 3, with its case as it is.`,
  });
}

const TVM_NATIVE_CURRENCY = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";

/** Decimals of the native currency and USDT. */
const TVM_DECIMALS: ReadonlyMap<string, number> = new Map([
  [TVM_NATIVE_CURRENCY, 6],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", 6],
]);

/** Base58check addresses of 0x41 and 20 bytes, case-sensitive. */
const TVM_FAMILY: ChainFamily = {
  name: "tvm",
  takesCalls: false,
  nativeCurrencies: [TVM_NATIVE_CURRENCY],
  parseAccount: parseTvmAddress,
  parseCurrency: parseTvmAddress,
  isSame: (a, b) => a === b,
  decimalsOf: (currency) => TVM_DECIMALS.get(currency),
};

function parseTvmAddress(value: unknown, field: string): string {
  const bytes = decodeBase58Check(value);
  if (typeof value === "string" && bytes?.length === 21 && bytes[0] === 0x41) return value;
  throw new InvalidInputError({
    field,
    value,
    reason: "it is not a base58 Tron address with a valid checksum",
    hint: `Pass ${field} as the address that starts with T, with its case as it is; the native currency is ${TVM_NATIVE_CURRENCY}.`,
  });
}

/** Families with case-sensitive addresses. Only the service checks their form. */
const OTHER_FAMILIES: Readonly<Record<Exclude<ChainVmType, "bvm" | "evm" | "lvm" | "svm" | "tvm">, ChainFamily>> = {
  // Accounts are EVM addresses; currencies are ids of 16 bytes, some followed by their market's name.
  hypevm: { ...textFamily("hypevm", [`0x${"0".repeat(32)}`]), parseAccount: parseEvmAddress, isSame: isSameHex },
  tonvm: textFamily("tonvm", []),
  xrpvm: textFamily("xrpvm", []),
};

/**
 * Family of chains that are neither in the service's list nor in the table of documented ids. Addresses are not
 * checked.
 */
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
  bvm: BITCOIN_FAMILY,
  evm: EVM_FAMILY,
  svm: SVM_FAMILY,
  lvm: EXCHANGE_FAMILY,
  tvm: TVM_FAMILY,
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

import { InvalidInputError } from "../../core/errors.ts";
import type { ChainFamily } from "./chainFamily.ts";

/** Larger indexes cannot be JSON numbers (spec 2, section 2.1). */
const INDEX_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Accounts and assets are decimal indexes, never wallet addresses (spec 2, section 6). */
export const EXCHANGE_FAMILY: ChainFamily = {
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

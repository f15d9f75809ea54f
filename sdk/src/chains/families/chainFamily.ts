import type { ChainVmType } from "./vmTypes.ts";

/** Families of chains that write accounts and currencies alike, by the service's `vmType`. */
export type ChainFamilyName = ChainVmType | "unknown";

/** How the chains of one family write accounts and currencies (spec 2, sections 2.1 and 6). */
export interface ChainFamily {
  readonly name: ChainFamilyName;
  /** Whether `txs` can be asked for there; true where that is not known. */
  readonly takesCalls: boolean;
  /** The native currencies, as the service writes them; empty where they are not known. */
  readonly nativeCurrencies: readonly string[];
  /**
   * Reads an account: who pays, receives or is refunded.
   *
   * @param field its path, for the error
   * @throws {@link InvalidInputError} when the family does not write accounts like that
   */
  readonly parseAccount: (value: unknown, field: string) => string;
  /**
   * Reads a currency.
   *
   * @param field its path, for the error
   * @throws {@link InvalidInputError} when the family does not write currencies like that
   */
  readonly parseCurrency: (value: unknown, field: string) => string;
  /** Whether two accounts or two currencies are the same one. */
  readonly isSame: (a: string, b: string) => boolean;
  /** Decimals of a currency where the family fixes them; undefined where only the currency itself can tell. */
  readonly decimalsOf: (currency: string) => number | undefined;
}

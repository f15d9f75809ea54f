import type { ChainVmType } from "./vmTypes.ts";

/** Family of chains, by the service's `vmType`. */
export type ChainFamilyName = ChainVmType | "unknown";

/** Formats of a chain family's accounts and currencies (spec 2, sections 2.1 and 6). */
export interface ChainFamily {
  readonly name: ChainFamilyName;
  /** Whether `txs` are supported; true if unknown. */
  readonly takesCalls: boolean;
  /** Empty if unknown. */
  readonly nativeCurrencies: readonly string[];
  /**
   * @param field path of the value, for the error
   * @throws {@link InvalidInputError} if the value is not an account of the family
   */
  readonly parseAccount: (value: unknown, field: string) => string;
  /**
   * @param field path of the value, for the error
   * @throws {@link InvalidInputError} if the value is not a currency of the family
   */
  readonly parseCurrency: (value: unknown, field: string) => string;
  readonly isSame: (a: string, b: string) => boolean;
  /** Returns undefined unless the family determines the decimals. */
  readonly decimalsOf: (currency: string) => number | undefined;
}

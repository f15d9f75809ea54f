/** Families of chains that write accounts and currencies alike. */
export type ChainFamilyName = "evm" | "svm" | "exchange";

/** How the chains of one family write accounts and currencies (spec 2, sections 2.1 and 6). */
export interface ChainFamily {
  readonly name: ChainFamilyName;
  /** Whether a router makes calls there: only these can be the destination of `txs`. */
  readonly takesCalls: boolean;
  /** The native currencies, as the service writes them. */
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

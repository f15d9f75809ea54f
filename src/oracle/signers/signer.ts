import type { Address, Hex } from "viem";

/** The one key that an instance of the oracle signs with (spec 3, section 5). */
export interface OracleSigner {
  /** In lower case, as answers have it. */
  readonly address: Address;
  /**
   * Signs a digest as it is.
   *
   * @returns 65 bytes: r, s in its lower half, and v of 27 or 28
   */
  sign(digest: Hex): Promise<Hex>;
}

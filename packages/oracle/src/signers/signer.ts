import type { Address, Hex } from "viem";

/** The one key of an instance (spec 3, section 5). */
export interface OracleSigner {
  /** In lower case, as in responses. */
  readonly address: Address;
  /** @returns 65 bytes: r, low s, and v of 27 or 28 */
  sign(digest: Hex): Promise<Hex>;
}

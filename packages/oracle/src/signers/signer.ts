import type { Address, Hex } from "viem";

/** Signer with the single key of an instance. */
export interface OracleSigner {
  /** Address in lower case, as in responses. */
  readonly address: Address;
  /** @returns 65 bytes: r, low s, and v of 27 or 28 */
  sign(digest: Hex): Promise<Hex>;
}

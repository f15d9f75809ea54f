import type { Hex } from "viem";

/** Families of chains that the attestation oracle reads (spec 3, section 1; encodings: spec 5, section 3). */
export const VM_TYPES = [
  "bitcoin-vm",
  "ethereum-vm",
  "hyperliquid-vm",
  "lighter-vm",
  "solana-vm",
  "ton-vm",
  "tron-vm",
  "xrp-vm",
] as const;

/** Family of chains, with the oracle's name. */
export type VmType = (typeof VM_TYPES)[number];

/** Codec of a chain family: converts addresses and transaction ids between text and the bytes inside messages. */
export interface VmCodec {
  readonly vmType: VmType;
  /** Placeholder for the native currency. */
  readonly nativeCurrency: string;
  /**
   * Returns the bytes of an address or currency.
   *
   * @param field path of the address, for the error
   * @throws {@link InvalidInputError} when the address is invalid for the family
   */
  readonly encodeAddress: (address: string, field: string) => Hex;
  /**
   * Returns the address for these bytes, in the family's canonical form.
   *
   * @throws {@link InvalidInputError} when the bytes are invalid
   */
  readonly decodeAddress: (bytes: Hex) => string;
  /**
   * Returns the bytes of a transaction id.
   *
   * @throws {@link InvalidInputError} when the transaction id is invalid for the family
   */
  readonly encodeTransactionId: (transactionId: string, field: string) => Hex;
  /** Returns the transaction id for these bytes. */
  readonly decodeTransactionId: (bytes: Hex) => string;
}

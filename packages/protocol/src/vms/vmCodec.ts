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

/** A family of chains, with the oracle's name. */
export type VmType = (typeof VM_TYPES)[number];

/** How a family of chains writes addresses and transaction ids as text, and what bytes they are inside messages. */
export interface VmCodec {
  readonly vmType: VmType;
  /** What stands for the native currency. */
  readonly nativeCurrency: string;
  /**
   * The bytes of an address or currency.
   *
   * @param field its path, for the error
   * @throws {@link InvalidInputError} when the family does not write addresses like that
   */
  readonly encodeAddress: (address: string, field: string) => Hex;
  /**
   * The address of such bytes, in the family's canonical form.
   *
   * @throws {@link InvalidInputError} when they are invalid
   */
  readonly decodeAddress: (bytes: Hex) => string;
  /**
   * The bytes of a transaction id.
   *
   * @throws {@link InvalidInputError} when the family does not write transaction ids like that
   */
  readonly encodeTransactionId: (transactionId: string, field: string) => Hex;
  /** The transaction id of such bytes. */
  readonly decodeTransactionId: (bytes: Hex) => string;
}

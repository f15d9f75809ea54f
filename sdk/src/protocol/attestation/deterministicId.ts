import { type Hex, sha256, stringToHex } from "viem";

/** A part of a deterministic id. */
export type IdPart = string | number | bigint | undefined;

/**
 * An id that everyone derives alike: SHA-256 of the parts, joined by colons and in lower case (spec 5, section 2).
 * A part that is undefined stands as an empty text.
 */
export function deterministicId(...parts: readonly IdPart[]): Hex {
  return sha256(
    stringToHex(
      parts
        .map((part) => part ?? "")
        .join(":")
        .toLowerCase(),
    ),
  );
}

/**
 * Returns the id of a deposit: which transfer of which transaction it is.
 *
 * @param chainId the chain's name in orders
 * @param index what tells deposits of one transaction apart: on EVM chains the log index within the block
 */
export function onchainId(chainId: string, transactionId: string, index: number | string): Hex {
  return deterministicId(chainId, transactionId, index);
}

import { type Hex, sha256, stringToBytes } from "viem";

export type IdPart = string | number | bigint | undefined;

/** SHA-256 of the parts in lower case, joined by colons (spec 5, section 2). An undefined part is empty. */
export function deterministicId(...parts: readonly IdPart[]): Hex {
  return sha256(
    stringToBytes(
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
 * @param index what distinguishes deposits of one transaction: on EVM chains the log index within the block
 */
export function onchainId(chainId: string, transactionId: string, index: number | string): Hex {
  return deterministicId(chainId, transactionId, index);
}

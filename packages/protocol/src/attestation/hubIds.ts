import {
  type Address,
  checksumAddress,
  concat,
  type Hex,
  hexToBigInt,
  keccak256 as viemKeccak256,
  sha256,
  slice,
  stringToBytes,
  stringToHex,
  toHex,
} from "viem";

type IdPart = string | number | bigint | undefined;

/**
 * Returns the SHA-256 of the parts in lower case, joined by colons (spec 5, section 2). An undefined part becomes empty
 * text.
 */
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
 * Returns the id of a deposit from its transaction and its index.
 *
 * @param chainId the chain's name in orders
 * @param index index that distinguishes the deposits of a transaction: on EVM chains, the log index within the block
 */
export function onchainId(chainId: string, transactionId: string, index: number | string): Hex {
  return deterministicId(chainId, transactionId, index);
}

/** Function that hashes hex bytes. To hash many values, pass a function that is faster than viem's. */
export type Keccak256 = (data: Hex) => Hex;

/**
 * Returns the token on the settlement hub that represents a currency of a chain (spec 5, section 2).
 *
 * @param chainId the chain's name in orders
 * @param currency currency, encoded by the chain's codec
 */
export function hubTokenId(chainId: string, currency: Hex, keccak256: Keccak256 = viemKeccak256): bigint {
  return hexToBigInt(hashOnChain(chainId, currency, keccak256));
}

/**
 * Returns the account on the settlement hub that belongs to an address of a chain, checksummed.
 *
 * @param chainId the chain's name in orders
 * @param address address, encoded by the chain's codec
 */
export function hubAlias(chainId: string, address: Hex): Address {
  return checksumAddress(slice(hashOnChain(chainId, address, viemKeccak256), 12));
}

export interface OrderAddressParameters {
  /** The deposit chain's name in orders. */
  readonly chainId: string;
  /** Encoded by the chain's codec. */
  readonly depositor: Hex;
  /** Time of the deposit's block, in Unix seconds. */
  readonly depositTimestamp: number;
  /** The orderId, 32 bytes. */
  readonly depositId: Hex;
}

/**
 * Returns the account on the settlement hub that holds a deposit until its order is filled or refunded, in lower case.
 */
export function orderAddress(parameters: OrderAddressParameters, keccak256: Keccak256 = viemKeccak256): Address {
  const { chainId, depositor, depositTimestamp, depositId } = parameters;
  const parts = [stringToHex(chainId), depositor, toHex(depositTimestamp, { size: 32 }), depositId];
  return lastAddress(parts, keccak256);
}

/** Fields that determine a withdrawal's account. The amount does not affect it. */
export interface WithdrawalAddressParameters {
  /** The withdrawal chain's name in orders. */
  readonly chainId: string;
  /** Encoded by that chain's codec, like `currency` and `recipient`. */
  readonly depository: Hex;
  readonly currency: Hex;
  readonly recipient: Hex;
  /** The owner's hub account. */
  readonly ownerAlias: Address;
  readonly nonce: bigint;
}

/** Returns the account on the settlement hub that holds a pending withdrawal, in lower case. */
export function withdrawalAddress(parameters: WithdrawalAddressParameters): Address {
  const { chainId, depository, currency, recipient, ownerAlias, nonce } = parameters;
  const parts = [stringToHex(chainId), depository, currency, recipient, ownerAlias.toLowerCase() as Hex];
  return lastAddress([...parts, toHex(nonce, { size: 32 })], viemKeccak256);
}

function hashOnChain(chainId: string, encoded: Hex, keccak256: Keccak256): Hex {
  return keccak256(concat([stringToHex(chainId), encoded]));
}

function lastAddress(parts: readonly Hex[], keccak256: Keccak256): Address {
  return slice(keccak256(concat(parts)), 12);
}

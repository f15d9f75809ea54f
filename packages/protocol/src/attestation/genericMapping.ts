import { type Address, type Hex, concat, parseAbiParameters, sha256, stringToHex } from "viem";

/** EIP-712 types of an entry in the hub's generic mapping (spec 5, section 2). */
export const SET_ENTRY_TYPES = {
  SetEntry: parseAbiParameters("address user, bytes32 id, bytes data, bytes32 nonce"),
} as const;

export function genericMappingDomain(evmChainId: number, genericMappingAddress: Address) {
  return { name: "RelayGenericMapping", version: "1", chainId: evmChainId, verifyingContract: genericMappingAddress };
}

export interface MappingEntry {
  /** Owner of the entry: a checksummed hub account. */
  readonly user: Address;
  readonly id: Hex;
  readonly data: Hex;
  readonly nonce: Hex;
}

/**
 * Returns a solver's statement that it neither filled nor refunded an order.
 * @param user the solver's checksummed hub account, whose case affects the hash
 */
export function noFillEntry(user: Address, orderId: Hex): MappingEntry {
  return {
    user,
    id: noFillEntryId(orderId),
    data: "0x01",
    nonce: hashText(`${user}:${orderId}`),
  };
}

export function noFillEntryId(orderId: Hex): Hex {
  return hashText(`NO_FILL_OR_REFUND:${orderId}`);
}

export interface NonceMappingParameters {
  /** The wallet's checksummed hub account, whose case affects the hash. */
  readonly user: Address;
  /** Decimal. */
  readonly nonce: string;
  /** 32 bytes. */
  readonly id: Hex;
  readonly depositor: Address;
}

/** Binds a wallet's nonce to an id and a depositor. */
export function nonceMappingEntry({ user, nonce, id, depositor }: NonceMappingParameters): MappingEntry {
  return {
    user,
    id: nonceMappingEntryId(nonce),
    data: concat([id, depositor.toLowerCase() as Hex]),
    nonce: hashText(`${user}:${nonce}`),
  };
}

/** @param nonce decimal */
export function nonceMappingEntryId(nonce: string): Hex {
  return hashText(`NONCE_MAPPING:${nonce}`);
}

/** EIP-712 types that a solver signs to state that it neither filled nor refunded an order. */
export const NO_FILL_TYPES = {
  NoFillOrRefund: parseAbiParameters("string chainId, address solver, bytes32 orderId"),
} as const;

/** EIP-712 types that a wallet signs to bind its nonce to an id. */
export const NONCE_MAPPING_TYPES = {
  NonceMapping: parseAbiParameters("string chainId, address wallet, address depositor, bytes32 id, uint256 nonce"),
} as const;

function hashText(text: string): Hex {
  return sha256(stringToHex(text));
}

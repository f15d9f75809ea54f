import { hexToNumber, size, slice } from "viem";

import { chainFamilyOf, type KnownChain } from "@crosscall/protocol/chains";
import { BITCOIN_CHAIN_ID, TRON_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { InvalidInputError } from "@crosscall/protocol/core";
import { BITCOIN_CODEC, TRON_CODEC } from "@crosscall/protocol/vms";

/**
 * Checks an account by the rules of its chain. Unlike the chain families of the SDK, also checks addresses of Bitcoin and
 * Tron.
 *
 * @param chains chains that the table of documented ids lacks
 * @returns the account in its canonical form
 * @throws {@link InvalidInputError} if it is not an account of the chain
 */
export function parseAccountOf(
  chainId: number,
  account: string,
  field: string,
  chains: readonly KnownChain[] = [],
): string {
  switch (chainId) {
    case BITCOIN_CHAIN_ID:
      return parseBitcoinAddress(account, field);
    case TRON_CHAIN_ID:
      return TRON_CODEC.decodeAddress(TRON_CODEC.encodeAddress(account, field));
    default:
      return chainFamilyOf(chainId, chains).parseAccount(account, field);
  }
}

const KEY_HASH_VERSION = 0;
const SCRIPT_HASH_VERSION = 5;

/** Encoded addresses that are hashes of keys or scripts start with this byte; segwit ones start with their version. */
const LEGACY = 0xff;

function parseBitcoinAddress(address: string, field: string): string {
  // Not an account, but as `refundTo`, it means the payer.
  if (address === BITCOIN_CODEC.nativeCurrency) return address;
  const bytes = BITCOIN_CODEC.encodeAddress(address, field);
  const version = hexToNumber(slice(bytes, 0, 1));
  const length = size(bytes) - 1;
  const isOfMainNetwork =
    version === LEGACY
      ? [KEY_HASH_VERSION, SCRIPT_HASH_VERSION].includes(hexToNumber(slice(bytes, 1, 2)))
      : isProgramLength(version, length);
  if (isOfMainNetwork) return BITCOIN_CODEC.decodeAddress(bytes);
  throw new InvalidInputError({
    field,
    value: address,
    reason: "it is not a Bitcoin address of the main network",
    hint: `Pass ${field} as an address that starts with bc1, 1 or 3, without changing its case.`,
  });
}

/** Lengths of witness programs (BIP 141, BIP 341). */
function isProgramLength(version: number, length: number): boolean {
  if (version === 0) return length === 20 || length === 32;
  return version === 1 ? length === 32 : length >= 2 && length <= 40;
}

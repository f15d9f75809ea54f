import { type Hex, type LocalAccount, concat, keccak256, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Separates these keys from other uses of a requestId. */
const DOMAIN = stringToHex("crosscall deposit address");

/**
 * The account of a request's deposit address, the same on every chain. Its key derives from the requestId, so nothing
 * is stored, and is public like all keys of a local network. The live service uses contracts.
 */
export function depositAccount(requestId: Hex): LocalAccount {
  return privateKeyToAccount(keccak256(concat([DOMAIN, requestId])));
}

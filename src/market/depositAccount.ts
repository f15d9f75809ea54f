import { type Hex, type LocalAccount, concat, keccak256, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** Sets these keys apart from all other uses of a request's id. */
const DOMAIN = stringToHex("crosscall deposit address");

/**
 * The account behind the deposit address of a request, the same on every chain. Its key is made from the request's id,
 * so that nothing need be stored; like all keys of a local network it is public. The live service has contracts there.
 */
export function depositAccount(requestId: Hex): LocalAccount {
  return privateKeyToAccount(keccak256(concat([DOMAIN, requestId])));
}

import { type Address, type Hex, isHex, numberToHex, type SignedAuthorization } from "viem";
import { recoverAuthorizationAddress } from "viem/utils";

import type { StoredAuthorization } from "../store/tables/gaslessTables.ts";

/** Undefined if the signature is malformed. */
export async function recoverAccount(authorization: StoredAuthorization): Promise<Address | undefined> {
  if (![authorization.r, authorization.s].every((part) => isHex(part) && part.length <= 66)) return undefined;
  try {
    return await recoverAuthorizationAddress({ authorization: toSigned(authorization) });
  } catch {
    // Not a point of the curve.
    return undefined;
  }
}

export function toSigned({ chainId, address, nonce, yParity, r, s }: StoredAuthorization): SignedAuthorization {
  const word = (part: string): Hex => numberToHex(BigInt(part), { size: 32 });
  return { chainId, address: address as Address, nonce, yParity, r: word(r), s: word(s) };
}

import { type Address, type Hex, isHex, numberToHex, type SignedAuthorization } from "viem";
import { recoverAuthorizationAddress } from "viem/utils";

import type { EvmCall } from "../../devchain/devChain.ts";
import type { StoredAuthorization, StoredCall } from "../../store/executions.ts";

/** Upper bound of `s` in signatures that chains and tokens accept: half the curve's order. */
export const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Recovers the signer; undefined if the chain would reject the signature. */
export async function recoverAccount(authorization: StoredAuthorization): Promise<Address | undefined> {
  const { r, s } = authorization;
  if (![r, s].every((part) => isHex(part) && part.length > 2 && part.length <= 66)) return undefined;
  if (BigInt(s) > HIGHEST_S) return undefined;
  try {
    return await recoverAuthorizationAddress({ authorization: toSigned(authorization) });
  } catch {
    // `r` is not a point on the curve.
    return undefined;
  }
}

export function toSigned({ chainId, address, nonce, yParity, r, s }: StoredAuthorization): SignedAuthorization {
  const word = (part: string): Hex => numberToHex(BigInt(part), { size: 32 });
  return { chainId, address: address as Address, nonce, yParity, r: word(r), s: word(s) };
}

/** Returns the transaction of a call for a user. The service sends no value. */
export function executionCall({ to, data, authorizationList }: Omit<StoredCall, "chainId">): EvmCall {
  return {
    to: to as Address,
    data: data as Hex,
    value: 0n,
    ...(authorizationList === undefined ? {} : { authorizationList: authorizationList.map(toSigned) }),
  };
}

/** Returns the id of the sponsor's payment for the gas of a call. The fill has a separate payment. */
export function executionPayment(requestId: string): string {
  return `${requestId} execution`;
}

import type { Address, Hex } from "viem";

import type { EvmCall } from "../../devchain/devChain.ts";
import type { StoredAuthorization, StoredCall } from "../../store/tables/gaslessTables.ts";

/** The transaction of a call for a user; the service pays no value. */
export function executionCall({ to, data, authorizationList }: Omit<StoredCall, "chainId">): EvmCall {
  return {
    to: to as Address,
    data: data as Hex,
    value: 0n,
    ...(authorizationList === undefined ? {} : { authorizationList: authorizationList.map(toSigned) }),
  };
}

export function toSigned({ chainId, address, nonce, yParity, r, s }: StoredAuthorization) {
  return { chainId, address: address as Address, nonce, yParity, r: r as Hex, s: s as Hex };
}

/** Names the sponsor's payment for the gas of a call; the fill is paid apart from it. */
export function executionPayment(requestId: string): string {
  return `${requestId} execution`;
}

import type { Address, Hex } from "viem";

import type { EvmCall } from "../../devchain/devChain.ts";
import type { StoredCall } from "../../store/tables/gaslessTables.ts";
import { toSigned } from "./authorization.ts";

/** The transaction of a call for a user; the service pays no value. */
export function executionCall({ to, data, authorizationList }: Omit<StoredCall, "chainId">): EvmCall {
  return {
    to: to as Address,
    data: data as Hex,
    value: 0n,
    ...(authorizationList === undefined ? {} : { authorizationList: authorizationList.map(toSigned) }),
  };
}

/** Names the sponsor's payment for the gas of a call; the fill is paid apart from it. */
export function executionPayment(requestId: string): string {
  return `${requestId} execution`;
}

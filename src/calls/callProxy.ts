import { type Address, encodeFunctionData } from "viem";

import { destinationProxyAbi } from "../abi/destinationProxy.generated.ts";
import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import type { Call } from "../protocol/call.ts";

/** What {@link callProxy} takes. */
export interface CallProxyParameters {
  readonly proxy: Address;
  /** Who gets what the proxy makes of the tokens. */
  readonly recipient: Address;
  /** The least that must arrive at the proxy, smallest unit of its input token; 1 when left out. */
  readonly minimumIn?: bigint;
  /** The least that the recipient must gain, smallest unit of the proxy's output token; 1 when left out. */
  readonly minimumOut?: bigint;
  /** Unix seconds; the call reverts after it. */
  readonly deadline: bigint;
}

/**
 * The call of a destination proxy, which acts on the whole live balance of the router (spec 2, call rule 3).
 *
 * @throws {@link InvalidInputError} when an address, a minimum or the deadline is none
 */
export function callProxy({ proxy, recipient, minimumIn = 1n, minimumOut = 1n, deadline }: CallProxyParameters): Call {
  return {
    to: parseEvmAddress(proxy, "proxy"),
    data: encodeFunctionData({
      abi: destinationProxyAbi,
      functionName: "execute",
      args: [
        parseEvmAddress(recipient, "recipient"),
        requireAmount(minimumIn, "minimumIn"),
        requireAmount(minimumOut, "minimumOut"),
        requireAmount(deadline, "deadline"),
      ],
    }),
    value: "0",
  };
}

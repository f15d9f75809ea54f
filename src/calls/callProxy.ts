import { type Address, encodeFunctionData } from "viem";

import { destinationProxyAbi } from "../abi/destinationProxy.generated.ts";
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

/** The call of a destination proxy, which acts on the whole live balance of the router (spec 2, call rule 3). */
export function callProxy({ proxy, recipient, minimumIn = 1n, minimumOut = 1n, deadline }: CallProxyParameters): Call {
  return {
    to: proxy,
    data: encodeFunctionData({
      abi: destinationProxyAbi,
      functionName: "execute",
      args: [recipient, minimumIn, minimumOut, deadline],
    }),
    value: "0",
  };
}

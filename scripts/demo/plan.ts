import { parseEther, zeroAddress } from "viem";

import { planCalls } from "@crosscall/sdk/calls";
import type { Localnet, LocalnetChain } from "../../src/localnet/index.ts";
import type { QuoteRequest } from "@crosscall/sdk/protocol";

/** In wei. */
const PAYMENT = parseEther("1");

/** Deadline of the vault call, in seconds. */
const CALL_LIFETIME_SECONDS = 3_600;

/** "Pay 1 ETH on the origin chain, and deposit all dollars that arrive on the destination chain in a vault for me." */
export function composeDemoRequest(
  { accounts: { user } }: Localnet,
  origin: LocalnetChain,
  destination: LocalnetChain,
  nowSeconds: number,
): QuoteRequest {
  const { router, dollar, vaultProxy } = destination.contracts;
  const planned = planCalls({
    tradeType: "EXACT_INPUT",
    router,
    destinationCurrency: dollar,
    recipient: user.address,
    amount: PAYMENT,
    actions: [
      {
        kind: "proxy",
        token: dollar,
        proxy: vaultProxy,
        recipient: user.address,
        deadline: BigInt(nowSeconds + CALL_LIFETIME_SECONDS),
      },
    ],
  });
  return {
    user: user.address,
    recipient: user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: dollar,
    ...planned,
  };
}

import { type Account, type Address, createWalletClient, custom } from "viem";

import { originChainIdOf, planSteps } from "@crosscall/sdk/internal/client/executeSteps/planSteps";
import type { ViemWallet } from "@crosscall/sdk/internal/client/executeSteps/viemWallet";
import type { Quote } from "@crosscall/sdk/internal/protocol/quote/quote";
import type { Target } from "../options/target.ts";
import { requireTarget } from "../options/connectChains.ts";

/**
 * @param account an address suffices for a dry run
 *
 * @throws {@link InvalidInputError} if a chain of the quote has no endpoint
 */
export function openWalletsOf(
  quote: Quote,
  targets: ReadonlyMap<number, Target>,
  account: Account | Address,
): Readonly<Record<number, ViemWallet>> {
  for (const action of planSteps(quote.steps, originChainIdOf(quote))) {
    if (action.kind === "transaction") requireTarget(targets, action.chainId);
  }
  return Object.fromEntries(
    [...targets].map(([chainId, { client }]) => [
      chainId,
      // The node's client has its own retries, and ends its calls on Ctrl-C.
      createWalletClient({
        account,
        transport: custom({ request: client.request as (call: unknown) => Promise<unknown> }, { retryCount: 0 }),
      }),
    ]),
  );
}

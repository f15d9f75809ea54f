import { type Address, erc20Abi } from "viem";

import type { ResolvedQuote } from "./resolveQuote.ts";

/** What of the two chains goes into a quote. */
export interface ChainReadings {
  /** What the depository may already take of the user's tokens, smallest unit. */
  readonly allowance: bigint;
  /** What the user holds of the input, smallest unit. */
  readonly userBalance: bigint;
  /** Wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly destinationGasPrice: bigint;
}

/** Reads what a quote needs of its chains. */
export async function readChains({ origin, destination, input, user }: ResolvedQuote): Promise<ChainReadings> {
  const token = { address: input.currency.address as Address, abi: erc20Abi };
  const isNative = input.currency.metadata.isNative;
  const [fees, destinationGasPrice, userBalance, allowance] = await Promise.all([
    origin.client.estimateFeesPerGas(),
    destination.client.getGasPrice(),
    isNative
      ? origin.client.getBalance({ address: user })
      : origin.client.readContract({ ...token, functionName: "balanceOf", args: [user] }),
    isNative ? 0n : readAllowance({ origin, input, user }, origin.contracts.depository),
  ]);
  return { ...fees, destinationGasPrice, userBalance, allowance };
}

/** What somebody may already take of the user's tokens, smallest unit. */
export function readAllowance(
  { origin, input, user }: Pick<ResolvedQuote, "origin" | "input" | "user">,
  spender: Address,
): Promise<bigint> {
  return origin.client.readContract({
    address: input.currency.address as Address,
    abi: erc20Abi,
    functionName: "allowance",
    args: [user, spender],
  });
}

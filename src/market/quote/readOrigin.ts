import { type Address, erc20Abi } from "viem";

import { readBalance } from "../../devchain/readChain.ts";
import type { EvmOriginQuote } from "./resolveQuote.ts";

/** What a quote needs of its origin chain. */
export interface OriginReadings {
  /** What the depository may already take of the user's tokens, smallest unit. */
  readonly allowance: bigint;
  /** What the user holds of the input, smallest unit. */
  readonly userBalance: bigint;
  /** Wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** A user's side of a quote. */
type OriginSide = Pick<EvmOriginQuote, "origin" | "input" | "user">;

/** Reads what a quote needs of its origin chain. */
export async function readOrigin(side: OriginSide): Promise<OriginReadings> {
  const { origin, input, user } = side;
  const [fees, userBalance, allowance] = await Promise.all([
    origin.client.estimateFeesPerGas(),
    readBalance(origin, input.currency.address, user as Address),
    input.currency.metadata.isNative ? 0n : readAllowance(side, origin.contracts.depository),
  ]);
  return { ...fees, userBalance, allowance };
}

/** What a spender may already take of the user's tokens, smallest unit. */
export function readAllowance({ origin, input, user }: OriginSide, spender: Address): Promise<bigint> {
  return origin.client.readContract({
    address: input.currency.address as Address,
    abi: erc20Abi,
    functionName: "allowance",
    args: [user as Address, spender],
  });
}

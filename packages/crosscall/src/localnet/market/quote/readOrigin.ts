import { type Address, erc20Abi } from "viem";

import { readBalance } from "../../devchain/readChain.ts";
import type { EvmOriginQuote } from "./resolveQuote.ts";

export interface OriginReadings {
  /** Smallest unit. */
  readonly allowance: bigint;
  /** Smallest unit. */
  readonly userBalance: bigint;
  /** Wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

type OriginSide = Pick<EvmOriginQuote, "origin" | "input" | "user">;

export async function readOrigin(side: OriginSide): Promise<OriginReadings> {
  const { origin, input, user } = side;
  const [fees, userBalance, allowance] = await Promise.all([
    origin.client.estimateFeesPerGas(),
    readBalance(origin, input.currency.address, user as Address),
    input.currency.metadata.isNative ? 0n : readAllowance(side, origin.contracts.depository),
  ]);
  return { ...fees, userBalance, allowance };
}

/** Reads the allowance in the smallest unit. */
export function readAllowance({ origin, input, user }: OriginSide, spender: Address): Promise<bigint> {
  return origin.client.readContract({
    address: input.currency.address as Address,
    abi: erc20Abi,
    functionName: "allowance",
    args: [user as Address, spender],
  });
}

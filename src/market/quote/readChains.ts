import { type Address, erc20Abi } from "viem";

import type { DevChain } from "../../devchain/devChain.ts";
import { readBalance } from "../../devchain/readBalance.ts";
import type { QuoteSubject, ResolvedQuote } from "./resolveQuote.ts";

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

/** A user's side of a quote on a chain that is run. */
type OriginSide = Pick<QuoteSubject, "input" | "user"> & { readonly origin: DevChain };

/** Reads what a quote needs of its chains. */
export async function readChains(quote: ResolvedQuote): Promise<ChainReadings> {
  const [readings, destinationGasPrice] = await Promise.all([
    readOrigin(quote),
    quote.destination.client.getGasPrice(),
  ]);
  return { ...readings, destinationGasPrice };
}

/** Reads what a quote needs of its origin chain. */
export async function readOrigin(side: OriginSide): Promise<Omit<ChainReadings, "destinationGasPrice">> {
  const { origin, input } = side;
  const user = side.user as Address;
  const isNative = input.currency.metadata.isNative;
  const [fees, userBalance, allowance] = await Promise.all([
    origin.client.estimateFeesPerGas(),
    readBalance(origin, input.currency.address, user),
    isNative ? 0n : readAllowance(side, origin.contracts.depository),
  ]);
  return { ...fees, userBalance, allowance };
}

/** What somebody may already take of the user's tokens, smallest unit. */
export function readAllowance({ origin, input, user }: OriginSide, spender: Address): Promise<bigint> {
  return origin.client.readContract({
    address: input.currency.address as Address,
    abi: erc20Abi,
    functionName: "allowance",
    args: [user as Address, spender],
  });
}

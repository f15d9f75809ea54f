import { maxUint256, numberToHex, zeroAddress } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import type { EvmCall } from "../../devchain/devChain.ts";
import { findSwap } from "../../market/swaps/findSwap.ts";
import { exactInputCalls } from "../../market/swaps/swapCalls.ts";
import {
  byCall,
  byRevert,
  errorData,
  errorText,
  type FailScenario,
  type FillFacts,
  BLOCK_REVERTER,
  GAS_EATER,
  REVERTER,
} from "./failScenario.ts";

/** Memory offset that costs about 9 million gas. With headroom, this is more than the solver spends on a fill. */
const MEMORY_BEYOND_QUOTES = 2_100_000n;

/** In wei. */
const SWAPPED = 10n ** 12n;

/** Returns a swap with a minimum of twice the pools' output. */
async function overask({ chain, recipient }: FillFacts): Promise<EvmCall> {
  const search = await findSwap({ chain, input: zeroAddress, output: chain.contracts.dollar, amountIn: SWAPPED });
  const calls =
    search.kind === "found"
      ? exactInputCalls(chain, search.swap, { recipient, minimumOut: 2n * search.swap.amountOut + 1n })
      : [];
  // If there is no pool, reverts with the router's message.
  return calls[0] ?? { to: REVERTER.address, data: errorText("Too little received"), value: 0n };
}

export const REVERT_REASONS = {
  SLIPPAGE: byRevert(
    "The fill's first call receives less than its minimum and reverts with the error of the kit's proxies.",
    "Raise `slippageTolerance`, lower the minimums in your calls, and request a new quote.",
    errorData("error InsufficientOutput(uint256 amountOut, uint256 minimumOut)", 1n, 2n),
  ),
  TOO_LITTLE_RECEIVED: byCall(
    "The fill's first call swaps with a minimum above the pool's output, and the Uniswap router reverts.",
    "Derive the swap's minimum from the quote's minimum amount, not from the expected amount.",
    overask,
  ),
  MISSING_REVERT_DATA: byRevert(
    "The fill's first call reverts without revert data.",
    "Check that each call's target has code and the called function on the destination chain.",
    "0x",
  ),
  EXECUTION_REVERTED: byRevert(
    "The fill's first call reverts with an error that the solver cannot decode.",
    "Decode `failedCallData` with your ABI, and replay it with `crosscall replay`.",
    errorData("error NotToday(uint256 day)", 1n),
  ),
  TRANSACTION_REVERTED: {
    how: "chain",
    what: "The fill reverts in its block but succeeds in a new simulation.",
    hint: "Inspect `failedTxHash`. A call depends on a property of the block, such as its gas price or timestamp.",
    act: {
      kind: "fill",
      // Skips the simulation, because some nodes simulate with a gas price and would detect the revert.
      fault: { skipsSimulation: true, firstCall: { to: BLOCK_REVERTER.address, data: "0x", value: 0n } },
    },
  },
  QUOTED_GAS_LIMIT_EXCEEDED: byCall(
    "The fill's first call uses more gas than any quote allows.",
    "Keep gas use predictable: avoid loops over data that others can grow. Replay the calls on a fork.",
    () => ({ to: GAS_EATER.address, data: numberToHex(MEMORY_BEYOND_QUOTES, { size: 32 }), value: 0n }),
  ),
  CONTRACT_PAUSED: byRevert(
    "The fill's first call reaches a paused contract.",
    "Check whether the contract is paused before you quote, and inform the user.",
    errorData("error EnforcedPause()"),
  ),
  ACCOUNT_ABSTRACTION_INVALID_NONCE: byRevert(
    "The fill's first call is a user operation with a used nonce.",
    "Read the account's nonce right before the user signs, and send one operation at a time.",
    errorData("error FailedOp(uint256 opIndex, string reason)", 0n, "AA25 invalid account nonce"),
  ),
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: byRevert(
    "The fill's first call is a user operation with a signature that the account rejects.",
    "Sign the operation for this chain and entry point with the account's current owner.",
    errorData("error FailedOp(uint256 opIndex, string reason)", 0n, "AA24 signature error"),
  ),
  ACCOUNT_ABSTRACTION_GAS_LIMIT: byRevert(
    "The fill's first call is a user operation that exceeds its own gas limit.",
    "Raise the operation's gas limits above the gas used in a fork simulation.",
    errorData("error FailedOp(uint256 opIndex, string reason)", 0n, "AA95 out of gas"),
  ),
  INSUFFICIENT_POOL_LIQUIDITY: byRevert(
    "The fill's first call swaps in a pool without enough liquidity.",
    "Use pools with more liquidity, or request a quote for a smaller amount.",
    errorText("UniswapV2Library: INSUFFICIENT_LIQUIDITY"),
  ),
  FLUID_DEX_ERROR: byRevert(
    "The fill's first call is a swap that Fluid rejects with an error number.",
    "Look up the number in Fluid's error list. The amount often exceeds the pool's limits.",
    errorData("error FluidDexError(uint256 errorId)", 51_013n),
  ),
  SWAP_USES_TOO_MUCH_GAS: byCall(
    "The fill's first call uses all available gas.",
    "Bound the gas of your calls. Avoid loops over data that others can grow.",
    () => ({ to: GAS_EATER.address, data: numberToHex(maxUint256), value: 0n }),
  ),
  INVALID_GAS_PRICE: byRevert(
    "The fill's first call reaches a contract that rejects the transaction's gas price.",
    "Do not call contracts that limit the gas price. Solvers pay the price that gets a fill included.",
    errorData("error InvalidGasPrice()"),
  ),
  ZERO_SELL_AMOUNT: byRevert(
    "The fill's first call sells a zero amount.",
    "Sell the live balance in a call after the one that receives it.",
    errorData("error ZeroSellAmount(address token)", REVERTER.address),
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;

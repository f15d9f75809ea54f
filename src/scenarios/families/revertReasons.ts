import { maxUint256, numberToHex, zeroAddress } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
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

/** Bytes of memory that take some 9 million gas: with the solver's margin more than it spends on a fill. */
const MEMORY_BEYOND_QUOTES = 2_100_000n;

/** What the swap puts in, in wei. */
const SWAPPED = 10n ** 12n;

/** A swap whose minimum is twice what the pools bring. */
async function overask({ chain, recipient }: FillFacts): Promise<EvmCall> {
  const search = await findSwap({ chain, input: zeroAddress, output: chain.contracts.dollar, amountIn: SWAPPED });
  const calls =
    search.kind === "found"
      ? exactInputCalls(chain.contracts, search.swap, { recipient, minimumOut: 2n * search.swap.amountOut + 1n })
      : [];
  // Where there is no pool to ask, the words of its router must do.
  return calls[0] ?? { to: REVERTER.address, data: errorText("Too little received"), value: 0n };
}

/** FailReasons of calls that revert in the fill, by what they revert with. */
export const REVERT_REASONS = {
  SLIPPAGE: byRevert(
    "The fill's first call finds less than its minimum, and reverts as the kit's proxies do.",
    "Give slippageTolerance and the calls' own minimums the room that the market needs, and quote fresh.",
    errorData("error InsufficientOutput(uint256 amountOut, uint256 minimumOut)", 1n, 2n),
  ),
  TOO_LITTLE_RECEIVED: byCall(
    "The fill's first call swaps in the chain's pools for more than they give, and Uniswap's router refuses.",
    "Set the swap's minimum from the minimum amount of the quote, never from the expected one.",
    overask,
  ),
  MISSING_REVERT_DATA: byRevert(
    "The fill's first call reverts without a word.",
    "Look for a call to an address without the function, or without code, on the destination chain.",
    "0x",
  ),
  EXECUTION_REVERTED: byRevert(
    "The fill's first call reverts with an error that the solver does not know.",
    "Decode `failedCallData` with your ABI, and replay it with `crosscall check`.",
    errorData("error NotToday(uint256 day)", 1n),
  ),
  TRANSACTION_REVERTED: {
    how: "chain",
    what: "The fill reverts in its block, and works when it is tried again.",
    hint: "Look at `failedTxHash`: a call depends on what only its block has, such as the gas price or the block's time.",
    act: {
      kind: "fill",
      // Some nodes try with the price of gas, too: then the trial would find it.
      fault: { skipsSimulation: true, firstCall: { to: BLOCK_REVERTER.address, data: "0x", value: 0n } },
    },
  },
  QUOTED_GAS_LIMIT_EXCEEDED: byCall(
    "The fill's first call takes more gas than any fill is quoted with.",
    "Keep the gas of calls steady: no loops over what others can grow; replay them against a fork.",
    () => ({ to: GAS_EATER.address, data: numberToHex(MEMORY_BEYOND_QUOTES, { size: 32 }), value: 0n }),
  ),
  CONTRACT_PAUSED: byRevert(
    "The fill's first call reaches a contract that is paused.",
    "Ask the contract whether it is paused before you quote, and tell the user.",
    errorData("error EnforcedPause()"),
  ),
  ACCOUNT_ABSTRACTION_INVALID_NONCE: byRevert(
    "The fill's first call is a user operation with a nonce that was used.",
    "Read the account's nonce right before the user signs, and send one operation at a time.",
    errorData("error FailedOp(uint256 opIndex, string reason)", 0n, "AA25 invalid account nonce"),
  ),
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: byRevert(
    "The fill's first call is a user operation whose signature the account refuses.",
    "Sign the operation for this chain and entry point, with the owner that the account has now.",
    errorData("error FailedOp(uint256 opIndex, string reason)", 0n, "AA24 signature error"),
  ),
  ACCOUNT_ABSTRACTION_GAS_LIMIT: byRevert(
    "The fill's first call is a user operation that runs out of its own gas.",
    "Raise the operation's gas limits above what a simulation on a fork uses.",
    errorData("error FailedOp(uint256 opIndex, string reason)", 0n, "AA95 out of gas"),
  ),
  INSUFFICIENT_POOL_LIQUIDITY: byRevert(
    "The fill's first call is a swap in a pool that does not hold enough.",
    "Swap in deeper pools, or quote a smaller amount.",
    errorText("UniswapV2Library: INSUFFICIENT_LIQUIDITY"),
  ),
  FLUID_DEX_ERROR: byRevert(
    "The fill's first call is a swap that Fluid refuses with a number.",
    "Look the number up in Fluid's error list; most often the amount is beyond the pool's limits.",
    errorData("error FluidDexError(uint256 errorId)", 51_013n),
  ),
  SWAP_USES_TOO_MUCH_GAS: byCall(
    "The fill's first call uses up all the gas there is.",
    "Keep the gas of calls bounded: no loops over what others can grow.",
    () => ({ to: GAS_EATER.address, data: numberToHex(maxUint256), value: 0n }),
  ),
  INVALID_GAS_PRICE: byRevert(
    "The fill's first call reaches a contract that refuses the gas price of its transaction.",
    "Do not call contracts that limit the gas price: solvers pay what gets a fill included.",
    errorData("error InvalidGasPrice()"),
  ),
  ZERO_SELL_AMOUNT: byRevert(
    "The fill's first call sells nothing.",
    "Sell the live balance, in a call after the one that brings it.",
    errorData("error ZeroSellAmount(address token)", REVERTER.address),
  ),
} as const satisfies Partial<Record<FailReason, FailScenario>>;

import { type Address, decodeEventLog, erc20Abi, type Hex } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { BPS_PER_WHOLE, mulDiv } from "@crosscall/protocol/encoding";
import { InvalidStateError } from "@crosscall/protocol/core";
import type { FailReason } from "@crosscall/protocol/request";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { isInventory } from "../market/currencies.ts";
import { findSwap } from "../market/swaps/findSwap.ts";
import { exactInputCalls, exactOutputCalls } from "../market/swaps/swapCalls.ts";
import { owedDeposit, type RequestRow } from "../store/requests/requests.ts";
import type { TransactionRow } from "../store/transactions.ts";
import type { Payer } from "./solverParts.ts";

/** Delivery of a fill. Amounts are in the smallest unit. */
export interface Delivery {
  readonly payment: { readonly currency: Address; readonly amount: bigint };
  /** Delivered amount; for a swap, at the current state of the pools. */
  readonly amount: bigint;
  /** Router calls before the order's calls; empty if the solver holds the delivered currency. */
  readonly swapCalls: readonly EvmCall[];
}

export type DeliveryPlan =
  | { readonly works: true; readonly delivery: Delivery }
  | { readonly works: false; readonly failReason: FailReason };

export interface DeliveryTerms {
  /** Deposited amount, in the smallest unit of the origin currency. */
  readonly depositedInput: bigint;
  /** Deviation from the quoted amount, in bps. */
  readonly deliveryBps: number;
  readonly deliversBelowMinimum: boolean;
  /** Amount to deliver regardless of deposit and quote; never for EXACT_OUTPUT. */
  readonly chosenOutput?: bigint | undefined;
}

/** Amounts of a delivery, in the smallest unit. */
export interface DeliveryInput {
  readonly tradeType: string;
  readonly quotedInput: bigint;
  readonly depositedInput: bigint;
  readonly expectedOutput: bigint;
  readonly minimumOutput: bigint;
  /** Deviation from the expected amount, in bps. */
  readonly deliveryBps: number;
  readonly deliversBelowMinimum?: boolean;
  readonly chosenOutput?: bigint | undefined;
}

/**
 * Returns the expected amount with the configured deviation, but at least the minimum. An exact output is delivered
 * exactly. If the deposit exceeds the quote, the delivered amount increases in proportion.
 */
export function deliveredAmount(input: DeliveryInput): bigint {
  if (input.tradeType === "EXACT_OUTPUT") return input.expectedOutput;
  if (input.chosenOutput !== undefined) return input.chosenOutput;
  const moved = mulDiv(input.expectedOutput, BPS_PER_WHOLE + BigInt(input.deliveryBps), BPS_PER_WHOLE);
  const isTooLow = moved < input.minimumOutput && input.deliversBelowMinimum !== true;
  return mulDiv(isTooLow ? input.minimumOutput : moved, input.depositedInput, input.quotedInput);
}

export async function planDelivery(
  parts: Payer,
  chain: DevChain,
  request: RequestRow,
  terms: DeliveryTerms,
): Promise<DeliveryPlan> {
  if (isSwapFill(chain, request)) return planSwap(parts, chain, request, terms);
  const amount = deliveredAmount({
    tradeType: request.trade_type,
    quotedInput: owedDeposit(request).amount,
    expectedOutput: BigInt(request.expected_output_amount),
    minimumOutput: BigInt(request.minimum_output_amount),
    ...terms,
  });
  const payment = { currency: request.destination_currency as Address, amount };
  return { works: true, delivery: { payment, amount, swapCalls: [] } };
}

/** Returns whether the solver must swap for the output currency. */
export function isSwapFill(chain: DevChain, request: Pick<RequestRow, "destination_currency">): boolean {
  return !isInventory(chain.contracts, request.destination_currency);
}

/**
 * Plans the swap at the current state of the pools. An exact output uses the required input within the quote's
 * slippage. An output chosen by an operator uses the required input without a limit. Otherwise, the swap uses the
 * quoted input with the configured deviation, plus any excess of the deposit. It must yield the order's minimum.
 */
async function planSwap(
  { solver }: Payer,
  chain: DevChain,
  request: RequestRow,
  { depositedInput, deliveryBps, deliversBelowMinimum, chosenOutput }: DeliveryTerms,
): Promise<DeliveryPlan> {
  const quoted = quotedPayment(request);
  const recipient = paidTo(request);
  const output = request.destination_currency as Address;
  const minimumOut = deliversBelowMinimum ? 0n : BigInt(request.minimum_output_amount);
  const pair = { chain, input: quoted.currency, output };
  const isExact = request.trade_type === "EXACT_OUTPUT";
  const amountOut = isExact ? BigInt(request.minimum_output_amount) : chosenOutput;
  if (amountOut !== undefined) {
    const search = await findSwap({ ...pair, amountOut });
    if (search.kind !== "found") return { works: false, failReason: failReasonOf(search.kind) };
    const { swap } = search;
    // An amount chosen by an operator can cost more than quoted.
    const allowed = isExact
      ? mulDiv(quoted.amount, BPS_PER_WHOLE + BigInt(request.slippage_tolerance_bps), BPS_PER_WHOLE)
      : swap.amountIn;
    if (swap.amountIn > allowed) return { works: false, failReason: "SLIPPAGE" };
    // Wrapping has a fixed price, so nothing is left over.
    const maximumIn = swap.route.kind === "pools" ? allowed : swap.amountIn;
    const terms = { recipient, maximumIn, leftoverTo: solver.address };
    const calls = exactOutputCalls(chain, swap, terms);
    const payment = { ...quoted, amount: maximumIn };
    return { works: true, delivery: { payment, amount: swap.amountOut, swapCalls: calls } };
  }
  const moved = mulDiv(quoted.amount, BPS_PER_WHOLE + BigInt(deliveryBps), BPS_PER_WHOLE);
  const amountIn = mulDiv(moved, depositedInput, owedDeposit(request).amount);
  let search = await findSwap({ ...pair, amountIn });
  // A configured deviation never reduces a fill below its minimum.
  const isBelow = search.kind !== "found" || search.swap.amountOut < minimumOut;
  if (isBelow && deliveryBps < 0) search = await findSwap({ ...pair, amountOut: minimumOut });
  if (search.kind !== "found") return { works: false, failReason: failReasonOf(search.kind) };
  const { swap } = search;
  if (swap.amountOut < minimumOut) return { works: false, failReason: "SLIPPAGE" };
  const calls = exactInputCalls(chain, swap, { recipient, minimumOut });
  const payment = { ...quoted, amount: swap.amountIn };
  return { works: true, delivery: { payment, amount: swap.amountOut, swapCalls: calls } };
}

/**
 * Finds the first transfer of the token to the recipient of the swap in the fill's logs.
 *
 * @returns undefined if there is none
 */
export async function swappedAmount(
  chain: DevChain,
  request: RequestRow,
  fill: Pick<TransactionRow, "hash">,
): Promise<bigint | undefined> {
  const { logs } = await chain.client.getTransactionReceipt({ hash: fill.hash as Hex });
  for (const { address, data, topics } of logs) {
    if (!isSameAddress(address, request.destination_currency)) continue;
    const event = decodeTransfer(data, topics);
    if (event !== undefined && isSameAddress(event.to, paidTo(request))) return event.value;
  }
  return undefined;
}

/** Returns the router for orders with calls, otherwise the user's recipient. */
function paidTo({ recipient, order_data: { output } }: RequestRow): Address {
  return (output.payments[0]?.recipient ?? recipient) as Address;
}

function decodeTransfer(data: Hex, topics: [Hex, ...Hex[]] | []): { to: Address; value: bigint } | undefined {
  try {
    return decodeEventLog({ abi: erc20Abi, eventName: "Transfer", data, topics }).args;
  } catch {
    // Skips other events, which tokens also emit.
    return undefined;
  }
}

function quotedPayment({ id, details }: RequestRow): { currency: Address; amount: bigint } {
  const payment = details.route.destination?.inputCurrency;
  if (payment === undefined) {
    throw new InvalidStateError({
      message: `the quote of request ${id} has no swap data`,
      hint: "The database was modified. Restore it.",
    });
  }
  return { currency: payment.currency.address as Address, amount: BigInt(payment.amount) };
}

function failReasonOf(kind: "no-route" | "no-liquidity"): FailReason {
  return kind === "no-route" ? "NO_INTERNAL_SWAP_ROUTES_FOUND" : "INSUFFICIENT_POOL_LIQUIDITY";
}

import { type Address, BaseError, type Hex } from "viem";

import type { StepId } from "@crosscall/protocol/quote";
import { usdValue } from "../../currencies.ts";
import { rejectIf } from "../../rejection.ts";
import { swapSource } from "../../swaps/swap.ts";
import { findSameChainProblem } from "../findTermsProblem.ts";
import { readAllowance, readOrigin } from "../readOrigin.ts";
import type { EvmQuote } from "../resolveQuote.ts";
import { approvalSteps, gasOf, polledItem, transactionStep } from "../steps.ts";
import { isPermitExecution } from "./gasless.ts";
import { priceSameChain } from "./priceSameChain.ts";
import type { PricedRoute, RouteMarket } from "./route.ts";
import { permitCalls, userTransaction } from "./userTransaction.ts";

/** Gas of the user's transaction, for the deprecated `fees.gas`. */
const USER_GAS = 200_000n;

/** Gas of a swap that the solver sends with a permit. */
const PERMIT_GAS = 400_000n;

// Fixed gas limits: a pool does not write an observation in every second, so an estimate can be too low.
const TRANSACTION_GAS = 1_000_000n;
const CALL_GAS = 300_000n;

export async function quoteSameChain({ solver }: Pick<RouteMarket, "solver">, quote: EvmQuote): Promise<PricedRoute> {
  rejectIf(findSameChainProblem(quote));
  const isPermit = isPermitExecution(quote);
  const readings = await readOrigin(quote);
  const gas = isPermit ? usdValue(PERMIT_GAS * readings.maxFeePerGas, quote.originNative) : 0n;
  const priced = await priceSameChain(quote, gas);
  const { price, swap } = priced;
  return {
    price,
    sameChainRouter: swap === undefined ? "transfer" : swapSource(swap),
    userBalance: readings.userBalance,
    originGas: USER_GAS * readings.maxFeePerGas,
    ...(isPermit ? { permitCalls: permitCalls(quote, priced) } : {}),
    async buildSteps({ requestId }) {
      const { to, data, value, spender } = userTransaction({ quote, priced, solver: solver.address, requestId });
      const { txsGasLimit } = quote.request;
      const isLimited = quote.txs.length > 0 && txsGasLimit !== undefined;
      const gas = isLimited ? USER_GAS + BigInt(txsGasLimit) : await gasLimitOf(quote, { to, data, value });
      const call = { from: quote.user, to, data, value: value.toString(), chainId: quote.origin.id };
      const sent = { ...call, ...gasOf(gas, readings) };
      const items = [polledItem(requestId, sent)];
      const execution = transactionStep({ ...describe(quote), requestId, items });
      if (spender === undefined) return [execution];
      const allowance = await readAllowance(quote, spender);
      const amount = priced.maximumInput;
      return [
        ...approvalSteps({ quote, requestId, spender, allowance, amount, purpose: "swap", fees: readings }),
        execution,
      ];
    },
  };
}

/** Returns an upper bound of the gas, so that wallets need no estimate. Estimates the calls, with a reserve. */
async function gasLimitOf(
  { origin, user, txs }: EvmQuote,
  call: { readonly to: Address; readonly data: Hex; readonly value: bigint },
): Promise<bigint> {
  if (txs.length === 0) return TRANSACTION_GAS;
  const bound = TRANSACTION_GAS + CALL_GAS * BigInt(txs.length);
  try {
    const estimate = await origin.client.estimateGas({ account: user, ...call });
    return bigintMax(bound, 2n * estimate);
  } catch (error) {
    // The user cannot pay yet, or a call depends on an earlier transaction of the user.
    if (error instanceof BaseError) return bound;
    throw error;
  }
}

function bigintMax(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function describe({ txs, input, output, origin, recipient }: EvmQuote): { id: StepId; description: string } {
  if (txs.length > 0) return { id: "deposit", description: `Execute the calls on ${origin.name}` };
  return input.currency.address === output.currency.address
    ? { id: "send", description: `Send ${input.currency.symbol} to ${recipient}` }
    : { id: "swap", description: `Swap ${input.currency.symbol} for ${output.currency.symbol}` };
}

import type { StepId } from "@crosscall/sdk/internal/protocol/quote/step";
import { refuseIf } from "../../refusal.ts";
import { swapSource } from "../../swaps/swap.ts";
import { readAllowance, readOrigin } from "../readOrigin.ts";
import type { EvmQuote } from "../resolveQuote.ts";
import { approvalSteps, polledItem, transactionStep } from "../steps.ts";
import { findSameChainProblem } from "./findSameChainProblem.ts";
import { priceSameChain } from "./priceSameChain.ts";
import type { PricedRoute, RouteMarket } from "./route.ts";
import { userTransaction } from "./userTransaction.ts";

/** Gas of the user's transaction, for the deprecated `fees.gas`. */
const USER_GAS = 200_000n;

export async function quoteSameChain({ solver }: Pick<RouteMarket, "solver">, quote: EvmQuote): Promise<PricedRoute> {
  refuseIf(findSameChainProblem(quote));
  const [readings, priced] = await Promise.all([readOrigin(quote), priceSameChain(quote)]);
  const { price, swap } = priced;
  const fees = {
    maxFeePerGas: readings.maxFeePerGas.toString(),
    maxPriorityFeePerGas: readings.maxPriorityFeePerGas.toString(),
  };
  return {
    price,
    sameChainRouter: swap === undefined ? "transfer" : swapSource(swap),
    userBalance: readings.userBalance,
    originGas: USER_GAS * readings.maxFeePerGas,
    async buildSteps({ requestId }) {
      const { to, data, value, spender } = userTransaction({ quote, priced, solver: solver.address, requestId });
      const sent = { from: quote.user, to, data, value: value.toString(), chainId: quote.origin.id, ...fees };
      const items = [polledItem(requestId, sent)];
      const execution = transactionStep({ ...describe(quote), requestId, items });
      if (spender === undefined) return [execution];
      const allowance = await readAllowance(quote, spender);
      const amount = priced.maximumInput;
      return [...approvalSteps({ quote, requestId, spender, allowance, amount, purpose: "swap" }), execution];
    },
  };
}

function describe({ txs, input, output, origin, recipient }: EvmQuote): { id: StepId; description: string } {
  if (txs.length > 0) return { id: "deposit", description: `Execute the calls on ${origin.name}` };
  return input.currency.address === output.currency.address
    ? { id: "send", description: `Send ${input.currency.symbol} to ${recipient}` }
    : { id: "swap", description: `Swap ${input.currency.symbol} for ${output.currency.symbol}` };
}

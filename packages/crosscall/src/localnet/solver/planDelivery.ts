import type { Address } from "viem";

import type { DevChain } from "../devchain/devChain.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";
import { deliveredAmount, type DeliveryPlan, type DeliveryTerms } from "./delivery.ts";
import { isSwapFill, planSwap } from "./planSwap.ts";
import type { SolverParts } from "./solverParts.ts";

export async function planDelivery(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  request: RequestRow,
  terms: DeliveryTerms,
): Promise<DeliveryPlan> {
  if (isSwapFill(chain, request)) return planSwap(parts, chain, request, terms);
  const amount = deliveredAmount({
    tradeType: request.trade_type,
    quotedInput: BigInt(request.input_amount),
    expectedOutput: BigInt(request.expected_output_amount),
    minimumOutput: BigInt(request.minimum_output_amount),
    ...terms,
  });
  const payment = { currency: request.destination_currency as Address, amount };
  return { works: true, delivery: { payment, amount, swapCalls: [] } };
}

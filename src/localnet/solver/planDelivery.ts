import type { Address } from "viem";

import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";
import type { DeliveryPlan, DeliveryTerms } from "./delivery.ts";
import { deliveredAmount } from "./deliveredAmount.ts";
import { isSwapFill, planSwap } from "./planSwap.ts";

/** Decides what a fill delivers, and what the solver gives for it. */
export async function planDelivery(
  context: Pick<ServiceContext, "solver">,
  chain: ServiceChain,
  request: RequestRow,
  terms: DeliveryTerms,
): Promise<DeliveryPlan> {
  if (isSwapFill(chain, request)) return planSwap(context, chain, request, terms);
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

import { InvalidStateError } from "@crosscall/protocol/core";
import type { Order } from "@crosscall/protocol/order";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { type InputInformation, orderIdOf, type PaidInput, type PaidOrder } from "./verifyOrder.ts";

/**
 * Reads only the order's deposits, which must be final, and takes it as paid. For callers with a key (spec 5, section
 * 1).
 *
 * @throws {@link AttestationRefusedError} without a valid key, or if a deposit is missing or not final
 * @throws {@link InvalidStateError} if no deposit is for the order
 */
export async function readForcedInputs(
  context: OracleContext,
  order: Order,
  information: readonly (InputInformation & { readonly chainId?: string })[],
  hasKey: boolean,
): Promise<PaidOrder> {
  requireAttested(hasKey, "Unauthorized to use the `force` option");
  const orderId = orderIdOf(context, order);
  const inputs = new Map<string, PaidInput>();
  for (const { transactionId, inputIndex, chainId = order.inputs[inputIndex]?.payment.chainId } of information) {
    if (chainId === undefined) continue;
    const { deposits } = await context.chains
      .vm(chainId)
      .readDeposits({ transactionId, mode: "slow", hints: undefined });
    for (const deposit of deposits) {
      if (deposit.depositId === orderId) inputs.set(deposit.place, { chainId, deposit });
    }
  }
  if (inputs.size > 0) return { orderId, inputs: [...inputs.values()], paymentDiff: 0n };
  throw new InvalidStateError({
    message: `none of the deposits is for order ${orderId}`,
    hint: "Name the deposits of this order.",
  });
}

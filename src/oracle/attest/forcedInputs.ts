import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { Order } from "@crosscall/sdk/internal/protocol/order/order";
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
  const inputs: PaidInput[] = [];
  for (const {
    transactionId,
    onchainId,
    inputIndex,
    chainId = order.inputs[inputIndex]?.payment.chainId,
  } of information) {
    if (chainId === undefined) continue;
    const { deposits } = await context.chains
      .vm(chainId)
      .readDeposits({ transactionId, mode: "slow", hints: undefined });
    const deposit = deposits.find((other) => other.onchainId === onchainId && other.depositId === orderId);
    if (deposit !== undefined) inputs.push({ chainId, deposit });
  }
  if (inputs.length > 0) return { orderId, inputs, paymentDiff: 0n };
  throw new InvalidStateError({
    message: `none of the deposits is for order ${orderId}`,
    hint: "Name the deposits of this order.",
  });
}

import type { Hex } from "viem";

import { noFillEntryId } from "@crosscall/protocol/attestation";
import type { Order } from "@crosscall/protocol/order";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { Deposit } from "../vms/vmChain.ts";
import { isSignedBySolver, orderIdOf } from "./verifyOrder.ts";

/**
 * Requires that the deposit belongs to the order, and the solver's statement on the hub that it neither filled nor
 * refunded it.
 *
 * @throws {@link AttestationRefusedError} naming what does not hold
 */
export async function requireUnsettledOrder(
  context: OracleContext,
  deposit: Deposit,
  order: Order,
  orderSignature: string,
): Promise<void> {
  const orderId: Hex = orderIdOf(context, order);
  requireAttested(deposit.depositId === orderId, "Deposit depositId does not match the computed orderId");
  requireAttested(await isSignedBySolver(order, orderId, orderSignature), "Invalid order signature");
  const solver = context.chains.alias(order.solverChainId, order.solver);
  const entry = await context.hubReader.mappingEntry(solver, noFillEntryId(orderId));
  requireAttested(entry !== undefined, "No fill or refund entry not found for this order");
}

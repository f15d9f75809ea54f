import type { Hex } from "viem";

import { settlementExecutionKey } from "@crosscall/sdk/internal/protocol/attestation/execution";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { FillAttestation, FillBody } from "@crosscall/sdk/internal/protocol/attestation/messages/solver";
import { readForcedInputs } from "./forcedInputs.ts";
import { payDeposits, payFees } from "./settlementActions.ts";
import { signExecution } from "./signedExecution.ts";
import { type PaidOrder, verifyOrder } from "./verifyOrder.ts";

/** Status of a settled order in responses. */
export const SUCCESSFUL = 1;

/**
 * Attests that a solver filled an order (spec 5, section 4).
 *
 * @param hasKey whether the caller has a valid key
 */
export async function attestFill(context: OracleContext, body: FillBody, hasKey: boolean): Promise<FillAttestation> {
  const { order, orderSignature, inputs } = body;
  let paid: PaidOrder;
  if (body.force === true) {
    paid = await readForcedInputs(context, order, inputs, hasKey);
  } else {
    paid = await verifyOrder(context, order, orderSignature, inputs);
    await verifyFill(context, body, paid.orderId);
  }
  const { orderId, paymentDiff } = paid;
  return {
    message: {
      data: body,
      result: { orderId, status: SUCCESSFUL, totalWeightedInputPaymentBpsDiff: paymentDiff.toString() },
    },
    execution: await signExecution(context, {
      idempotencyKey: settlementExecutionKey(
        paid.inputs.map(({ deposit }) => deposit.onchainId),
        orderId,
      ),
      actions: [...payDeposits(context, order, paid.inputs), ...payFees(context, order)],
    }),
  };
}

async function verifyFill({ chains }: OracleContext, { order, fill, hints }: FillBody, orderId: Hex): Promise<void> {
  const { chainId, payments, calls, deadline } = order.output;
  const { transactionId } = fill;
  const extraData = order.output.extraData as Hex;
  const vm = chains.vm(chainId);
  for (const [index, { recipient, currency, minimumAmount }] of payments.entries()) {
    const paid = await vm.readPayment({ transactionId, orderId, deadline, extraData, recipient, currency, hints });
    requireAttested(
      paid >= BigInt(minimumAmount),
      `Insufficient fill amount for order output payment ${index} (paidAmount=${paid}, minimumAmount=${minimumAmount})`,
    );
  }
  if (calls.length === 0) return;
  const hasMadeCalls = await vm.hasMadeCalls({ transactionId, orderId, deadline, extraData, calls: calls as Hex[] });
  requireAttested(hasMadeCalls, "Missing call executions");
}

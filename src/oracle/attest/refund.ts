import type { Hex } from "viem";

import { settlementExecutionKey } from "@crosscall/sdk/internal/protocol/attestation/execution";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { RefundAttestation, RefundBody } from "@crosscall/sdk/internal/protocol/attestation/messages/solver";
import { SUCCESSFUL } from "./fill.ts";
import { readForcedInputs } from "./forcedInputs.ts";
import { payDeposits } from "./settlementActions.ts";
import { signExecution } from "./signedExecution.ts";
import { DIFF_ONE, type PaidOrder, verifyOrder } from "./verifyOrder.ts";

/**
 * Attests that a solver refunded an order (spec 5, section 4).
 *
 * @param hasKey whether the caller has a valid key
 */
export async function attestRefund(
  context: OracleContext,
  body: RefundBody,
  hasKey: boolean,
): Promise<RefundAttestation> {
  const { order, orderSignature, inputs } = body;
  let paid: PaidOrder;
  if (body.force === true) {
    paid = await readForcedInputs(context, order, inputs, hasKey);
  } else {
    paid = await verifyOrder(context, order, orderSignature, inputs);
    await verifyRefunds(context, body, paid);
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
      actions: payDeposits(context, order, paid.inputs),
    }),
  };
}

async function verifyRefunds(
  { chains }: OracleContext,
  { order, refunds, hints }: RefundBody,
  { orderId, inputs, paymentDiff }: PaidOrder,
): Promise<void> {
  for (const [index, input] of order.inputs.entries()) {
    const information = refunds.find(({ inputIndex }) => inputIndex === index);
    requireAttested(information !== undefined, `Missing refund information for order input payment ${index}`);
    const refund = input.refunds[information.refundIndex];
    requireAttested(refund !== undefined, `Invalid refund information for order input payment ${index}`);
    const { chainId, currency, deadline } = refund;
    // As recipient, the native currency's name means the depositor.
    const isDepositor = refund.recipient.toLowerCase() === chains.get(chainId).codec.nativeCurrency.toLowerCase();
    const paid = await chains.vm(chainId).readPayment({
      transactionId: information.transactionId,
      orderId,
      deadline,
      extraData: refund.extraData as Hex,
      recipient: isDepositor ? (inputs[index]?.deposit.depositor ?? "") : refund.recipient,
      currency,
      hints,
    });
    const asked = BigInt(refund.minimumAmount);
    const minimumAmount = asked + (asked * paymentDiff) / DIFF_ONE;
    requireAttested(
      paid >= minimumAmount,
      `Insufficient refund amount for order input payment ${index} (paidAmount=${paid}, minimumAmount=${minimumAmount})`,
    );
  }
}

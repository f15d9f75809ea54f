import type { Hex } from "viem";

import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { RefundAttestation, RefundBody } from "@crosscall/protocol/attestation";
import { readFill, settlementKeyOf, SUCCESSFUL } from "./fill.ts";
import { refundMeaning, refundMinimum, refundRecipient, requireNoFill } from "./fillOrRefund.ts";
import { readForcedInputs } from "./forcedInputs.ts";
import { type Claim, wholeTransaction } from "./ledger.ts";
import { payDeposits } from "./settlementActions.ts";
import { signExecution } from "./signedExecution.ts";
import { type PaidOrder, verifyOrder } from "./verifyOrder.ts";

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
  const isForced = body.force === true;
  const paid = isForced
    ? await readForcedInputs(context, order, inputs, hasKey)
    : await verifyOrder(context, order, orderSignature, inputs);
  const { orderId, paymentDiff } = paid;
  const idempotencyKey = settlementKeyOf(paid);
  if (!isForced) await context.ledger.book(`refund ${idempotencyKey}`, await readRefunds(context, body, paid));
  return {
    message: {
      data: body,
      result: { orderId, status: SUCCESSFUL, totalWeightedInputPaymentBpsDiff: paymentDiff.toString() },
    },
    execution: await signExecution(context, { idempotencyKey, actions: payDeposits(context, order, paid.inputs) }),
  };
}

/** @returns what the refunds paid */
async function readRefunds(
  context: OracleContext,
  { order, refunds, hints }: RefundBody,
  paid: PaidOrder,
): Promise<readonly Claim[]> {
  const { orderId, inputs } = paid;
  const claims: (Claim & { readonly transactionId: string; readonly chainId: string })[] = [];
  /** Of refunds that ask for nothing, by transaction. */
  const free = new Map<string, Claim>();
  for (const [index, input] of order.inputs.entries()) {
    const information = refunds.find(({ inputIndex }) => inputIndex === index);
    requireAttested(information !== undefined, `Missing refund information for order input payment ${index}`);
    const refund = input.refunds[information.refundIndex];
    requireAttested(refund !== undefined, `Invalid refund information for order input payment ${index}`);
    const { chainId, currency, deadline } = refund;
    const { transactionId } = information;
    const recipient = refundRecipient(context, refund, inputs[index]?.deposit.depositor ?? "");
    const extraData = refund.extraData as Hex;
    const request = { transactionId, orderId, deadline, extraData, hints };
    const settlement = await context.chains.vm(chainId).readSettlement(request);
    const payment = await settlement.paidTo({ recipient, currency });
    const amount = refundMinimum(refund, paid);
    requireAttested(
      payment.amount >= amount,
      `Insufficient refund amount for order input payment ${index} (paidAmount=${payment.amount}, minimumAmount=${amount})`,
    );
    const claim = { payment, amount, meaning: refundMeaning(index, orderId), transactionId, chainId };
    claims.push(claim);
    if (amount === 0n) free.set(settlement.place, wholeTransaction(settlement.place, claim.meaning));
  }
  const onOutputChain = claims.filter(({ chainId }) => chainId === order.output.chainId);
  for (const transactionId of new Set(onOutputChain.map((claim) => claim.transactionId))) {
    await requireNoFill({ order }, claims, () => readFill(context, { order, hints }, { orderId, transactionId }));
  }
  return [...claims, ...free.values()];
}

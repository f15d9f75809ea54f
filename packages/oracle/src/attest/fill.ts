import type { Hex } from "viem";

import { type FillAttestation, type FillBody, settlementExecutionKey } from "@crosscall/protocol/attestation";
import type { Order } from "@crosscall/protocol/order";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { paymentMeaning } from "./fillOrRefund.ts";
import { readForcedInputs } from "./forcedInputs.ts";
import { type Claim, wholeTransaction } from "./ledger.ts";
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
  const { order, orderSignature, inputs, fill } = body;
  const isForced = body.force === true;
  const paid = isForced
    ? await readForcedInputs(context, order, inputs, hasKey)
    : await verifyOrder(context, order, orderSignature, inputs);
  const { orderId, paymentDiff } = paid;
  const idempotencyKey = settlementKeyOf(paid);
  if (!isForced) {
    const claims = await readFill(context, body, { orderId, transactionId: fill.transactionId });
    await context.ledger.book(`fill ${idempotencyKey}`, claims);
  }
  return {
    message: {
      data: body,
      result: { orderId, status: SUCCESSFUL, totalWeightedInputPaymentBpsDiff: paymentDiff.toString() },
    },
    execution: await signExecution(context, {
      idempotencyKey,
      actions: [...payDeposits(context, order, paid.inputs), ...payFees(context, order)],
    }),
  };
}

/** The same for a fill and a refund of the same deposits, so that the hub executes only one of them. */
export function settlementKeyOf({ inputs, orderId }: PaidOrder): Hex {
  return settlementExecutionKey(
    inputs.map(({ deposit }) => deposit.onchainId),
    orderId,
  );
}

/**
 * Requires a final transaction that names the order, also of an order without payments and calls.
 *
 * @returns what it paid
 * @throws {@link AttestationRefusedError} if a payment or a call is missing
 */
export async function readFill(
  { chains }: Pick<OracleContext, "chains">,
  { order, hints }: { readonly order: Order; readonly hints?: unknown },
  { orderId, transactionId }: { readonly orderId: Hex; readonly transactionId: string },
): Promise<readonly Claim[]> {
  const { chainId, payments, calls, deadline } = order.output;
  const extraData = order.output.extraData as Hex;
  const settlement = await chains.vm(chainId).readSettlement({ transactionId, orderId, deadline, extraData, hints });
  const claims: Claim[] = [];
  for (const [index, { recipient, currency, minimumAmount }] of payments.entries()) {
    const payment = await settlement.paidTo({ recipient, currency });
    const amount = BigInt(minimumAmount);
    requireAttested(
      payment.amount >= amount,
      `Insufficient fill amount for order output payment ${index} (paidAmount=${payment.amount}, minimumAmount=${minimumAmount})`,
    );
    claims.push({ payment, amount, meaning: paymentMeaning(index, orderId) });
  }
  if (calls.length > 0) requireAttested(settlement.hasMadeCalls(calls as Hex[]), "Missing call executions");
  const isOnlyPaid = calls.length === 0 && claims.some(({ amount }) => amount > 0n);
  return isOnlyPaid ? claims : [...claims, wholeTransaction(settlement.place, `the fill of order ${orderId}`)];
}

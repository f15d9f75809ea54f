import type { Hex } from "viem";

import { CrosscallError } from "@crosscall/protocol/core";
import {
  type FillAttestation,
  type FillBody,
  type RefundAttestation,
  type RefundBody,
  settlementExecutionKey,
} from "@crosscall/protocol/attestation";
import type { Order } from "@crosscall/protocol/order";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { requireNoDeposit } from "../vms/rules.ts";
import type { Settlement } from "../vms/vmChain.ts";
import { type Claim, claimsByPlace, requireEnough, totalOf, wholeTransaction } from "./ledger.ts";
import { DIFF_ONE, type PaidOrder, payDeposits, payFees, readForcedInputs, verifyOrder } from "./order.ts";
import { signExecution } from "./signedExecution.ts";

/** Status of a settled order in responses. */
const SUCCESSFUL = 1;

/**
 * Attests that a solver filled an order.
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

/**
 * Returns the idempotency key of a settlement. It is the same for a fill and a refund of the same deposits, so that the
 * hub executes only one of them.
 */
function settlementKeyOf({ inputs, orderId }: PaidOrder): Hex {
  return settlementExecutionKey(
    inputs.map(({ deposit }) => deposit.onchainId),
    orderId,
  );
}

/**
 * Requires a final transaction that contains the orderId, even for an order without payments and calls.
 *
 * @returns the claims that the fill paid
 * @throws {@link AttestationRefusedError} if a payment or a call is missing
 */
async function readFill(
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
  requireNoOwnDeposit(transactionId, settlement);
  const isOnlyPaid = calls.length === 0 && claims.some(({ amount }) => amount > 0n);
  return isOnlyPaid ? claims : [...claims, wholeTransaction(settlement.place, `the fill of order ${orderId}`)];
}

/** @throws {@link AmbiguousPaymentError} if the transaction is a deposit for the order */
function requireNoOwnDeposit(transactionId: string, { depositedInto }: Settlement): void {
  if (depositedInto !== undefined) requireNoDeposit(transactionId, depositedInto, true);
}

/**
 * Attests that a solver refunded an order.
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

/** @returns the claims that the refunds paid */
async function readRefunds(
  context: OracleContext,
  { order, refunds, hints }: RefundBody,
  paid: PaidOrder,
): Promise<readonly Claim[]> {
  const { orderId, inputs } = paid;
  const claims: (Claim & { readonly transactionId: string; readonly chainId: string })[] = [];
  /** Claims of refunds without an amount, keyed by transaction. */
  const free = new Map<string, Claim & { readonly transactionId: string }>();
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
    requireNoOwnDeposit(transactionId, settlement);
    const claim = { payment, amount, meaning: refundMeaning(index, orderId), transactionId, chainId };
    claims.push(claim);
    const { place } = settlement;
    if (amount === 0n) free.set(place, { ...wholeTransaction(place, claim.meaning), transactionId });
  }
  const own: readonly Claim[] = [...claims, ...free.values()];
  const paidByFill: Claim[] = [];
  const onOutputChain = claims.filter(({ chainId }) => chainId === order.output.chainId);
  for (const transactionId of new Set(onOutputChain.map((claim) => claim.transactionId))) {
    const whole = [...free.values()].find((claim) => claim.transactionId === transactionId);
    if (order.output.calls.length === 0 && whole === undefined) continue;
    const fill = await orNothing(readFill(context, { order, hints }, { orderId, transactionId }));
    if (fill === undefined) continue;
    if (order.output.calls.length > 0) requireNoFill(fill, own);
    else if (whole !== undefined) paidByFill.push(...restOf(fill, own, whole.meaning));
  }
  return [...own, ...paidByFill];
}

type Refund = Order["inputs"][number]["refunds"][number];

/** Adjusts the minimum amount of an underpaid or overpaid order. */
function refundMinimum({ minimumAmount }: Refund, { paymentDiff }: Pick<PaidOrder, "paymentDiff">): bigint {
  const asked = BigInt(minimumAmount);
  return asked + (asked * paymentDiff) / DIFF_ONE;
}

/** Returns the refund's recipient. The native currency's address means the depositor. */
function refundRecipient({ chains }: OracleContext, refund: Refund, depositor: string): string {
  const isDepositor = refund.recipient.toLowerCase() === chains.get(refund.chainId).codec.nativeCurrency.toLowerCase();
  return isDepositor ? depositor : refund.recipient;
}

/**
 * Rejects payments that belong to a fill. A payment in a fill that makes the order's calls cannot also be a refund. For
 * an order without calls, the ledger accepts only the first attestation.
 *
 * @throws {@link AmbiguousPaymentError} if a payment of this refund is not enough for both
 */
function requireNoFill(fill: readonly Claim[], claims: readonly Claim[]): void {
  for (const claimed of claimsByPlace([...fill, ...claims]).values()) requireEnough(claimed);
}

/** Claims the rest of a fill's payments for a refund without an amount, which counts as the whole transaction. */
function restOf(fill: readonly Claim[], claims: readonly Claim[], meaning: string): readonly Claim[] {
  const claimed = claimsByPlace(claims);
  return [...claimsByPlace(fill).values()].flatMap(([first]) => {
    if (first === undefined) return [];
    const { payment } = first;
    return [{ payment, amount: payment.amount - totalOf(claimed.get(payment.place) ?? []), meaning }];
  });
}

function refundMeaning(index: number, orderId: Hex): string {
  return `the refund of input ${index} of order ${orderId}`;
}

function paymentMeaning(index: number, orderId: Hex): string {
  return `output payment ${index} of order ${orderId}`;
}

/** Awaits a read. Returns undefined if the read is refused, because the transaction has no payment of this kind. */
async function orNothing<Value>(read: Promise<Value>): Promise<Value | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof CrosscallError && (error.code === "ATTESTATION_REFUSED" || error.code === "INVALID_STATE")) {
      return undefined;
    }
    throw error;
  }
}

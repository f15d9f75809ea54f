import { type Address, encodeFunctionData, erc20Abi, type Hex } from "viem";

import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";
import { unixSeconds } from "@crosscall/protocol/core";
import { decodeOrderCall } from "@crosscall/protocol/order";
import type { FailReason } from "@crosscall/protocol/request";
import { latestTime } from "../devchain/chainTime.ts";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { usdValue } from "../market/currencies.ts";
import type { FillFault } from "../scenarios/requestFaults.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import { transition } from "../store/requests/transitions.ts";
import type { Database } from "../store/schema.ts";
import type { TransactionRow } from "../store/transactions.ts";
import { assessPayment, assessTerms, excessOf, honoredUntil, isWithinTolerance } from "./assessDeposit.ts";
import { type Delivery, planDelivery } from "./delivery.ts";
import { diagnoseFill, diagnoseOperation } from "./diagnoseFill.ts";
import { canPay, type EstimatedPayment, estimatePayment, limitGas } from "./estimateFill.ts";
import { findStaleAuthorization, withAuthorizations } from "./authorizations.ts";
import { fillTransaction, nativeFromRouter } from "./fillTransaction.ts";
import { signAndRecord } from "./signedTransaction.ts";
import type { Filler, Payer, Signer } from "./solverParts.ts";
import { canSponsor, takeSponsorship } from "./sponsorship.ts";
import { signTokenPayment } from "./tokenPayment.ts";

/** @returns the signed fill; undefined if the fill is not possible, or another worker signed it */
export async function prepareFill(
  parts: Filler,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
  fault: FillFault,
): Promise<TransactionRow | undefined> {
  const { lateSeconds = 0, heldSeconds = 0 } = fault;
  const assessment = assessTerms(request, deposit, unixSeconds(parts.clock) + lateSeconds - heldSeconds);
  const refusal = assessment.works ? await assessPayment(parts.store.db, request) : assessment.failReason;
  if (refusal !== undefined) {
    await recordFailure(parts, request, refusal);
    return undefined;
  }
  return attemptFill(parts, chain, request, fault, {
    depositedInput: BigInt(deposit.amount) - excessOf(request, deposit),
    paidForSeconds: honoredUntil(deposit) + heldSeconds - unixSeconds(parts.clock),
    isLate: assessment.works && assessment.isLate,
    fail: (failReason, facts) => recordFailure(parts, request, failReason, facts),
    move: (db) =>
      transition(db, {
        requestId: request.id,
        from: ["pending"],
        hasFailReason: false,
        to: "submitted",
        at: new Date(parts.clock.now()),
      }),
  });
}

export interface FillAttempt {
  /** Deposited amount, in the smallest unit of the origin currency. */
  readonly depositedInput: bigint;
  /** Minimum validity of the solver's payment. */
  readonly paidForSeconds: number;
  /** Whether the deposit arrived after the order's deadline. */
  readonly isLate: boolean;
  readonly fail: (failReason: FailReason, facts?: FailureFacts) => Promise<void>;
  /**
   * Updates the request in the database transaction that stores the signed fill. If it returns false, the transaction
   * is rolled back.
   */
  readonly move: (db: Database, delivery: Delivery) => Promise<boolean>;
}

/**
 * Signs the fill, or records the reason why the fill is impossible.
 *
 * @returns the signed fill; undefined if the fill is not possible, or another worker signed it
 */
export async function attemptFill(
  parts: Filler,
  chain: DevChain,
  request: RequestRow,
  fault: FillFault,
  attempt: FillAttempt,
): Promise<TransactionRow | undefined> {
  const fail = async (failReason: FailReason, facts?: FailureFacts): Promise<undefined> => {
    await attempt.fail(failReason, facts);
  };
  const plan = await planDelivery(parts, chain, request, {
    depositedInput: attempt.depositedInput,
    deliveryBps: fault.deliveryBps ?? (request.terms.isFixedRate === true ? 0 : parts.deliveryBps),
    deliversBelowMinimum: fault.deliversBelowMinimum ?? false,
    chosenOutput: fault.deliveredAmount,
  });
  if (!plan.works) return fail(plan.failReason);
  const { delivery } = plan;
  const gasTopup = BigInt(request.terms.gasTopup ?? 0);
  const { payment } = delivery;
  const paysNative = isEvmNative(payment.currency);
  const isRich = async (): Promise<boolean> =>
    (await canPay(parts, chain, payment.currency, payment.amount + (paysNative ? gasTopup : 0n))) &&
    (gasTopup === 0n || (await canPay(parts, chain, EVM_NATIVE_CURRENCY, gasTopup)));
  // Checks the balance only for token fills, because the simulation of a native fill fails if the balance is too low.
  const isTried = paysNative && fault.skipsSimulation !== true;
  if (!isTried && !(await isRich())) return fail("SOLVER_BALANCE_TOO_LOW");
  if (!(await canSponsor(parts.store.db, request))) {
    return fail("SPONSOR_BALANCE_TOO_LOW");
  }
  const stale = await findStaleAuthorization(chain, request.terms);
  if (stale !== undefined) return fail("INVALID_NONCE", { details: stale });
  const call = await buildFill(parts, chain, request, attempt, delivery, fault);
  const { transaction, estimate } = await tryFill(parts, chain, withAuthorizations(call, request.terms), fault);
  if (!estimate.works) {
    if (isTried && !(await isRich())) return fail("SOLVER_BALANCE_TOO_LOW");
    parts.log.warn({ requestId: request.id, reason: estimate.error?.shortMessage }, "the fill would revert");
    const blockNumber = await chain.client.getBlockNumber();
    const orderCalls = countOrderCalls(request, fault);
    const diagnosis =
      estimate.failReason === "EXECUTION_REVERTED"
        ? ((await diagnoseFill(parts, chain, { transaction, orderCalls })) ??
          (await diagnoseOperation(parts, chain, transaction)))
        : undefined;
    return fail(diagnosis?.failReason ?? estimate.failReason, {
      transaction,
      blockNumber,
      ...diagnosis,
    });
  }
  const failedOperation =
    fault.skipsSimulation === true ? undefined : await diagnoseOperation(parts, chain, transaction);
  if (failedOperation !== undefined) {
    const blockNumber = await chain.client.getBlockNumber();
    return fail(failedOperation.failReason, { transaction, blockNumber, ...failedOperation });
  }
  const limited =
    fault.gasLimit === undefined ? await limitGas(parts, chain, request, transaction, estimate) : estimate;
  if ("excess" in limited) {
    return fail("QUOTED_GAS_LIMIT_EXCEEDED", { transaction, details: limited.excess });
  }
  if (attempt.isLate) {
    const gasCost = estimate.used * (await chain.client.getGasPrice());
    const cost = usdValue(gasCost + addedValue(request), parts.currencies.nativeOf(chain.id));
    if (!isWithinTolerance(request, cost)) return fail("PROTOCOL_DEADLINE_EXPIRED");
  }

  return signAndRecord(parts, {
    requestId: request.id,
    purpose: "fill",
    chain,
    transaction,
    gas: limited.gas,
    amount: delivery.amount,
    currency: request.destination_currency,
    move: async (db) => (await takeSponsorship(db, request)) && attempt.move(db, delivery),
  });
}

/** Returns the native currency that a fill spends in addition to the output, in wei. */
function addedValue({ order_data, destination_currency, terms }: RequestRow): bigint {
  const values = order_data.output.calls.map((call) => BigInt(decodeOrderCall(call as Hex).value));
  const added = isEvmNative(destination_currency) ? 0n : values.reduce((sum, value) => sum + value, 0n);
  return added + BigInt(terms.gasTopup ?? 0);
}

/** Returns the number of the order's calls, including a call added by a scenario. */
export function countOrderCalls(request: RequestRow, { firstCall }: FillFault): number {
  return request.order_data.output.calls.length + (firstCall === undefined ? 0 : 1);
}

async function buildFill(
  parts: Signer,
  chain: DevChain,
  request: RequestRow,
  { paidForSeconds }: FillAttempt,
  { payment, amount, swapCalls }: Delivery,
  { firstCall }: FillFault,
): Promise<EvmCall> {
  const orderId = request.order_id as Hex;
  const { output } = request.order_data;
  const orderCalls = output.calls
    .map((call) => decodeOrderCall(call as Hex))
    .map(({ to, data, value }) => ({ to: to as Address, data: data as Hex, value: BigInt(value) }));
  const calls = firstCall === undefined ? orderCalls : [firstCall, ...orderCalls];
  const isDirect = orderCalls.length === 0 && swapCalls.length === 0;
  const { router } = chain.contracts;
  const ownCalls = [...swapCalls, ...topupCalls(request, router, isDirect ? amount : undefined)];
  const needsRouter = calls.length > 0 || ownCalls.length > 0;
  const tokenPayment =
    needsRouter && !isEvmNative(payment.currency)
      ? await signTokenPayment({
          chain,
          solver: parts.solver,
          token: payment.currency,
          amount: payment.amount,
          orderId,
          deadline: BigInt(Math.max(output.deadline, (await latestTime(parts.clock, [chain])) + paidForSeconds) + 1),
        })
      : undefined;
  return fillTransaction({
    orderId,
    router,
    recipient: request.recipient as Address,
    currency: request.destination_currency as Address,
    amount,
    swapCalls: ownCalls,
    gasTopup: BigInt(request.terms.gasTopup ?? 0),
    calls,
    tokenPayment,
  });
}

/**
 * Builds the payment of native currency for gas.
 *
 * @param tokenAmount amount to transfer to the recipient, if neither a swap nor the order's calls use it
 */
function topupCalls(request: RequestRow, router: Address, tokenAmount: bigint | undefined): EvmCall[] {
  const { gasTopup } = request.terms;
  if (gasTopup === undefined) return [];
  const recipient = request.recipient as Address;
  const topup = nativeFromRouter(router, recipient, BigInt(gasTopup));
  if (tokenAmount === undefined) return [topup];
  const args = [recipient, tokenAmount] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
  return [topup, { to: request.destination_currency as Address, data, value: 0n }];
}

/** Gas limit for fills without an estimate. */
const UNTRIED_GAS = 1_000_000n;

async function tryFill(
  parts: Payer,
  chain: DevChain,
  transaction: EvmCall,
  { skipsSimulation = false, gasLimit }: FillFault,
): Promise<EstimatedPayment> {
  if (skipsSimulation) {
    return { transaction, estimate: { works: true, used: UNTRIED_GAS, gas: gasLimit ?? UNTRIED_GAS } };
  }
  const payment = await estimatePayment(parts, chain, transaction);
  const { estimate } = payment;
  return estimate.works && gasLimit !== undefined ? { ...payment, estimate: { ...estimate, gas: gasLimit } } : payment;
}

export interface FailureFacts {
  readonly transaction?: EvmCall;
  /** Block at which the fill was simulated. */
  readonly blockNumber?: bigint;
  readonly details?: string;
}

/** Records why a request cannot be filled. The refund follows. */
export async function recordFailure(
  parts: Signer,
  request: RequestRow,
  failReason: FailReason,
  { transaction, blockNumber, details }: FailureFacts = {},
): Promise<void> {
  const { address } = parts.solver;
  const call = transaction && {
    from: address,
    to: transaction.to.toLowerCase(),
    data: transaction.data,
    value: transaction.value.toString(),
  };
  await transition(parts.store.db, {
    requestId: request.id,
    from: ["pending"],
    hasFailReason: false,
    to: "pending",
    at: new Date(parts.clock.now()),
    set: {
      fail_reason: failReason,
      fail_details: details ?? null,
      failed_block: blockNumber === undefined ? null : Number(blockNumber),
      ...(call && { failed_call_data: JSON.stringify(call) }),
    },
  });
}

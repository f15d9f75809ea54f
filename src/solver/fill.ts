import type { Address, Hex } from "viem";

import { isEvmNative } from "@crosscall/sdk/internal/chains/address";
import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import { decodeOrderCall } from "@crosscall/sdk/internal/protocol/order/orderCalls";
import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import type { FillFault } from "../scenarios/fillFault.ts";
import { transition } from "../store/requests.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";
import type { TransactionRow } from "../store/tables/transactionTables.ts";
import { assessDeposit, assessPayment } from "./assessDeposit.ts";
import type { Delivery } from "./delivery.ts";
import { diagnoseFill } from "./diagnoseFill.ts";
import { canPay, estimateTransaction, type FillEstimate } from "./estimateFill.ts";
import { fillTransaction } from "./fillTransaction.ts";
import { planDelivery } from "./planDelivery.ts";
import { signAndRecord } from "./signedTransaction.ts";
import type { SolverParts } from "./solverParts.ts";
import { canSponsor, takeSponsorship } from "./sponsorship.ts";
import { signTokenPayment } from "./tokenPayment.ts";

export async function prepareFill(
  parts: Pick<SolverParts, "clock" | "deliveryBps" | "log" | "solver" | "store">,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
  fault: FillFault,
): Promise<void> {
  const refusal =
    assessDeposit(request, deposit, unixSeconds(parts.clock) + (fault.lateSeconds ?? 0)) ??
    (await assessPayment(parts.store.db, request, deposit));
  if (refusal !== undefined) return recordFailure(parts, request, refusal);

  const plan = await planDelivery(parts, chain, request, {
    depositedInput: BigInt(deposit.amount),
    deliveryBps: fault.deliveryBps ?? parts.deliveryBps,
    deliversBelowMinimum: fault.deliversBelowMinimum ?? false,
  });
  if (!plan.works) return recordFailure(parts, request, plan.failReason);
  const { delivery } = plan;
  if (!(await canPay(parts, chain, delivery.payment.currency, delivery.payment.amount))) {
    return recordFailure(parts, request, "SOLVER_BALANCE_TOO_LOW");
  }
  if (!(await canSponsor(parts.store.db, request))) {
    return recordFailure(parts, request, "SPONSOR_BALANCE_TOO_LOW");
  }
  const transaction = await buildFill(parts, chain, request, delivery, fault);
  const estimate = await tryFill(parts, chain, transaction, fault);
  if (!estimate.works) {
    parts.log.warn({ requestId: request.id, reason: estimate.error?.shortMessage }, "the fill would revert");
    const blockNumber = await chain.client.getBlockNumber();
    const orderCalls = countOrderCalls(request, fault);
    const diagnosis =
      estimate.failReason === "EXECUTION_REVERTED"
        ? await diagnoseFill(parts, chain, { transaction, orderCalls })
        : undefined;
    return recordFailure(parts, request, diagnosis?.failReason ?? estimate.failReason, {
      transaction,
      blockNumber,
      ...diagnosis,
    });
  }
  if (estimate.gas > FILL_GAS_MAX) {
    const details = `the fill needs ${estimate.gas} gas, more than the limit of ${FILL_GAS_MAX}`;
    return recordFailure(parts, request, "QUOTED_GAS_LIMIT_EXCEEDED", { transaction, details });
  }

  await signAndRecord(parts, {
    requestId: request.id,
    purpose: "fill",
    chain,
    transaction,
    gas: estimate.gas,
    amount: delivery.amount,
    currency: request.destination_currency,
    move: async (db) =>
      (await takeSponsorship(db, request)) &&
      transition(db, {
        requestId: request.id,
        from: ["pending"],
        hasFailReason: false,
        to: "submitted",
        at: new Date(parts.clock.now()),
      }),
  });
}

/** The quoted fees pay for no more. */
const FILL_GAS_MAX = 10_000_000n;

/** The order's calls, or those in their place. */
export function countOrderCalls(request: RequestRow, { firstCall }: FillFault): number {
  return request.order_data.output.calls.length + (firstCall === undefined ? 0 : 1);
}

async function buildFill(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  request: RequestRow,
  { payment, amount, swapCalls }: Delivery,
  { firstCall }: FillFault,
): Promise<EvmCall> {
  const orderId = request.order_id as Hex;
  const { output } = request.order_data;
  const orderCalls = output.calls
    .map((call) => decodeOrderCall(call as Hex))
    .map(({ to, data, value }) => ({ to: to as Address, data: data as Hex, value: BigInt(value) }));
  const calls = firstCall === undefined ? orderCalls : [firstCall, ...orderCalls];
  const needsRouter = calls.length > 0 || swapCalls.length > 0;
  const { router } = chain.contracts;
  const tokenPayment =
    needsRouter && !isEvmNative(payment.currency)
      ? await signTokenPayment({
          client: chain.client,
          solver: parts.solver,
          router,
          token: payment.currency,
          amount: payment.amount,
          orderId,
          deadline: BigInt(output.deadline) + 1n,
        })
      : undefined;
  return fillTransaction({
    orderId,
    router,
    recipient: request.recipient as Address,
    currency: request.destination_currency as Address,
    amount,
    swapCalls,
    calls,
    tokenPayment,
  });
}

/** Gas limit of a fill that is sent without an estimate. */
const UNTRIED_GAS = 1_000_000n;

async function tryFill(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  transaction: EvmCall,
  { skipsSimulation = false, gasLimit }: FillFault,
): Promise<FillEstimate> {
  if (skipsSimulation) return { works: true, gas: gasLimit ?? UNTRIED_GAS };
  const estimate = await estimateTransaction(parts, chain, transaction);
  return estimate.works && gasLimit !== undefined ? { works: true, gas: gasLimit } : estimate;
}

interface FailureFacts {
  readonly transaction?: EvmCall;
  /** The block whose state it was tried on. */
  readonly blockNumber?: bigint;
  readonly details?: string;
}

/** Records why a request cannot be filled; the refund follows. */
export async function recordFailure(
  parts: Pick<SolverParts, "clock" | "solver" | "store">,
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

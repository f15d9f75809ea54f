import { type Address, concat, encodeFunctionData, erc20Abi, type Hex } from "viem";

import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";
import { mulDivUp } from "@crosscall/protocol/encoding";
import { createDeal } from "../deal.ts";
import type { FillTransaction } from "../fillPlan.ts";
import { findCause } from "../explain/findCause.ts";
import type { Fork } from "../fork/fork.ts";
import { readBalance } from "../fork/readState.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import { describeFailure } from "../trace/readTrace.ts";
import { sendTransaction, traceTransaction } from "../fork/runTransaction.ts";

/** A plain payment by the solver, without calls: a fill or a refund. */
export interface Payment {
  readonly solver: Address;
  readonly recipient: Address;
  /** Token; the zero address for native currency. */
  readonly currency: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly orderId: Hex;
}

/** Maximum rounding of a token's fee, in the smallest unit. */
const ROUNDING = 2n;

/** Native balance of the solver in wei, enough for the gas of any payment. */
const SOLVER_GAS = 10n ** 24n;

/**
 * Simulates a payment on a fork from a solver with sufficient funds.
 *
 * @returns the reason why the payment does not arrive, or undefined if it arrives
 * @throws {@link BalanceUnwritableError} if the solver does not hold the token and its balance cannot be set
 */
export async function simulatePayment(fork: Fork, payment: Payment): Promise<string | undefined> {
  const { amount } = payment;
  const first = await pay(fork, payment);
  const isPart = typeof first === "bigint" && first > 0n && first < amount;
  // If the token takes a fee, the solver adds it to the payment.
  const arrived = isPart ? await pay(fork, { ...payment, amount: mulDivUp(amount, amount, first) + ROUNDING }) : first;
  if (typeof arrived === "string") return arrived;
  return arrived >= amount ? undefined : `${arrived} of ${amount} arrive`;
}

/** Returns the amount that arrives, or the reason why none arrives. */
function pay(fork: Fork, payment: Payment): Promise<bigint | string> {
  return fork.isolate(async () => {
    await fundSolver(fork, payment);
    const transaction = encodePayment(payment);
    const { success, frame } = await traceTransaction(fork, transaction);
    if (!success) return describeFailure(findCause(frame).frame, createAbiIndex()) ?? "it reverts";
    const { currency, recipient } = payment;
    const before = (await readBalance(fork, currency, recipient)) ?? 0n;
    await sendTransaction(fork, transaction);
    return ((await readBalance(fork, currency, recipient)) ?? 0n) - before;
  });
}

async function fundSolver(fork: Fork, { solver, currency, amount }: Payment): Promise<void> {
  const deal = createDeal(fork);
  await deal({ account: solver, currency: EVM_NATIVE_CURRENCY, amount: SOLVER_GAS + amount });
  if (isEvmNative(currency)) return;
  const held = (await readBalance(fork, currency, solver)) ?? 0n;
  if (held < amount) await deal({ account: solver, currency, amount });
}

function encodePayment({ solver, recipient, currency, amount, orderId }: Payment): FillTransaction {
  if (isEvmNative(currency)) return { from: solver, to: recipient, data: orderId, value: amount };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] });
  return { from: solver, to: currency, data: concat([data, orderId]), value: 0n };
}

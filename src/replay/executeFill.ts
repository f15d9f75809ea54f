import { numberToHex } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";
import { type FillTransaction, encodeFill } from "./encodeFill.ts";
import type { Execution } from "./execution.ts";
import type { FillPlan } from "./fillPlan.ts";
import type { Fork } from "./fork/fork.ts";
import { readFrame } from "./readFrame.ts";
import type { Refill } from "./refill/refill.ts";

/** What {@link executeFill} takes. */
export interface ExecuteFillParameters {
  readonly plan: FillPlan;
  /** Delivered, smallest unit of the plan's currency. */
  readonly amount: bigint;
  /** Gives the router what is delivered. */
  readonly refill: Refill;
}

/** Enough for any fill, in wei. */
const SOLVER_BALANCE = 10n ** 30n;

/**
 * Runs a fill on a fork as the solver would send it, with its trace. The fork keeps the balances that it was given for
 * the run, and nothing else of it.
 */
export async function executeFill(fork: Fork, { plan, amount, refill }: ExecuteFillParameters): Promise<Execution> {
  const transaction = encodeFill(plan, amount);
  await refill({ account: plan.solver, currency: EVM_NATIVE_CURRENCY, amount: SOLVER_BALANCE });
  if (!isSameAddress(plan.currency, EVM_NATIVE_CURRENCY)) {
    await refill({ account: plan.router, currency: plan.currency, amount, holders: [plan.solver] });
  }
  return traceTransaction(fork, transaction, plan.gas);
}

/** Runs a transaction on a fork without keeping what it does. */
export async function traceTransaction(
  fork: Fork,
  { from, to, data, value }: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<Execution> {
  const raw = await fork.request("debug_traceCall", [
    {
      from,
      to,
      data,
      value: numberToHex(value),
      gas: numberToHex(gas),
      // Without it the node asks the chain for the history of its fees.
      gasPrice: numberToHex(fork.environment.baseFeePerGas),
    },
    "latest",
    { tracer: "callTracer", tracerConfig: { withLog: true } },
  ]);
  const frame = readFrame(raw);
  return { success: frame.error === undefined, gasUsed: frame.gasUsed, output: frame.output, frame };
}

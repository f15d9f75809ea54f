import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";

import { type Execution, sendTransaction, traceTransaction } from "../fork/runTransaction.ts";
import type { Fork } from "../fork/fork.ts";
import type { ReplayFinding, Original } from "../replayReport.ts";
import { type FillTransaction, encodeFill, type FillPlan } from "../fillPlan.ts";
import type { Deal } from "../deal.ts";

export interface PreparedFill {
  readonly fork: Fork;
  readonly execution: Execution;
  /**
   * The router's balance from the delivery, in the smallest unit of the plan's currency. Native currency is delivered
   * as call value instead.
   */
  readonly delivered: bigint;
  before<Result>(read: () => Promise<Result>): Promise<Result>;
  after<Result>(read: () => Promise<Result>): Promise<Result>;
  /** The included transaction; undefined if the transaction was not included. */
  readonly original: Original | undefined;
  /** Differences from the original block state. */
  readonly findings: readonly ReplayFinding[];
}

export interface PreparePlannedParameters {
  readonly plan: FillPlan;
  /** Delivered amount in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  readonly deal: Deal;
}

/** Native balance of the solver in wei, enough for the gas of any fill. */
const SOLVER_BALANCE = 10n ** 30n;

/**
 * Runs a fill as the solver would send it, with the delivered amount on the router. Only the balances that were set
 * stay on the fork.
 *
 * @throws {@link BalanceUnwritableError} if the router's balance cannot be set
 */
export async function preparePlanned(
  fork: Fork,
  { plan, amount, deal }: PreparePlannedParameters,
): Promise<PreparedFill> {
  await deal({ account: plan.solver, currency: EVM_NATIVE_CURRENCY, amount: SOLVER_BALANCE });
  const isToken = !isEvmNative(plan.currency);
  if (isToken) {
    // A transfer from a holder mines a block, so the next block is prepared again.
    await fork.prepareBlock();
    await deal({ account: plan.router, currency: plan.currency, amount, holders: [plan.solver] });
  }
  const prepared = await prepareTransaction(fork, encodeFill(plan, amount), plan.gas);
  return { ...prepared, delivered: isToken ? amount : 0n };
}

export async function prepareTransaction(
  fork: Fork,
  transaction: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<PreparedFill> {
  const execution = await traceTransaction(fork, transaction, gas);
  return {
    fork,
    execution,
    delivered: 0n,
    before: (read) => read(),
    after: (read) =>
      fork.isolate(async () => {
        await sendTransaction(fork, transaction, gas);
        return read();
      }),
    original: undefined,
    findings: [],
  };
}

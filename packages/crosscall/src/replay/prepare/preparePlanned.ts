import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";
import { type FillTransaction, encodeFill } from "../encodeFill.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import type { Deal } from "../deal/deal.ts";
import { sendTransaction } from "../sendTransaction.ts";
import { traceTransaction } from "../traceTransaction.ts";
import type { PreparedFill } from "./preparedFill.ts";

export interface PreparePlannedParameters {
  readonly plan: FillPlan;
  /** Delivered amount, in the plan currency's smallest unit. */
  readonly amount: bigint;
  readonly deal: Deal;
}

/** Enough for the gas of any fill, in wei. */
const SOLVER_BALANCE = 10n ** 30n;

/**
 * Runs a fill as the solver would send it, with the delivered amount on the router. The fork keeps only the balances
 * that were set.
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
    // A holder's transfer mines a block, so the next one is prepared again.
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

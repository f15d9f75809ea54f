import type { Abi, Address } from "viem";

import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";
import { compareHoldings } from "../replay/effects/compareHoldings.ts";
import { listProxies } from "../replay/effects/listProxies.ts";
import { listTouched } from "../replay/effects/listTouched.ts";
import { readHoldings } from "../replay/effects/readHoldings.ts";
import { encodeFill } from "../replay/encodeFill.ts";
import type { Execution } from "../replay/execution.ts";
import { explainFill } from "../replay/explain/explainFill.ts";
import { findLeftovers } from "../replay/explain/findLeftovers.ts";
import type { FillPlan } from "../replay/fillPlan.ts";
import type { Fork } from "../replay/fork/fork.ts";
import { createDeal } from "../replay/deal/deal.ts";
import { traceIncluded, traceTransaction } from "../replay/traceTransaction.ts";
import type { Verdict } from "../replay/verdict.ts";
import type { Fill } from "./fill.ts";
import { sendFill } from "./sendFill.ts";
import { listWatched } from "./watchList.ts";

export interface RunFillParameters {
  readonly plan: FillPlan;
  /** Delivered amount, smallest unit. */
  readonly amount: bigint;
  /** Additional contracts that must end with nothing. */
  readonly proxies: readonly Address[];
  readonly accounts: readonly Address[];
  readonly tokens: readonly Address[];
  readonly holders: readonly Address[];
  /** ABIs of called contracts, to name their errors. */
  readonly abis: readonly Abi[];
}

/** Enough for any fill, in wei. */
const SOLVER_BALANCE = 10n ** 30n;

/** Delivers, sends the fill, and reads its effects. The chain keeps them. */
export async function runFill(fork: Fork, parameters: RunFillParameters): Promise<Fill> {
  const { plan, amount } = parameters;
  const transaction = encodeFill(plan, amount);
  await deliver(fork, parameters);
  // Only a trial shows what changes, so it runs first.
  const { frame: trial } = await traceTransaction(fork, transaction, plan.gas);
  const proxies = listProxies(trial, plan, parameters.proxies);
  const touched = {
    balances: listWatched(trial, {
      accounts: [plan.router, plan.recipient, plan.refundTo, ...proxies, ...parameters.accounts],
      currencies: [plan.currency, ...parameters.tokens],
    }),
    allowances: listTouched(trial, plan, proxies).allowances,
  };
  const before = await readHoldings(fork, touched);
  const receipt = await sendFill(fork, transaction, plan.gas);
  const after = await readHoldings(fork, touched);
  const execution = await traceIncluded(fork, receipt.transactionHash);
  const effects = compareHoldings({ touched, before, after, root: execution.frame, plan });
  return {
    plan,
    amount,
    verdict: await explain(fork, parameters, execution),
    receipt,
    trace: execution.frame,
    ...effects,
    proxies,
    leftovers: execution.success ? findLeftovers({ plan, effects, proxies, delivered: amount }) : [],
  };
}

async function deliver(fork: Fork, { plan, amount, holders }: RunFillParameters): Promise<void> {
  const deal = createDeal(fork);
  await deal({ account: plan.solver, currency: EVM_NATIVE_CURRENCY, amount: SOLVER_BALANCE });
  if (isEvmNative(plan.currency)) return;
  await deal({ account: plan.router, currency: plan.currency, amount, holders });
}

/** Reads the state before the fill, which a failed fill leaves unchanged. */
function explain(fork: Fork, { plan, abis }: RunFillParameters, execution: Execution): Promise<Verdict> {
  const before = <Result>(read: () => Promise<Result>): Promise<Result> => read();
  return explainFill({ prepared: { fork, execution, before }, plan, abis });
}

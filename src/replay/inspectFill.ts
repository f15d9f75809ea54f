import { throwIfAborted } from "@crosscall/sdk/internal/core/abort";
import type { TradeType } from "@crosscall/sdk/internal/protocol/common/tradeType";
import type { Abi, Address } from "viem";

import { compareHoldings, type Effects } from "./effects/compareHoldings.ts";
import { listProxies } from "./effects/listProxies.ts";
import { listTouched } from "./effects/listTouched.ts";
import { readCurrencies } from "./effects/readCurrencies.ts";
import { readHoldings } from "./effects/readHoldings.ts";
import { explainFill } from "./explain/explainFill.ts";
import { findCallsProblems } from "./explain/findCallsProblems.ts";
import { findLeftovers } from "./explain/findLeftovers.ts";
import { findSwallowed } from "./explain/findSwallowed.ts";
import { findUndelivered } from "./explain/findUndelivered.ts";
import type { FillPlan } from "./fillPlan.ts";
import type { PreparedFill } from "./prepare/preparedFill.ts";
import type { ReplayReport } from "./replayReport.ts";
import { listTransfers } from "./trace/listTransfers.ts";
import { nameAccounts } from "./trace/nameAccounts.ts";
import { readTrace } from "./trace/readTrace.ts";
import type { Verdict } from "./verdict.ts";

/** What {@link measureEffects} takes. */
interface MeasureEffectsParameters {
  readonly prepared: PreparedFill;
  readonly plan: FillPlan;
  /** Contracts of the integrator that must end with nothing, as the kit's proxies do. */
  readonly proxies?: readonly Address[];
}

/** What {@link inspectFill} takes. */
export interface InspectFillParameters {
  readonly prepared: PreparedFill;
  readonly plan: FillPlan;
  /** Delivered, smallest unit of the plan's currency. */
  readonly amount: bigint;
  /** What the plan itself says of its amounts. */
  readonly tradeType?: TradeType | undefined;
  /** Of the contracts that the fill calls; they come before what the kit knows. */
  readonly abis?: readonly Abi[] | undefined;
  /** Names of accounts, such as those of an integrator's deployments. */
  readonly labels?: Readonly<Record<Address, string>> | undefined;
  /** Contracts of the integrator that must end with nothing; the kit's own are known by their functions. */
  readonly proxies?: readonly Address[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** All of a report but where the fill comes from, and its envelope. */
export type FillInspection = Omit<ReplayReport, "source" | "envelope">;

/**
 * Finds out all about a fill that ran on a fork: the verdict, the call tree, what moved, who has what more or less, and
 * what is wrong though it works.
 *
 * @throws {@link AbortedError} when the signal fires
 */
export async function inspectFill(parameters: InspectFillParameters): Promise<FillInspection> {
  const { prepared, plan, amount, tradeType, abis = [], labels, proxies: named = [], signal } = parameters;
  const { fork, execution, original } = prepared;
  const { frame } = execution;
  const verdict = await explainFill({ prepared, plan, abis });
  throwIfAborted(signal, "the replay");
  const effects = await measureEffects({ prepared, plan, proxies: named });
  throwIfAborted(signal, "the replay");
  const [balances, allowances] = [effects.balances.filter(isChange), effects.allowances.filter(isChange)];
  const proxies = listProxies(frame, plan, named);
  const transfers = listTransfers(frame, plan);
  const currencies = await readCurrencies(fork, [
    plan.currency,
    ...transfers.map(({ currency }) => currency),
    ...balances.map(({ currency }) => currency),
    ...allowances.map(({ token }) => token),
    ...conditionCurrencies(verdict),
  ]);
  const problems = await prepared.before(() => findCallsProblems({ fork, plan, tradeType, proxies }));
  return {
    plan,
    blockNumber: fork.block.number,
    amount,
    verdict,
    findings: [
      ...prepared.findings,
      ...findLeftovers({ plan, effects, proxies, delivered: prepared.delivered }),
      ...(verdict.outcome === "success" ? findUndelivered(frame, plan, effects) : []),
      ...findSwallowed(frame, plan, abis),
      ...problems,
    ],
    gasUsed: execution.gasUsed,
    trace: readTrace({ frame, plan, abis }),
    transfers,
    balances,
    allowances,
    currencies,
    names: nameAccounts({ frame, plan, currencies, labels }),
    original,
  };
}

function isChange({ before, after }: { readonly before: bigint; readonly after: bigint }): boolean {
  return before !== after;
}

function conditionCurrencies(verdict: Verdict): readonly Address[] {
  if (verdict.outcome === "success" || verdict.condition === undefined || !("currency" in verdict.condition)) return [];
  return verdict.condition.currency === undefined ? [] : [verdict.condition.currency];
}

/**
 * Reads what router, proxies, user, solver and all whom a fill touches have before it and after it, and what they let
 * others take. What the solver pays for gas is left out. A fill that fails changes nothing.
 */
async function measureEffects({ prepared, plan, proxies = [] }: MeasureEffectsParameters): Promise<Effects> {
  const { fork, execution } = prepared;
  if (!execution.success) return { balances: [], allowances: [] };
  const touched = listTouched(execution.frame, plan, proxies);
  const before = await prepared.before(() => readHoldings(fork, touched));
  const after = await prepared.after(() => readHoldings(fork, touched));
  return compareHoldings({ touched, before, after, root: execution.frame, plan });
}

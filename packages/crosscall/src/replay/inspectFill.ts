import type { TradeType } from "@crosscall/protocol/common";
import type { Abi, Address } from "viem";

import { compareHoldings, type Effects, listProxies, listTouched, readHoldings } from "./effects/effects.ts";
import { readCurrencies } from "./effects/readCurrencies.ts";
import { callFork } from "./fork/readState.ts";
import { explainFill } from "./explain/explainFill.ts";
import { findCallsProblems } from "./explain/findCallsProblems.ts";
import { findSilent } from "./explain/findSilent.ts";
import { findLeftovers, findSwallowed, findUndelivered } from "./explain/findings.ts";
import type { FillPlan } from "./fillPlan.ts";
import type { PreparedFill } from "./prepare/preparedFill.ts";
import type { ReplayReport } from "./replayReport.ts";
import { listTransfers } from "./trace/listTransfers.ts";
import { nameAccounts } from "./trace/nameAccounts.ts";
import { readTrace } from "./trace/readTrace.ts";
import type { Verdict } from "./verdict.ts";

interface MeasureEffectsParameters {
  readonly prepared: PreparedFill;
  readonly plan: FillPlan;
  /** Contracts of the integrator that must end without funds, like the kit's proxies. */
  readonly proxies?: readonly Address[];
}

export interface InspectFillParameters {
  readonly prepared: PreparedFill;
  readonly plan: FillPlan;
  /** Delivered amount in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  readonly tradeType?: TradeType | undefined;
  /** ABIs of called contracts; they take precedence over the kit's ABIs. */
  readonly abis?: readonly Abi[] | undefined;
  /** Names of accounts, such as an integrator's deployments. */
  readonly labels?: Readonly<Record<Address, string>> | undefined;
  /** Contracts of the integrator that must end without funds. The kit's contracts are recognized by their functions. */
  readonly proxies?: readonly Address[] | undefined;
}

/** A report without its subject and envelope. */
export type FillInspection = Omit<ReplayReport, "source" | "envelope">;

/** Analyzes a fill that ran on a fork: verdict, call tree, transfers, balances, and findings. */
export async function inspectFill(parameters: InspectFillParameters): Promise<FillInspection> {
  const { prepared, plan, amount, tradeType, abis = [], labels, proxies: named = [] } = parameters;
  const { fork, execution, original } = prepared;
  const { frame } = execution;
  const verdict = await explainFill({ prepared, plan, abis });
  const effects = await measureEffects({ prepared, plan, proxies: named });
  const [balances, allowances] = [effects.balances.filter(isChange), effects.allowances.filter(isChange)];
  const proxies = listProxies(frame, plan, named);
  const transfers = listTransfers(frame, plan);
  const currencies = await readCurrencies({ chainId: fork.chainId, call: (call) => callFork(fork, call) }, [
    plan.currency,
    ...transfers.map(({ currency }) => currency),
    ...balances.map(({ currency }) => currency),
    ...allowances.map(({ token }) => token),
    ...conditionCurrencies(verdict),
  ]);
  const silent = execution.success ? await prepared.before(() => findSilent(fork, frame, plan)) : [];
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
      ...silent,
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
 * Reads the balances and allowances of all touched accounts before and after the fill. Excludes the solver's gas
 * payment.
 */
async function measureEffects({ prepared, plan, proxies = [] }: MeasureEffectsParameters): Promise<Effects> {
  const { fork, execution } = prepared;
  if (!execution.success) return { balances: [], allowances: [] };
  const touched = listTouched(execution.frame, plan, proxies);
  const before = await prepared.before(() => readHoldings(fork, touched));
  const after = await prepared.after(() => readHoldings(fork, touched));
  return compareHoldings({ touched, before, after, root: execution.frame, plan });
}

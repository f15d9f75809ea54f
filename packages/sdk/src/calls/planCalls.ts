import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import {
  type KnownOptions,
  rejectUnknownNames,
  rejectUnknownOptionsDeep,
  requireOneOf,
} from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import type { Call } from "@crosscall/protocol/common";
import {
  callProxy,
  type CallProxyParameters,
  type ExecuteNativeParameters,
  type ExecuteParameters,
  type RepayNativeParameters,
  type RepayParameters,
} from "./callProxy.ts";
import { findPublicCredits, type PublicAccounts, type PublicCredit } from "./check/findPublicCredits.ts";
import type { FindingCode } from "./check/rules.ts";
import { type ContractAction, rejectUnknownContractOptions } from "./contractAction.ts";
import { decodeCalls } from "./decode/decodeCalls.ts";
import { assemblePlan, type PlanContracts } from "./plan/assemblePlan.ts";
import type { PlanFragment } from "./plan/fragment.ts";
import { planContract } from "./plan/planContract.ts";
import { planProgram, type ProgramRunner, RUNNER_OPTIONS } from "./plan/planProgram.ts";
import type { PlannedCalls, PlanTerms } from "./plan/planTerms.ts";
import type { Program } from "./program/program.ts";
import { ALLOWANCE_OPTIONS, type AllowanceState, raiseAllowance } from "./raiseAllowance.ts";
import { requireNative } from "./cleanups.ts";
import type { RouterParameters } from "./routerCall.ts";

interface TokenProxy {
  readonly kind: "proxy";
  /** The proxy's input token. */
  readonly token: Address;
  /** Allowance state; unknown by default. */
  readonly allowance?: AllowanceState;
}

/** Proxy for the router's native currency. */
interface NativeProxy {
  readonly kind: "proxy";
}

/** A proxy to call with the router's live balance of a token or of native currency. */
export type ProxyAction =
  | (ExecuteParameters & TokenProxy)
  | (RepayParameters & TokenProxy)
  | (Omit<ExecuteNativeParameters, keyof RouterParameters> & NativeProxy)
  | (Omit<RepayNativeParameters, keyof RouterParameters> & NativeProxy);

/** An encoded call, used unchanged. */
export interface CallAction {
  readonly kind: "call";
  readonly call: Call;
}

/** Program of the push executor with the router's balances. */
export interface ProgramAction {
  readonly kind: "program";
  readonly program: Program;
  /** Allowance state; unknown by default. Used only for a pull. */
  readonly allowance?: AllowanceState;
}

/** Action of a plan. */
export type PlannedAction = ProxyAction | CallAction | ContractAction | ProgramAction;

/** Parameters of `planCalls`. */
export interface CallPlan extends PlanTerms {
  /** In this order. */
  readonly actions: readonly PlannedAction[];
  /** The destination chain's push executor, for live amounts that no proxy uses. */
  readonly programs?: ProgramRunner;
}

/**
 * Arranges the calls of a plan: the actions with their approvals, then the sweeps of the currencies that can remain to
 * the recipient, then the reset of the allowances that can remain. Allowances of the kit's proxies and of the live
 * puller stay, which makes later fills cheaper: both take tokens from their caller only.
 *
 * @throws {@link InvalidInputError} when there are no actions, an action cannot be converted to calls or would run
 * after another action clears the guard, a call or step credits or indebts the router, the executor or its puller, or
 * `amount` does not match the trade type
 * @throws {@link CallsRefusedError} when `checkCalls` finds an error in the plan that `accepts` does not include
 */
export function planCalls(plan: CallPlan): PlannedCalls {
  rejectUnknownOptionsDeep(plan, {
    actions: 1,
    programs: RUNNER_OPTIONS,
    tradeType: 1,
    destinationCurrency: 1,
    recipient: 1,
    amount: 1,
    accepts: 1,
    router: 1,
    routerVersion: 1,
  });
  if (plan.actions.length === 0) {
    throw new InvalidInputError({
      field: "actions",
      value: [],
      reason: "there is nothing to execute",
      hint: "Pass at least one proxy or call; for a plain transfer, quote without txs.",
    });
  }
  const fragments = plan.actions.map((action, index) => {
    const path = `actions[${index}]`;
    const fragment = planAction(action, plan, path);
    requireNoPublicCredits(fragment.calls, {
      accounts: knownAccounts(plan),
      accepts: plan.accepts ?? [],
      fieldOf: (credit) => path + fieldOf(action, credit),
    });
    return fragment;
  });
  return assemblePlan(plan, fragments, contractsOf(plan));
}

function contractsOf({ actions, programs }: CallPlan): PlanContracts {
  const proxies = actions.flatMap((action) =>
    action.kind === "proxy"
      ? [{ address: action.proxy, ...("token" in action ? { inputToken: action.token } : {}) }]
      : [],
  );
  return { proxies, programs };
}

function knownAccounts({ router, programs }: CallPlan): PublicAccounts {
  return programs === undefined
    ? { router }
    : { router, pushExecutor: programs.executor, livePuller: programs.livePuller };
}

/** Returns the path of the credited account in an action. */
function fieldOf(action: PlannedAction, credit: PublicCredit): string {
  switch (action.kind) {
    case "call":
      return ".call.data";
    case "proxy":
      return `.${credit.argument}`;
    case "contract":
      return placeOf(action, credit);
    case "program": {
      const { step: index = 0 } = credit;
      const step = action.program.steps[index];
      return `.program.steps[${index}]${step === undefined || "data" in step ? ".data" : placeOf(step, credit)}`;
    }
  }
}

/**
 * Returns the path of the credited account in a contract action. An inner call's account is in the arguments of the
 * outer call.
 */
function placeOf({ functionName }: { readonly functionName: string }, { call, argument }: PublicCredit): string {
  if (call.name !== functionName) return ".args";
  const [name, ...rest] = argument?.split(".") ?? [];
  const index = call.args.findIndex((each) => each.name === name);
  return index === -1 ? ".functionName" : [`.args[${index}]`, ...rest].join(".");
}

const LIMITS = { kind: 1, functionName: 1, proxy: 1, minimumIn: 1, deadline: 1 };
const EXECUTION = { ...LIMITS, recipient: 1, minimumOut: 1 };
const REPAYMENT = { ...LIMITS, borrower: 1, minimumRepaid: 1 };
const TOKEN = { token: 1, allowance: ALLOWANCE_OPTIONS };
const PROXY_OPTIONS = {
  execute: { ...EXECUTION, ...TOKEN },
  executeNative: EXECUTION,
  repay: { ...REPAYMENT, ...TOKEN },
  repayNative: REPAYMENT,
} satisfies {
  [Name in NonNullable<ProxyAction["functionName"]>]: KnownOptions<ProxyActionOf<Name>>;
};
type ProxyActionOf<Name> = ProxyAction extends infer Action
  ? Action extends { readonly functionName?: Name }
    ? Action
    : never
  : never;

/** Rejects unknown options of an action, and an unknown kind or function. */
function requireKnownAction(action: PlannedAction, path: string): void {
  const { kind, ...parts } = action;
  const at = `${path}.`;
  switch (requireOneOf(kind, ["call", "proxy", "contract", "program"], `${at}kind`)) {
    case "call":
      rejectUnknownNames(action, ["kind", "call"], at);
      return;
    case "proxy": {
      const { functionName = "execute" } = parts as ProxyAction;
      const names = Object.keys(PROXY_OPTIONS) as (keyof typeof PROXY_OPTIONS)[];
      rejectUnknownOptionsDeep<object>(
        action,
        PROXY_OPTIONS[requireOneOf(functionName, names, `${at}functionName`)],
        at,
      );
      return;
    }
    case "contract":
      rejectUnknownContractOptions(parts as ContractAction, at);
      return;
    case "program":
      rejectUnknownOptionsDeep(action as ProgramAction, { kind: 1, program: 1, allowance: ALLOWANCE_OPTIONS }, at);
  }
}

function planAction(action: PlannedAction, plan: CallPlan, path: string): PlanFragment {
  const { router, routerVersion = "v3", recipient, programs, destinationCurrency } = plan;
  const isOnly = plan.actions.length === 1;
  requireKnownAction(action, path);
  switch (action.kind) {
    case "call":
      return planCall(action.call, plan, path);
    case "proxy":
      return planProxy(action, { router, routerVersion });
    case "contract":
      return planContract(action, {
        router: { router, routerVersion },
        recipient,
        runner: programs,
        path,
        delivered: destinationCurrency,
        isOnly,
      });
    case "program":
      if (programs === undefined) {
        throw new InvalidInputError({
          field: "programs",
          value: undefined,
          reason: `${path} is a program, which requires the push executor`,
          hint: "Pass programs: { executor, livePuller } on the destination chain.",
        });
      }
      return planProgram({
        program: action.program,
        runner: programs,
        router: { router, routerVersion },
        allowance: action.allowance ?? {},
        delivered: destinationCurrency,
        isOnly,
      });
  }
}

function planCall(call: Call, { router }: CallPlan, path: string): PlanFragment {
  parseAmount(call.value, `${path}.call.value`);
  return {
    calls: [call],
    takes: [],
    leaves: [],
    isOpaque: true,
    allowances: [],
    guard: isSameAddress(call.to, router) ? "releases" : "requires",
  };
}

function planProxy(action: ProxyAction, router: RouterParameters): PlanFragment {
  if (action.functionName === "executeNative" || action.functionName === "repayNative") {
    const parameters: CallProxyParameters = { ...router, ...action };
    return {
      calls: [requireNative(router), callProxy(parameters)],
      takes: [EVM_NATIVE_CURRENCY],
      leaves: [],
      allowances: [],
      guard: "releases",
    };
  }
  const { token, proxy: spender, allowance = {} } = action;
  return {
    calls: [...raiseAllowance({ token, spender, facts: allowance }), callProxy(action)],
    takes: [token],
    leaves: [],
    allowances: [{ token, spender, facts: allowance, mayRemain: true }],
    guard: "neutral",
  };
}

export interface PublicCreditsParameters {
  readonly accounts: PublicAccounts;
  readonly accepts: readonly FindingCode[];
  /** Returns the caller's field that contains the account. */
  readonly fieldOf: (credit: PublicCredit) => string;
}

/** Rejects calls and steps that credit or indebt an account through which anyone can act. */
function requireNoPublicCredits(calls: readonly Call[], { accounts, accepts, fieldOf }: PublicCreditsParameters): void {
  const refused = findPublicCredits(decodeCalls(calls), accounts).find(
    ({ step }) => !accepts.includes(step === undefined ? "PUBLIC_ACCOUNT_CREDITED" : "STEP_CREDITS_PUBLIC_ACCOUNT"),
  );
  if (refused === undefined) return;
  const { account, who, call, argument } = refused;
  const does = argument === undefined ? "credits its caller" : `has it as ${argument}`;
  throw new InvalidInputError({
    field: fieldOf(refused),
    value: account,
    reason: `it is ${who}, through which anyone can act, and ${call.signature} ${does}`,
    hint: "Pass the user's own account, or use the function variant with a recipient.",
  });
}

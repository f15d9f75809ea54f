import { type Address, encodeFunctionData, maxUint256 } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import { compact, InvalidInputError } from "@crosscall/protocol/core";
import type { Call } from "@crosscall/protocol/common";
import { callProxy } from "../callProxy.ts";
import { cleanupErc20s, cleanupNativeViaCall, requireNative } from "../cleanups.ts";
import { encodeLiveCall } from "../program/encodeLiveCall.ts";
import { live } from "../program/live.ts";
import type { ProgramCheck } from "../program/program.ts";
import { type AllowanceState, raiseAllowance } from "../raiseAllowance.ts";
import type { AnyRecipe, LiveWay, RecipeUse } from "../recipes/recipe.ts";
import { wrappedNativeAbi } from "../recipes/wrappedNative.ts";
import type { RouterParameters } from "../routerCall.ts";
import type { PlanFragment } from "./fragment.ts";
import { planProgram, type ProgramRunner } from "./planProgram.ts";

export interface LiveContracts {
  readonly proxy: Address | undefined;
  readonly programs: ProgramRunner | undefined;
  /** Minimum input in the smallest unit; undefined for the default. */
  readonly minimumIn: bigint | undefined;
  readonly keepUnit: boolean;
}

type OpenWay =
  | { readonly kind: "proxy"; readonly proxy: Address }
  | { readonly kind: "program"; readonly programs: ProgramRunner }
  | { readonly kind: "nativeCall" | "transfer" };

/** Routes the live amount by the best available method. */
export function planLiveRecipe(parameters: RecipeFragmentParameters, contracts: LiveContracts): PlanFragment {
  const { minimumIn, keepUnit } = contracts;
  const way = chooseWay(parameters, contracts);
  if (keepUnit && way.kind !== "program") {
    throw new InvalidInputError({
      field: "keepUnit",
      value: keepUnit,
      reason: `${parameters.recipe.name} uses ${way.kind}, and only the push executor keeps a unit`,
      hint: "Omit keepUnit, or pass programs and no proxy.",
    });
  }
  switch (way.kind) {
    case "proxy":
      return planByProxy(parameters, parseEvmAddress(way.proxy, "proxy"), minimumIn);
    case "program":
      return planByProgram(parameters, way.programs, { minimumIn, keepUnit });
    case "nativeCall":
      requireNoMinimums(parameters, minimumIn, way.kind);
      return planByNativeCall(parameters);
    case "transfer":
      requireNoMinimums(parameters, minimumIn, way.kind);
      return planByTransfer(parameters);
  }
}

function chooseWay({ recipe, use }: RecipeFragmentParameters, { proxy, programs }: LiveContracts): OpenWay {
  const open: Readonly<Record<LiveWay, OpenWay | undefined>> = {
    proxy: proxy === undefined ? undefined : { kind: "proxy", proxy },
    program: programs === undefined ? undefined : { kind: "program", programs },
    nativeCall: use.input === "value" ? { kind: "nativeCall" } : undefined,
    transfer: use.input === "transfer" ? { kind: "transfer" } : undefined,
  };
  for (const known of recipe.liveWays) {
    if (open[known] !== undefined) return open[known];
  }
  const needs = recipe.liveWays.filter((known) => known === "proxy" || known === "program");
  throw new InvalidInputError({
    field: needs.includes("proxy") ? "proxy" : "programs",
    value: undefined,
    reason: `a live amount of ${recipe.name} requires a ${needs.join(" or ")}`,
    hint: "Pass the address of the typed proxy, or programs: { executor, livePuller }, on the destination chain.",
  });
}

function planByProxy(parameters: RecipeFragmentParameters, proxy: Address, minimumIn = 1n): PlanFragment {
  const { recipe, use, recipient, router, wraps, allowance, deadline = maxUint256, minimumOut = 1n } = parameters;
  const isNative = takesNative(use) || wraps !== undefined;
  const common = { proxy, minimumIn, deadline };
  const execution = { ...common, recipient, minimumOut };
  const repayment = { ...common, borrower: recipient, minimumRepaid: minimumOut };
  if (isNative) {
    const call =
      recipe.proxyFunction === "repay"
        ? callProxy({ ...repayment, ...router, functionName: "repayNative" })
        : callProxy({ ...execution, ...router, functionName: "executeNative" });
    return {
      calls: [requireNative(router), call],
      takes: [EVM_NATIVE_CURRENCY],
      leaves: [],
      allowances: [],
      guard: "releases",
    };
  }
  return {
    calls: [
      ...raiseAllowance({ token: use.takes, spender: proxy, facts: allowance }),
      recipe.proxyFunction === "repay"
        ? callProxy({ ...repayment, functionName: "repay" })
        : callProxy({ ...execution, functionName: "execute" }),
    ],
    takes: [use.takes],
    leaves: [],
    allowances: [{ token: use.takes, spender: proxy, facts: allowance, mayRemain: true }],
    guard: "neutral",
  };
}

function planByProgram(
  parameters: RecipeFragmentParameters,
  runner: ProgramRunner,
  { minimumIn = 1n, keepUnit }: Pick<LiveContracts, "minimumIn" | "keepUnit">,
): PlanFragment {
  const { use, recipient, router, allowance, deadline, wraps } = parameters;
  const amount = use.input === "allowance" ? live(use.takes, { approve: use.spender ?? "target" }) : live(use.takes);
  const credited = creditsOf(use);
  const fragment = planProgram({
    program: compact({
      recipient,
      deadline,
      tokens: [{ token: use.takes, minimumIn, keepUnit }, ...credited.map((token) => ({ token, minimumIn: 0n }))],
      checks: checksOf(parameters),
      steps: [use.call(amount)],
    }),
    runner,
    router,
    allowance,
    delivered: use.takes,
    isOnly: true,
  });
  if (wraps === undefined) return fragment;
  return {
    ...fragment,
    calls: [...wrapLive(parameters), ...fragment.calls],
    takes: [EVM_NATIVE_CURRENCY, ...fragment.takes],
    guard: "releasesFirst",
  };
}

/** Returns checks of the output, which the executor can measure only as the recipient's gain. */
function checksOf({ recipe, use, minimumOut }: RecipeFragmentParameters): ProgramCheck[] {
  if (use.credits.kind === "token") return [{ token: use.credits.token, minimumOut: minimumOut ?? 1n }];
  if (minimumOut === undefined || recipe.minimum === "call") return [];
  throw new InvalidInputError({
    field: "minimumOut",
    value: minimumOut,
    reason: `${recipe.name} credits a position, whose balance the push executor cannot read`,
    hint: "Omit minimumOut, or pass the typed proxy, which measures the output.",
  });
}

function planByTransfer(parameters: RecipeFragmentParameters): PlanFragment {
  const { use, router, wraps } = parameters;
  const step = use.call(live(use.takes));
  const target = parseEvmAddress(step.target, "target");
  return {
    calls: [
      ...wrapLive(parameters),
      cleanupErc20s({ ...router, cleanups: [{ token: use.takes, recipient: target }] }),
      { to: target, data: encodeLiveCall(step, "args").data, value: "0" },
    ],
    takes: [...(wraps === undefined ? [] : [EVM_NATIVE_CURRENCY]), use.takes],
    leaves: creditsOf(use),
    allowances: [],
    guard: "releasesFirst",
  };
}

function planByNativeCall({ use, router }: RecipeFragmentParameters): PlanFragment {
  const step = use.call(live("native"));
  const { data } = encodeLiveCall(step, "args");
  return {
    calls: [requireNative(router), cleanupNativeViaCall({ ...router, to: step.target, data })],
    takes: [EVM_NATIVE_CURRENCY],
    leaves: creditsOf(use),
    allowances: [],
    guard: "releases",
  };
}

/** Wraps the router's whole native balance. */
function wrapLive({ wraps, router }: RecipeFragmentParameters): Call[] {
  if (wraps === undefined) return [];
  const data = encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" });
  return [requireNative(router), cleanupNativeViaCall({ ...router, to: wraps, data })];
}

function requireNoMinimums(
  { recipe, minimumOut }: RecipeFragmentParameters,
  minimumIn: bigint | undefined,
  way: LiveWay,
): void {
  const isOutUnseen = minimumOut !== undefined && recipe.minimum !== "call";
  if (minimumIn === undefined && !isOutUnseen) return;
  throw new InvalidInputError({
    field: minimumIn === undefined ? "minimumOut" : "minimumIn",
    value: minimumIn ?? minimumOut,
    reason: `${recipe.name} uses ${way}, which does not measure it`,
    hint: "Omit the field, or pass a proxy or the push executor if the recipe supports one.",
  });
}

export interface RecipeFragmentParameters {
  readonly recipe: AnyRecipe;
  readonly use: RecipeUse;
  readonly recipient: Address;
  /** Deadline in Unix seconds; undefined for none. */
  readonly deadline: bigint | undefined;
  readonly router: RouterParameters;
  /** Wrapped native token that the recipe takes, if native currency is delivered. */
  readonly wraps: Address | undefined;
  readonly allowance: AllowanceState;
  /** Minimum output in the smallest unit; undefined for the default. */
  readonly minimumOut: bigint | undefined;
}

/** Returns the currency that a recipe credits to its caller, if any. */
export function creditsOf({ credits }: RecipeUse): Address[] {
  return credits.kind === "token" && credits.to === "caller" ? [credits.token] : [];
}

function takesNative({ takes }: RecipeUse): boolean {
  return takes === EVM_NATIVE_CURRENCY;
}

import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { rejectUnknownOptionsDeep } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { requireAmount } from "@crosscall/protocol/encoding";
import type { Call } from "@crosscall/protocol/common";
import { namePublicContract } from "@crosscall/protocol/generations";
import { isUnlimited } from "./check/operation.ts";
import type { FindingCode } from "./check/rules.ts";
import { assemblePlan } from "./plan/assemblePlan.ts";
import type { PlanFragment } from "./plan/fragment.ts";
import { creditsOf, planLiveRecipe, type RecipeFragmentParameters } from "./plan/planLiveRecipe.ts";
import { type ProgramRunner, RUNNER_OPTIONS } from "./plan/planProgram.ts";
import type { PlannedCalls } from "./plan/planTerms.ts";
import { encodeLiveCall } from "./program/encodeLiveCall.ts";
import { ALLOWANCE_OPTIONS, type AllowanceState, raiseAllowance } from "./raiseAllowance.ts";
import type { AnyRecipe, ArgumentsOf } from "./recipes/recipe.ts";
import { wrappedNativeAbi } from "./recipes/wrappedNative.ts";
import type { RouterParameters } from "./routerCall.ts";

interface CommonParameters<R extends AnyRecipe> extends RouterParameters {
  readonly recipe: R;
  readonly args: ArgumentsOf<R>;
  /** Recipient of the output and the remainder. */
  readonly recipient: Address;
  /**
   * Amount in the smallest unit. With EXACT_OUTPUT, the amount that the recipe takes. With EXACT_INPUT, the amount that
   * the user sends, in the origin currency.
   */
  readonly amount: bigint;
  /** Deadline in Unix seconds, for calls with a deadline. Defaults to none. The order has its own deadline. */
  readonly deadline?: bigint;
  /** Current allowance, which the plan raises. */
  readonly allowance?: AllowanceState;
  /** See {@link PlanTerms}. */
  readonly accepts?: readonly FindingCode[];
  /** The chain's wrapped native currency, to deliver native currency to a recipe that takes the wrapped token. */
  readonly wraps?: Address;
}

/** Minimum output, in the output's smallest unit. */
type MinimumPart<R extends AnyRecipe, Trade> = R["minimum"] extends "call"
  ? { readonly minimumOut: bigint }
  : "live" extends R["minimum"]
    ? Trade extends "EXACT_INPUT"
      ? { readonly minimumOut?: bigint }
      : { readonly minimumOut?: undefined }
    : { readonly minimumOut?: undefined };

/** Contract that passes the live amount to the protocol. */
type WayPart<R extends AnyRecipe> = ("proxy" extends R["liveWays"][number]
  ? {
      /** Typed proxy for this recipe with these arguments. Takes precedence over `programs`. */
      readonly proxy?: Address;
    }
  : { readonly proxy?: undefined }) &
  ("program" extends R["liveWays"][number]
    ? {
        readonly programs?: ProgramRunner;
        /**
         * Whether the executor keeps one unit of the input, which makes later fills cheaper by about 14,000 gas. It
         * keeps one of the user's if it holds none. Requires a program and a token input. False by default.
         */
        readonly keepUnit?: boolean;
      }
    : { readonly programs?: undefined; readonly keepUnit?: undefined });

type ExactOutput<R extends AnyRecipe> = CommonParameters<R> & {
  readonly tradeType: "EXACT_OUTPUT";
  readonly proxy?: undefined;
  readonly programs?: undefined;
  readonly keepUnit?: undefined;
  readonly minimumIn?: undefined;
} & MinimumPart<R, "EXACT_OUTPUT">;

type ExactInput<R extends AnyRecipe> = CommonParameters<R> & {
  readonly tradeType: "EXACT_INPUT";
  /** Minimum delivered amount in the input's smallest unit, if a proxy or a program checks it. Defaults to 1. */
  readonly minimumIn?: bigint;
} & MinimumPart<R, "EXACT_INPUT"> &
  WayPart<R>;

/** Parameters of `planRecipe`, limited to those that the recipe supports. */
export type PlanRecipeParameters<R extends AnyRecipe> =
  | ("EXACT_OUTPUT" extends R["tradeTypes"][number] ? ExactOutput<R> : never)
  | ("EXACT_INPUT" extends R["tradeTypes"][number] ? ExactInput<R> : never);

/** Fields of a quote request that the plan determines. */
export interface PlannedRecipe extends PlannedCalls {
  /** Delivered currency; zero address for native currency. */
  readonly destinationCurrency: Address;
}

/**
 * Plans a recipe: returns `txs`, `amount`, `tradeType` and `destinationCurrency` of a quote request.
 *
 * With EXACT_OUTPUT, the amounts are fixed: an exact approval, the protocol's own call for the recipient, and the
 * sweeps. With EXACT_INPUT, the amount is known only at the fill. The typed proxy reads the amount if there is a proxy.
 * Otherwise, a program of the push executor reads it, or a protocol that uses its whole balance. The plan leaves no
 * funds on the router, and no allowance except those of the kit's proxies and of the live puller, which take tokens
 * from their caller only.
 *
 * @throws {@link InvalidInputError} when an argument cannot be used, the recipe does not support the trade type, no
 * method supports a live amount, or the chosen method does not enforce a given minimum
 * @throws {@link CallsRefusedError} when `checkCalls` finds an error in the plan that `accepts` does not include
 */
export function planRecipe<R extends AnyRecipe>(parameters: PlanRecipeParameters<R>): PlannedRecipe {
  // The public types describe the combinations; this is their union.
  const plan = parameters as PlanParameters;
  rejectUnknownOptionsDeep(plan, {
    recipe: 1,
    args: 1,
    tradeType: 1,
    recipient: 1,
    amount: 1,
    minimumIn: 1,
    minimumOut: 1,
    deadline: 1,
    allowance: ALLOWANCE_OPTIONS,
    accepts: 1,
    keepUnit: 1,
    wraps: 1,
    proxy: 1,
    programs: RUNNER_OPTIONS,
    router: 1,
    routerVersion: 1,
  });
  const { recipe, tradeType, router, routerVersion = "v3", amount, minimumOut } = plan;
  rejectUnknownOptionsDeep(plan.args as object, recipe.argumentNames, "args.");
  if (!recipe.tradeTypes.includes(tradeType)) {
    throw new InvalidInputError({
      field: "tradeType",
      value: tradeType,
      reason: `${recipe.name} supports ${recipe.tradeTypes.join(" and ")}`,
      hint: "Use that trade type, or another recipe.",
    });
  }
  if (recipe.minimum === "call" && minimumOut === undefined) {
    throw new InvalidInputError({
      field: "minimumOut",
      value: undefined,
      reason: `${recipe.name} trades at the price of the fill, which others can manipulate`,
      hint: "Set minimumOut.",
    });
  }
  const recipient = parseEvmAddress(plan.recipient, "recipient");
  const deadline = requireAmount(plan.deadline ?? maxUint256, "deadline");
  const use = recipe.use(plan.args as never, {
    recipient,
    minimumOut: requireAmount(minimumOut ?? 1n, "minimumOut"),
    deadline,
  });
  requirePayee(recipient, [
    EVM_NATIVE_CURRENCY,
    parseEvmAddress(router, "router"),
    use.takes,
    ...(use.credits.kind === "token" ? [use.credits.token] : []),
  ]);
  const wraps = plan.wraps === undefined ? undefined : parseEvmAddress(plan.wraps, "wraps");
  if (wraps !== undefined && !isSameAddress(wraps, use.takes)) {
    throw new InvalidInputError({
      field: "wraps",
      value: wraps,
      reason: `the recipe takes ${use.takes}`,
      hint: "Omit wraps, so that the solver delivers the recipe's input.",
    });
  }
  const fragment: RecipeFragmentParameters = {
    recipe,
    use,
    recipient,
    deadline: plan.deadline === undefined ? undefined : deadline,
    router: { router, routerVersion },
    wraps,
    allowance: plan.allowance ?? {},
    minimumOut,
  };
  const destinationCurrency = wraps === undefined ? use.takes : EVM_NATIVE_CURRENCY;
  const { proxy, programs, minimumIn, keepUnit = false } = plan;
  const planned = assemblePlan(
    { tradeType, router, routerVersion, destinationCurrency, recipient, amount, accepts: plan.accepts ?? [] },
    [
      tradeType === "EXACT_OUTPUT"
        ? planFixedRecipe(fragment, amount)
        : planLiveRecipe(fragment, { proxy, programs, minimumIn, keepUnit }),
    ],
    { proxies: proxy === undefined ? [] : [{ address: proxy, inputToken: use.takes }], programs },
  );
  return { ...planned, destinationCurrency };
}

interface PlanParameters extends Omit<CommonParameters<AnyRecipe>, "args"> {
  readonly args: unknown;
  readonly tradeType: "EXACT_INPUT" | "EXACT_OUTPUT";
  readonly proxy?: Address;
  readonly programs?: ProgramRunner;
  readonly keepUnit?: boolean;
  readonly minimumIn?: bigint;
  readonly minimumOut?: bigint;
}

function requirePayee(recipient: Address, others: readonly Address[]): void {
  if (!others.includes(recipient) && namePublicContract(recipient) === undefined) return;
  throw new InvalidInputError({
    field: "recipient",
    value: recipient,
    reason: "the user loses funds sent to the zero address, a router of the service or the token",
    hint: "Pass the user's own address.",
  });
}

/** Plans a recipe with a fixed amount, for which the router calls the protocol directly. */
function planFixedRecipe(parameters: RecipeFragmentParameters, amount: bigint): PlanFragment {
  const { recipe, use, wraps, allowance, minimumOut } = parameters;
  if (recipe.minimum !== "call" && minimumOut !== undefined) {
    throw new InvalidInputError({
      field: "minimumOut",
      value: minimumOut,
      reason: `the output of ${recipe.name} is not measured when the router calls the protocol directly`,
      hint: "Omit minimumOut, or use EXACT_INPUT with a proxy or the push executor.",
    });
  }
  const fixed = requireAmount(amount, "amount");
  const step = use.call(fixed);
  const target = parseEvmAddress(step.target, "target");
  const spender = use.spender ?? target;
  const approvals =
    use.input === "allowance" ? raiseAllowance({ token: use.takes, spender, amount: fixed, facts: allowance }) : [];
  const isUsed = use.takesExactly === true && approvals.length > 0 && !isUnlimited(fixed);
  const plain = (to: typeof target, data: Call["data"], value = 0n): Call => ({ to, data, value: value.toString() });
  const calls = [
    ...(wraps === undefined
      ? []
      : [plain(wraps, encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" }), fixed)]),
    ...approvals,
    ...(use.input === "transfer"
      ? [plain(use.takes, encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [target, fixed] }))]
      : []),
    plain(target, encodeLiveCall(step, "args").data, typeof step.value === "bigint" ? step.value : 0n),
  ];
  return {
    calls,
    takes: [],
    leaves: [use.takes, ...creditsOf(use)],
    allowances: use.input === "allowance" ? [{ token: use.takes, spender, facts: allowance, mayRemain: isUsed }] : [],
    guard: "requires",
  };
}

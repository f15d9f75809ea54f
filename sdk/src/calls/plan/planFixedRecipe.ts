import { encodeFunctionData, erc20Abi } from "viem";

import { parseEvmAddress } from "../../chains/address.ts";
import { requireAmount } from "../../core/amounts.ts";
import { InvalidInputError } from "../../core/errors.ts";
import type { Call } from "../../protocol/common/call.ts";
import { encodeLiveCall } from "../program/encodeLiveCall.ts";
import { raiseAllowance } from "../raiseAllowance.ts";
import { wrappedNativeAbi } from "../recipes/wrappedNative.ts";
import type { PlanFragment } from "./fragment.ts";
import { currenciesOf, type RecipeFragmentParameters } from "./recipeFragment.ts";

/** The router calls the protocol itself. */
export function planFixedRecipe(parameters: RecipeFragmentParameters, amount: bigint): PlanFragment {
  const { recipe, use, wraps, allowance, minimumOut } = parameters;
  if (recipe.minimum !== "call" && minimumOut !== undefined) {
    throw new InvalidInputError({
      field: "minimumOut",
      value: minimumOut,
      reason: `nothing measures what ${recipe.name} gives when the router calls the protocol itself`,
      hint: "Leave minimumOut out, or use EXACT_INPUT with a proxy or the push executor.",
    });
  }
  const fixed = requireAmount(amount, "amount");
  const step = use.call(fixed);
  const target = parseEvmAddress(step.target, "target");
  const spender = use.spender ?? target;
  const plain = (to: typeof target, data: Call["data"], value = 0n): Call => ({ to, data, value: value.toString() });
  const calls = [
    ...(wraps === undefined
      ? []
      : [plain(wraps, encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" }), fixed)]),
    ...(use.input === "allowance"
      ? raiseAllowance({ token: use.takes, spender, amount: fixed, facts: allowance })
      : []),
    ...(use.input === "transfer"
      ? [plain(use.takes, encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [target, fixed] }))]
      : []),
    plain(target, encodeLiveCall(step, "args").data, typeof step.value === "bigint" ? step.value : 0n),
  ];
  return {
    calls,
    tokens: currenciesOf(use),
    allowances: use.input === "allowance" ? [{ token: use.takes, spender, facts: allowance }] : [],
    guard: "requires",
  };
}

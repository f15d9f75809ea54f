import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { compact, InvalidInputError } from "@crosscall/protocol/core";
import { requireAmount } from "@crosscall/protocol/encoding";
import type { ContractAction, FixedApproval } from "../contractAction.ts";
import { encodeLiveCall } from "../program/encodeLiveCall.ts";
import { isPlaceholder, type LiveAmount } from "../program/placeholder.ts";
import type { ProgramStep, ProgramToken } from "../program/program.ts";
import { raiseAllowance } from "../raiseAllowance.ts";
import type { RouterParameters } from "../routerCall.ts";
import type { PlanFragment } from "./fragment.ts";
import { planProgram, type ProgramRunner } from "./planProgram.ts";

export interface ContractFragmentContext {
  readonly router: RouterParameters;
  readonly recipient: Address;
  readonly runner: ProgramRunner | undefined;
  /** Path of the action, for errors. */
  readonly path: string;
  readonly delivered: Address;
  readonly isOnly: boolean;
}

/** Calls directly with fixed amounts, or through a program with live amounts. */
export function planContract(action: ContractAction, context: ContractFragmentContext): PlanFragment {
  const amounts = [action.args, action.value, action.approvals].flatMap(findLiveAmounts);
  return amounts.length === 0 ? planDirect(action, context) : planLive(action, amounts, context);
}

function planDirect(action: ContractAction, { path, router: { router } }: ContractFragmentContext): PlanFragment {
  for (const field of ["checks", "deadline", "allowance"] as const) {
    if (action[field] === undefined) continue;
    throw new InvalidInputError({
      field: `${path}.${field}`,
      value: field === "deadline" ? action.deadline : "given",
      reason: "it requires live amounts: the router makes other calls directly, without checks and pulls",
      hint: "Omit the field, use live amounts, or put the allowance state in `approvals`.",
    });
  }
  const target = parseEvmAddress(action.address, `${path}.address`);
  const approvals = (action.approvals ?? []).filter((approval): approval is FixedApproval => !isPlaceholder(approval));
  return {
    calls: [
      ...approvals.flatMap(({ token, spender = target, amount, allowance = {} }) =>
        raiseAllowance({ token, spender, amount, facts: allowance }),
      ),
      {
        to: target,
        data: encodeLiveCall(stepOf(action), path).data,
        value: requireAmount(typeof action.value === "bigint" ? action.value : 0n, `${path}.value`).toString(),
      },
    ],
    takes: [],
    leaves: [
      ...approvals.map(({ token }) => token),
      ...(action.tokens ?? []).map(({ token }) => (token === "native" ? EVM_NATIVE_CURRENCY : token)),
    ],
    isOpaque: true,
    allowances: approvals.map(({ token, spender = target, allowance: facts = {} }) => ({ token, spender, facts })),
    guard: isSameAddress(target, router) ? "releases" : "requires",
  };
}

function planLive(
  action: ContractAction,
  amounts: readonly LiveAmount[],
  context: ContractFragmentContext,
): PlanFragment {
  const { router, recipient, runner, path, delivered, isOnly } = context;
  if (runner === undefined) {
    throw new InvalidInputError({
      field: "programs",
      value: undefined,
      reason: `${path} has live amounts, which require the push executor`,
      hint: "Pass programs: { executor, livePuller } on the destination chain.",
    });
  }
  const fixed = (action.approvals ?? []).findIndex((approval) => !isPlaceholder(approval));
  if (fixed !== -1) {
    throw new InvalidInputError({
      field: `${path}.approvals[${fixed}]`,
      value: "a fixed amount",
      reason: "a call with live amounts can only approve live amounts",
      hint: 'Give live(token, { approve: "target" }).',
    });
  }
  const { checks, deadline, allowance = {} } = action;
  return planProgram({
    program: compact({ recipient, tokens: declareTokens(action, amounts), steps: [stepOf(action)], checks, deadline }),
    runner,
    router,
    allowance,
    delivered,
    isOnly,
  });
}

/** Returns the declared tokens, and the tokens of live amounts and of the value. */
function declareTokens({ tokens = [], value }: ContractAction, amounts: readonly LiveAmount[]): ProgramToken[] {
  const declared = [...tokens];
  const declare = (token: Address, minimumIn: bigint): void => {
    const addressOf = (other: ProgramToken): Address => (other.token === "native" ? EVM_NATIVE_CURRENCY : other.token);
    if (declared.some((other) => isSameAddress(addressOf(other), token))) return;
    declared.push({ token, minimumIn });
  };
  for (const { token } of amounts) declare(token, 1n);
  if (typeof value === "bigint" && value > 0n) declare(EVM_NATIVE_CURRENCY, value);
  return declared;
}

function stepOf({ address, abi, functionName, args = [], value, approvals = [] }: ContractAction): ProgramStep {
  return compact({
    target: address,
    abi,
    functionName,
    args,
    value,
    approvals: approvals.filter((approval): approval is LiveAmount => isPlaceholder(approval)),
  });
}

/** At any depth. */
function findLiveAmounts(value: unknown): LiveAmount[] {
  if (isPlaceholder(value)) {
    if ("bytes" in value) return value.fields.flatMap(({ amount }) => findLiveAmounts(amount));
    return "token" in value ? [value] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(findLiveAmounts);
}

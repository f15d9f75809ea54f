import type { Abi, Address, ContractFunctionArgs, ContractFunctionName } from "viem";

import { type KnownOptions, rejectUnknownOptionsDeep } from "@crosscall/protocol/common/rejectUnknownOptions";
import { isPlaceholder, type LiveAmount } from "./program/placeholder.ts";
import {
  CHECK_OPTIONS,
  type ProgramCheck,
  type ProgramToken,
  TOKEN_OPTIONS,
  type WithAmounts,
} from "./program/program.ts";
import { ALLOWANCE_OPTIONS, type AllowanceState } from "./raiseAllowance.ts";

/** Fixed amount of the router's tokens to approve. */
export interface FixedApproval {
  readonly token: Address;
  /** Account to approve. Defaults to the called contract. */
  readonly spender?: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Allowance state; unknown by default. */
  readonly allowance?: AllowanceState;
}

export interface ContractActionParts {
  /** The contract to call. */
  readonly address: Address;
  /** Approvals during the call, in addition to those for live amounts in its arguments. */
  readonly approvals?: readonly (FixedApproval | LiveAmount)[];
  /**
   * Tokens that the call returns to its caller (with `minimumIn: 0n`), which are forwarded to the recipient; and live
   * tokens with a minimum above one unit.
   */
  readonly tokens?: readonly ProgramToken[];
  /** Minimum gains of the recipient. Requires live amounts, because gains of direct calls cannot be measured. */
  readonly checks?: readonly ProgramCheck[];
  /** Last Unix second at which the call succeeds. Requires live amounts. Defaults to none. */
  readonly deadline?: bigint;
  /** Allowance state of the token with live amounts; unknown by default. Used only for a pull. */
  readonly allowance?: AllowanceState;
}

/** Call by the router with fixed amounts, or by the push executor with live amounts. */
export interface ContractAction extends ContractActionParts {
  readonly kind: "contract";
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
  /** Value in wei, or a live share of native currency. */
  readonly value?: bigint | LiveAmount;
}

type Changing = "nonpayable" | "payable";

/** Arguments of a function, with placeholders for live amounts; optional if there are none. */
type ArgumentsPart<Args> = Args extends readonly []
  ? { readonly args?: readonly [] }
  : { readonly args: WithAmounts<Args> & readonly unknown[] };

/** Value of a call, for payable functions. */
type ValuePart<abi extends Abi, functionName> =
  functionName extends ContractFunctionName<abi, "payable">
    ? { readonly value?: bigint | LiveAmount }
    : { readonly value?: undefined };

/** Arguments of viem's `writeContract`, with `live` amounts instead of numbers. */
export type CallContractParameters<
  abi extends Abi,
  functionName extends ContractFunctionName<abi, Changing>,
> = ContractActionParts & { readonly abi: abi; readonly functionName: functionName } & ArgumentsPart<
    ContractFunctionArgs<abi, Changing, functionName>
  > &
  ValuePart<abi, functionName>;

const CONTRACT_OPTIONS = {
  address: 1,
  approvals: 1,
  tokens: TOKEN_OPTIONS,
  checks: CHECK_OPTIONS,
  deadline: 1,
  allowance: ALLOWANCE_OPTIONS,
  abi: 1,
  functionName: 1,
  args: 1,
  value: 1,
} satisfies KnownOptions<Omit<ContractAction, "kind">>;

/** @param at path of the options, such as `actions[0].` */
export function rejectUnknownContractOptions(options: Omit<ContractAction, "kind">, at = ""): void {
  rejectUnknownOptionsDeep(options, CONTRACT_OPTIONS, at);
  for (const [index, approval] of options.approvals?.entries() ?? []) {
    if (isPlaceholder(approval)) continue;
    const known = { token: 1, spender: 1, amount: 1, allowance: ALLOWANCE_OPTIONS };
    rejectUnknownOptionsDeep(approval, known, `${at}approvals[${index}].`);
  }
}

/**
 * Builds an action of a plan from a contract call in viem's form. An argument at any depth, or the value, may be
 * `live(token)`: the router's balance when the fill runs. Checks only types.
 */
export function callContract<const abi extends Abi, functionName extends ContractFunctionName<abi, Changing>>(
  parameters: CallContractParameters<abi, functionName>,
): ContractAction {
  const options = parameters as Omit<ContractAction, "kind">;
  rejectUnknownContractOptions(options);
  return { kind: "contract", ...options };
}

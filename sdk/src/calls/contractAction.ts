import type { Abi, Address, ContractFunctionArgs, ContractFunctionName } from "viem";

import type { LiveAmount } from "./program/placeholder.ts";
import type { ProgramCheck, ProgramToken, WithAmounts } from "./program/program.ts";
import type { AllowanceState } from "./raiseAllowance.ts";

/** A fixed amount of the router's tokens that somebody may take. */
export interface FixedApproval {
  readonly token: Address;
  /** The contract that is called when left out. */
  readonly spender?: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Nothing is known, and the token takes every change, when left out. */
  readonly allowance?: AllowanceState;
}

/** What a contract call has beside its function. */
export interface ContractActionParts {
  /** Who is called. */
  readonly address: Address;
  /** What may be taken while the call runs, beside the live amounts that its arguments approve. */
  readonly approvals?: readonly (FixedApproval | LiveAmount)[];
  /**
   * Tokens that the call leaves with its caller, with `minimumIn: 0n`, so that the recipient gets them; and live ones of
   * which more than a unit must be delivered.
   */
  readonly tokens?: readonly ProgramToken[];
  /** What the recipient must gain. For live amounts only: nothing measures it for a direct call. */
  readonly checks?: readonly ProgramCheck[];
  /** Unix seconds, for live amounts only; none when left out. */
  readonly deadline?: bigint;
}

/** A call of any contract. With fixed amounts the router makes it; with live ones the push executor does. */
export interface ContractAction extends ContractActionParts {
  readonly kind: "contract";
  readonly abi: Abi;
  readonly functionName: string;
  readonly args?: readonly unknown[];
  /** Wei, or a live share of native. */
  readonly value?: bigint | LiveAmount;
}

type Changing = "nonpayable" | "payable";

/** The arguments of a function, with stand-ins for live amounts; not needed where there are none. */
type ArgumentsPart<Args> = Args extends readonly []
  ? { readonly args?: readonly [] }
  : { readonly args: WithAmounts<Args> & readonly unknown[] };

/** The value of a call, for functions that take one. */
type ValuePart<abi extends Abi, functionName> =
  functionName extends ContractFunctionName<abi, "payable">
    ? { readonly value?: bigint | LiveAmount }
    : { readonly value?: undefined };

/** What {@link callContract} takes: what viem's `writeContract` takes, and `live` amounts where numbers stand. */
export type CallContractParameters<
  abi extends Abi,
  functionName extends ContractFunctionName<abi, Changing>,
> = ContractActionParts & { readonly abi: abi; readonly functionName: functionName } & ArgumentsPart<
    ContractFunctionArgs<abi, Changing, functionName>
  > &
  ValuePart<abi, functionName>;

/**
 * Builds an action of a plan from a contract call in viem's form. An argument at any depth, or the value, may be
 * `live(token)`: the router's balance when the fill runs. Checks types only.
 */
export function callContract<const abi extends Abi, functionName extends ContractFunctionName<abi, Changing>>(
  parameters: CallContractParameters<abi, functionName>,
): ContractAction {
  return { kind: "contract", ...(parameters as Omit<ContractAction, "kind">) };
}

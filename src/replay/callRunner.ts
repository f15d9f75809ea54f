import { type Address, type Hex, decodeFunctionResult, encodeFunctionData, numberToHex } from "viem";

import { isEvmNative } from "@crosscall/sdk/internal/chains/address";
import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import { fillRunnerAbi, fillRunnerCode } from "../abi/fillRunner.generated.ts";
import { encodeFill } from "./encodeFill.ts";
import type { FillPlan } from "./fillPlan.ts";
import type { StateNode } from "./stateNode.ts";

/** What an account is taken to be for the length of a call, as `eth_call` takes it. */
export interface AccountOverride {
  readonly balance?: Hex;
  readonly code?: Hex;
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}

/** What {@link callRunner} takes. */
export interface RunnerCall {
  readonly plan: FillPlan;
  /** Delivered, smallest unit. */
  readonly amounts: readonly bigint[];
  /** Of which the recipient's balances are compared; the zero address is native. */
  readonly outputs: readonly Address[];
  /** Whether the router has the amount already; else the solver delivers it, and must have it. */
  readonly isDelivered: boolean;
  /** Gas that each fill gets. */
  readonly gasLimit: bigint;
  /** Gas of the whole call; the node's limit when left out. */
  readonly callGas?: bigint | undefined;
  /** A block's number or name. */
  readonly block: Hex | "latest";
  /** Beside the solver's, which the call needs itself. */
  readonly overrides?: Readonly<Record<Address, AccountOverride>>;
}

/** How a fill went in a call. */
export interface RunnerOutcome {
  readonly success: boolean;
  /** What the router had, smallest unit. */
  readonly delivered: bigint;
  /** By the router's call alone, before refunds. */
  readonly gasUsed: bigint;
  readonly revertData: Hex;
  /** One an output, smallest unit. */
  readonly received: readonly bigint[];
}

/** Enough for any fill, in wei. */
export const SOLVER_BALANCE = 10n ** 30n;

/** Gas that the code at the solver's address spends around the router's call, as the code is compiled. */
const CALL_OVERHEAD = 108n;

/** What a call costs more for the value that goes along, less what it gives to the called. */
const VALUE_OVERHEAD = 9_000n - 2_300n;

/**
 * Tries a fill with many amounts by one `eth_call`, whose state overrides put the code of `FillRunner.sol` at the
 * solver's address. Nothing of the node changes.
 *
 * @returns one outcome an amount, in their order; fewer where the node's gas does not last for all
 * @throws {@link InvalidStateError} when the node takes no state overrides
 */
export async function callRunner(node: StateNode, call: RunnerCall): Promise<readonly RunnerOutcome[]> {
  const { plan, amounts, outputs, isDelivered, gasLimit, callGas, block, overrides = {} } = call;
  const isNative = isEvmNative(plan.currency);
  // The data is the same for every amount.
  const { from, to, data, value } = encodeFill(plan, 0n);
  const answer = (await node.request("eth_call", [
    {
      from,
      to: from,
      data: encodeFunctionData({
        abi: fillRunnerAbi,
        functionName: "tryAmounts",
        args: [
          {
            router: to,
            currency: plan.currency,
            value,
            isDelivered,
            gasLimit,
            callData: data,
            recipient: plan.recipient,
            outputs,
          },
          amounts,
        ],
      }),
      ...(callGas === undefined ? {} : { gas: numberToHex(callGas) }),
    },
    block,
    { ...overrides, [from]: { balance: numberToHex(SOLVER_BALANCE), code: fillRunnerCode } },
  ])) as Hex;
  // The solver has no code there, so that nothing answers.
  if (answer === "0x") {
    throw new InvalidStateError({
      message: "the node takes no state overrides of eth_call",
      hint: "Use the RPC URL of another node, or replay on a fork.",
    });
  }
  const outcomes = decodeFunctionResult({ abi: fillRunnerAbi, functionName: "tryAmounts", data: answer });
  return outcomes.map((outcome, index) => {
    const sent = isNative ? (amounts[index] ?? 0n) : value;
    const overhead = CALL_OVERHEAD + (sent === 0n ? 0n : VALUE_OVERHEAD);
    return { ...outcome, gasUsed: outcome.gasUsed - overhead };
  });
}

import { type Address, type Hex, decodeFunctionResult, encodeFunctionData, numberToHex } from "viem";
import { isEvmNative } from "@crosscall/protocol/chains";
import { InvalidStateError } from "@crosscall/protocol/core";

import { fillRunnerAbi, fillRunnerCode } from "../../abi/fillRunner.generated.ts";
import { encodeFill, type FillPlan } from "../fillPlan.ts";
import type { StateNode } from "../fork/fork.ts";

/** State override of an account, as in `eth_call`. */
export interface AccountOverride {
  readonly balance?: Hex;
  readonly code?: Hex;
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}

interface RunnerCall {
  readonly plan: FillPlan;
  /** Delivered amounts in the smallest unit. */
  readonly amounts: readonly bigint[];
  /** Currencies to measure the recipient's balances in; the zero address for native currency. */
  readonly outputs: readonly Address[];
  /** Whether the router already holds the amount. If not, the solver must hold it and delivers it. */
  readonly isDelivered: boolean;
  /** Gas limit of each fill. */
  readonly gasLimit: bigint;
  /** Gas limit of the whole `eth_call`; the node's limit by default. */
  readonly callGas?: bigint | undefined;
  /** Number or tag. */
  readonly block: Hex | "latest";
  /** State overrides in addition to the solver's, which is always set. */
  readonly overrides?: Readonly<Record<Address, AccountOverride>>;
}

export interface RunnerOutcome {
  readonly success: boolean;
  /** Smallest unit. */
  readonly delivered: bigint;
  /** Gas of only the router's call, before refunds. */
  readonly gasUsed: bigint;
  readonly revertData: Hex;
  /** Received amount per output, in the smallest unit. */
  readonly received: readonly bigint[];
}

/** Native balance of the solver in wei, enough for any fill. */
export const SOLVER_BALANCE = 10n ** 30n;

/** Gas that the compiled code at the solver's address uses around the router's call. */
const CALL_OVERHEAD = 108n;

/** Additional gas of a call with value, minus the callee's stipend. */
const VALUE_OVERHEAD = 9_000n - 2_300n;

/**
 * Tries a fill with many amounts in one `eth_call`. A state override sets the code of `FillRunner.sol` at the solver's
 * address. The node's state does not change.
 *
 * @returns one outcome per amount, in order; fewer if the node's gas limit is too low for all
 * @throws {@link InvalidStateError} if the node does not support state overrides
 */
export async function callRunner(node: StateNode, call: RunnerCall): Promise<readonly RunnerOutcome[]> {
  const { plan, amounts, outputs, isDelivered, gasLimit, callGas, block, overrides = {} } = call;
  const isNative = isEvmNative(plan.currency);
  // The call data is the same for every amount.
  const { from, to, data, value } = encodeFill(plan, 0n);
  const result = (await node.request("eth_call", [
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
  // Without the override, the solver has no code and returns nothing.
  if (result === "0x") {
    throw new InvalidStateError({
      message: "the node does not support state overrides in eth_call",
      hint: "Use the RPC URL of another node, or replay on a fork.",
    });
  }
  const outcomes = decodeFunctionResult({ abi: fillRunnerAbi, functionName: "tryAmounts", data: result });
  return outcomes.map((outcome, index) => {
    const sent = isNative ? (amounts[index] ?? 0n) : value;
    const overhead = CALL_OVERHEAD + (sent === 0n ? 0n : VALUE_OVERHEAD);
    return { ...outcome, gasUsed: outcome.gasUsed - overhead };
  });
}

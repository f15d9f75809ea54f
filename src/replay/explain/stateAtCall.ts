import type { CallFrame } from "../callFrame.ts";
import { encodeFill } from "../encodeFill.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import { readStateChanges, type StateChanges } from "../state/stateChanges.ts";
import type { NumberedCalls } from "../trace/numberCalls.ts";

/**
 * What the calls of a multicall before one of them change: they are run alone. The native currency that they leave
 * stays on the router.
 *
 * @param place of the call among all of the multicall, from 0
 * @returns undefined where the solver does not call the router itself, so that its part cannot be run
 */
export async function stateAtCall(
  fork: Fork,
  plan: FillPlan,
  { frame, multicall }: NumberedCalls,
  root: CallFrame,
  place: number,
): Promise<StateChanges | undefined> {
  if (multicall === undefined || frame !== root) return undefined;
  const { routerVersion, nftRecipient, calls } = multicall;
  const part = { ...plan, routerVersion, nftRecipient, calls: calls.slice(0, place), refundTo: plan.router };
  return readStateChanges(fork, { ...encodeFill(part, 0n), from: root.from, value: root.value });
}

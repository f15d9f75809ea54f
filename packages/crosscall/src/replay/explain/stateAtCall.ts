import type { CallFrame } from "../callFrame.ts";
import { encodeFill } from "../encodeFill.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import { readStateChanges, type StateChanges } from "../state/stateChanges.ts";
import type { NumberedCalls } from "../trace/numberCalls.ts";

/**
 * The state changes of the multicall's earlier calls, which are run alone. Their leftover native currency stays on the
 * router.
 *
 * @param place index of the call in the multicall, from 0
 * @returns undefined if the solver does not call the router directly, so that the calls cannot be run
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

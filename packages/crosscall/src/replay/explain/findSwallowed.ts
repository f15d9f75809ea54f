import { type Abi, size } from "viem";

import type { CallFrame } from "../callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../finding.ts";
import { type AbiIndex, createAbiIndex } from "../trace/abiIndex.ts";
import { describeFailure } from "../trace/describeItem.ts";
import { numberCalls } from "../trace/numberCalls.ts";
import { saysNo } from "./tokenCondition.ts";

/** Functions that return a boolean. */
const ANSWERING: ReadonlySet<string> = new Set(["transfer", "transferFrom", "approve"]);

interface Search {
  readonly index: AbiIndex;
  readonly indexes: ReadonlyMap<CallFrame, number>;
}

/**
 * Calls that failed, or for which a token returned false, while the fill continued. Failed reads are left out:
 * contracts try them on purpose.
 */
export function findSwallowed(root: CallFrame, plan: FillPlan, abis?: readonly Abi[]): ReplayFinding[] {
  const { indexes } = numberCalls(root, plan);
  return findIn(root, undefined, { index: createAbiIndex(abis), indexes });
}

function findIn(frame: CallFrame, outer: number | undefined, search: Search): ReplayFinding[] {
  if (frame.error !== undefined) return [];
  return frame.calls.flatMap((call) => {
    const own = search.indexes.get(call);
    const txIndex = own ?? outer;
    const reason = call.kind === "STATICCALL" ? undefined : readFailure(call, search.index);
    const found: ReplayFinding[] =
      reason === undefined
        ? []
        : [
            {
              code: "SWALLOWED_FAILURE",
              severity: own === undefined ? "note" : "warning",
              txIndex,
              reason,
              hint:
                own === undefined
                  ? "Check that the contract which made the call means to go on without it."
                  : "Let the call fail the fill, so that the user is refunded, or see to what it leaves undone.",
            },
          ];
    return [...found, ...findIn(call, txIndex, search)];
  });
}

function readFailure(call: CallFrame, index: AbiIndex): string | undefined {
  const target = String(call.to);
  const failure = describeFailure(call, index);
  if (failure !== undefined) return `a call of ${target} failed, and the fill went on: ${failure}`;
  const name = size(call.input) < 4 ? undefined : index.readCall(call.input)?.item.name;
  return name !== undefined && ANSWERING.has(name) && saysNo(call)
    ? `${target} answered ${name} with a no, and the fill went on`
    : undefined;
}

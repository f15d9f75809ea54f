import { isSameAddress } from "@crosscall/protocol/chains";
import type { FillCall } from "../fillPlan.ts";

/** Each index counts in its own version, from 0. */
export type CallChange =
  | { readonly kind: "added"; readonly index: number; readonly call: FillCall }
  | { readonly kind: "removed"; readonly index: number; readonly call: FillCall }
  | {
      readonly kind: "changed";
      readonly beforeIndex: number;
      readonly before: FillCall;
      readonly afterIndex: number;
      readonly after: FillCall;
    };

/** `0x` and the selector. */
const SELECTOR_END = 10;

/**
 * The calls that differ between two versions of an order. Calls of the same function at the same place count as
 * changed; common calls are left out.
 */
export function alignCalls(before: readonly FillCall[], after: readonly FillCall[]): readonly CallChange[] {
  const lengths = commonLengths(before, after);
  const changes: CallChange[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [old, fresh] = [before[left], after[right]];
    if (old === undefined && fresh === undefined) return changes;
    if (old !== undefined && fresh !== undefined && isSameCall(old, fresh)) {
      left += 1;
      right += 1;
    } else if (old !== undefined && fresh !== undefined && isSameFunction(old, fresh) && isFree(lengths, left, right)) {
      changes.push({ kind: "changed", beforeIndex: left, before: old, afterIndex: right, after: fresh });
      left += 1;
      right += 1;
    } else if (
      old !== undefined &&
      (fresh === undefined || at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      changes.push({ kind: "removed", index: left, call: old });
      left += 1;
    } else if (fresh !== undefined) {
      changes.push({ kind: "added", index: right, call: fresh });
      right += 1;
    }
  }
}

/** Length of the longest common subsequence of the rests, by their starts. */
function commonLengths(before: readonly FillCall[], after: readonly FillCall[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    const row = lengths[left] ?? [];
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const [old, fresh] = [before[left], after[right]];
      const isSame = old !== undefined && fresh !== undefined && isSameCall(old, fresh);
      row[right] = isSame
        ? at(lengths, left + 1, right + 1) + 1
        : Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1));
    }
  }
  return lengths;
}

/** Whether neither call has an equal in the other rest. */
function isFree(lengths: readonly (readonly number[])[], left: number, right: number): boolean {
  return at(lengths, left + 1, right + 1) === at(lengths, left, right);
}

function at(lengths: readonly (readonly number[])[], left: number, right: number): number {
  return lengths[left]?.[right] ?? 0;
}

function isSameCall(left: FillCall, right: FillCall): boolean {
  return (
    isSameAddress(left.to, right.to) &&
    left.data.toLowerCase() === right.data.toLowerCase() &&
    left.value === right.value &&
    left.allowFailure === right.allowFailure
  );
}

function isSameFunction(left: FillCall, right: FillCall): boolean {
  const selectorOf = ({ data }: FillCall): string => data.slice(0, SELECTOR_END).toLowerCase();
  return isSameAddress(left.to, right.to) && selectorOf(left) === selectorOf(right);
}

import { expect } from "chai";
import fc from "fast-check";
import { type Address, type Hex, zeroAddress, zeroHash } from "viem";

import { type CallChange, alignCalls, diffPlans } from "../../../../../packages/crosscall/src/replay/diffReplays.ts";
import type { FillCall, FillPlan } from "../../../../../packages/crosscall/src/replay/fillPlan.ts";

const TOKEN: Address = "0xAbCdEf0000000000000000000000000000000001";
const VAULT: Address = "0xAbCdEf0000000000000000000000000000000002";

const call = (to: Address, data: Hex): FillCall => ({ to, data, value: 0n, allowFailure: false });
const approve = call(TOKEN, "0x095ea7b301");
const approveLess = call(TOKEN, "0x095ea7b302");
const deposit = call(VAULT, "0x6e553f6501");
const reset = call(TOKEN, "0x095ea7b300");

const plan: FillPlan = {
  chainId: 1,
  router: zeroAddress,
  routerVersion: "v3",
  solver: zeroAddress,
  currency: TOKEN,
  minimumAmount: 990n,
  expectedAmount: 1_000n,
  calls: [approve, deposit, reset],
  refundTo: zeroAddress,
  nftRecipient: zeroAddress,
  recipient: zeroAddress,
  orderId: zeroHash,
};

describe("the differences between two versions of a plan", () => {
  it("are empty if only the letter case of addresses and bytes differs", () => {
    const lower = { ...plan, currency: TOKEN.toLowerCase() as Address, calls: plan.calls.map((each) => ({ ...each })) };
    expect(diffPlans(plan, lower)).to.deep.equal({ terms: [], calls: [] });
  });

  it("include each changed term with both values", () => {
    expect(diffPlans(plan, { ...plan, minimumAmount: 980n, gas: 5n }).terms).to.deep.equal([
      { field: "minimumAmount", before: 990n, after: 980n },
      { field: "gas", before: undefined, after: 5n },
    ]);
  });

  it("include changed, removed and added calls", () => {
    expect(alignCalls([approve, deposit, reset], [approveLess, deposit])).to.deep.equal([
      { kind: "changed", beforeIndex: 0, before: approve, afterIndex: 0, after: approveLess },
      { kind: "removed", index: 2, call: reset },
    ]);
    expect(alignCalls([deposit], [approve, deposit])).to.deep.equal([{ kind: "added", index: 0, call: approve }]);
    expect(alignCalls([approve], [{ ...approve, value: 1n }])).to.have.lengthOf(1);
  });

  it("convert one version into the other", () => {
    const calls = fc.array(fc.constantFrom(approve, approveLess, deposit, reset), { maxLength: 8 });
    fc.assert(
      fc.property(calls, calls, (before, after) => {
        const changes = alignCalls(before, after);
        expect(apply(before, changes)).to.deep.equal(after);
        if (before.length === after.length && before.every((each, index) => each === after[index])) {
          expect(changes).to.deep.equal([]);
        }
      }),
    );
  });
});

/** Applies the changes to a list of calls. */
function apply(before: readonly FillCall[], changes: readonly CallChange[]): readonly FillCall[] {
  const removed = new Set(
    changes.flatMap((change) =>
      change.kind === "removed" ? [change.index] : change.kind === "changed" ? [change.beforeIndex] : [],
    ),
  );
  const result = before.filter((_, index) => !removed.has(index));
  const placed = changes.flatMap((change) =>
    change.kind === "added"
      ? [{ index: change.index, call: change.call }]
      : change.kind === "changed"
        ? [{ index: change.afterIndex, call: change.after }]
        : [],
  );
  for (const { index, call: each } of placed) result.splice(index, 0, each);
  return result;
}

import { expect } from "chai";
import { slice } from "viem";

import { type DecodedCall, decodeCalls } from "../../../../../packages/sdk/src/calls/index.ts";
import { findKnownFunction } from "../../../../../packages/sdk/src/calls/decode/knownFunctions.ts";
import { plan, USES, waysOf } from "./uses.ts";

/** Unknown calls: the calls themselves, calls inside them, and steps of programs. */
function unknownOf(calls: readonly DecodedCall[]): string[] {
  return calls.flatMap((call) => {
    if (call.kind === "empty") return [];
    if (call.kind !== "function") return [call.data];
    const steps = (call.program?.steps ?? []).flatMap(({ data }) =>
      findKnownFunction(slice(data, 0, 4)) === undefined ? [data] : [],
    );
    return [...unknownOf(call.calls), ...steps];
  });
}

describe("decodeCalls: plans of recipes", () => {
  for (const use of USES) {
    it(`decodes every function of ${use.name}`, () => {
      const ways = waysOf(use);
      expect(ways).to.not.have.lengthOf(0);
      expect(ways.map((txs) => unknownOf(decodeCalls(txs)))).to.deep.equal(ways.map(() => []));
    });
  }

  it("decodes liquidity calls for every number of coins in a pool", () => {
    const use = USES.find(({ name }) => name === "curve.addLiquidity, fixed")!;
    for (const hasReceiver of [true, false]) {
      for (const coins of [2, 3, 4, 5, 6, 7, 8]) {
        const args = { ...(use.args as object), coins, hasReceiver };
        expect(unknownOf(decodeCalls(plan({ ...use, args }).txs))).to.deep.equal([]);
      }
    }
  });
});

import { expect } from "chai";
import { slice } from "viem";

import { type DecodedCall, decodeCalls } from "../../../../../sdk/src/calls/index.ts";
import { findKnownFunction } from "../../../../../sdk/src/calls/decode/knownFunctions.ts";
import type { Call } from "../../../../../sdk/src/protocol/common/call.ts";
import { plan, planLive, PROGRAMS, PROXY, type Use, USER, USES } from "./uses.ts";

/** What of calls no known function explains: themselves, the calls inside of them, the steps of their programs. */
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

/** The calls of a use by every way that it has. */
function waysOf(use: Use): (readonly Call[])[] {
  const { recipe, args } = use;
  const { input } = recipe.use(args as never, { recipient: USER, minimumOut: 1n, deadline: 1n });
  const live = recipe.liveWays.flatMap((way) => {
    if (way === "proxy") return [{ proxy: PROXY }];
    if (way === "program") return [{ programs: PROGRAMS }];
    return input === (way === "nativeCall" ? "value" : "transfer") ? [{}] : [];
  });
  return [
    ...(recipe.tradeTypes.includes("EXACT_OUTPUT") ? [plan(use).txs] : []),
    ...(recipe.tradeTypes.includes("EXACT_INPUT") ? live.map((contracts) => planLive(use, contracts).txs) : []),
  ];
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

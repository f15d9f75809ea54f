import { expect } from "chai";
import type { Hex } from "viem";

import { decodeCalls, planCalls, type Program } from "../../../../../packages/sdk/src/calls/index.ts";
import { OTHER_TOKEN, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import { check, EXECUTOR, found, POOL, programOf, PULLER, run, STRANGER, sweep } from "../check/fixtures.ts";

const policy = { kind: "fallBack", recipient: STRANGER, stepsGas: 300_001, reserveGas: 90_001 } as const;
const step = { to: POOL, data: "0x12345678", value: "0" } as const;

describe("programs that fall back", () => {
  it("keep the given gas of their steps: only the executor adds the gas of nested calls", () => {
    for (const by of ["push", "pull"] as const) {
      const program: Program = {
        recipient: RECIPIENT,
        policy,
        tokens: [{ token: TOKEN }],
        steps: [{ target: POOL, data: step.data as Hex }],
      };
      const { txs } = planCalls({
        tradeType: "EXACT_INPUT",
        router: ROUTER,
        destinationCurrency: TOKEN,
        recipient: RECIPIENT,
        amount: 100n,
        programs: { executor: EXECUTOR, livePuller: PULLER, by },
        actions: [{ kind: "program", program }],
      });
      const planned = decodeCalls(txs).flatMap((call) => (call.kind === "function" ? (call.program ?? []) : []));
      expect(planned.map((each) => each.policy)).to.deep.equal([policy]);
    }
  });

  it("revert below their minimum input: a fallback does not excuse a missing input", () => {
    const tokens = [{ token: TOKEN }, { token: OTHER_TOKEN, minimumIn: 5n }];
    for (const change of [{ policy }, {}]) {
      const txs = [sweep(TOKEN, EXECUTOR), run(programOf(step, { tokens, ...change }))];
      expect(
        found(check(txs, { contracts: { router: ROUTER, pushExecutor: EXECUTOR, trusted: [POOL] } })),
      ).to.deep.equal([["PROGRAM_INPUT_MISSING", 1]]);
    }
  });
});

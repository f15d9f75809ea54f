import { expect } from "chai";

import { type RouterGeneration, ROUTERS } from "../../../../../sdk/src/protocol/generations/routers.ts";
import { PROXY, TOKEN } from "../accounts.ts";
import { check, CONTRACTS, execute, found, tokenViaCall } from "./fixtures.ts";

describe("checkCalls: what depends on the router's generation", () => {
  for (const { version, approvesAnyToken, pairs } of ROUTERS as readonly RouterGeneration[]) {
    const router = pairs.cancun?.router ?? CONTRACTS.router;
    const codesOf = (facts: Parameters<typeof check>[1]): readonly string[] =>
      found(
        check([{ ...tokenViaCall(TOKEN, PROXY, execute(PROXY).data), to: router }], {
          contracts: { ...CONTRACTS, router },
          ...facts,
        }),
      ).map(([code]) => code);

    it(`cleanupErc20sViaCall of ${version} takes tokens that return nothing: ${approvesAnyToken}`, () => {
      const codes = codesOf({ facts: { tokens: [{ address: TOKEN, approveReturnsNothing: true }] } });
      expect(codes.includes("VIA_CALL_NEEDS_ANSWER")).to.equal(!approvesAnyToken);
    });

    it(`cleanupErc20sViaCall of ${version} changes an allowance that must be zero first: ${approvesAnyToken}`, () => {
      const codes = codesOf({
        facts: {
          tokens: [{ address: TOKEN, refusesAllowanceChange: true }],
          allowances: [{ token: TOKEN, spender: PROXY, amount: 5n }],
        },
      });
      expect(codes.includes("ALLOWANCE_RESET_NEEDED")).to.equal(!approvesAnyToken);
    });
  }
});

import { expect } from "chai";

import { type RouterGeneration, ROUTERS } from "../../../../../sdk/src/protocol/generations/routers.ts";
import { PROXY, TOKEN } from "../accounts.ts";
import { call, check, CONTRACTS, execute, found, STRANGER, sweep, sweepNative, tokenViaCall } from "./fixtures.ts";

describe("checkCalls: what depends on the router's generation", () => {
  for (const { version, approvesAnyToken, keepsGuard, pairs } of ROUTERS as readonly RouterGeneration[]) {
    const router = pairs.cancun?.router ?? CONTRACTS.router;
    const codesOf = (facts: Parameters<typeof check>[1]): readonly string[] =>
      found(
        check([{ ...tokenViaCall(TOKEN, PROXY, execute(PROXY).data), to: router }], {
          contracts: { ...CONTRACTS, router },
          ...facts,
        }),
      ).map(([code]) => code);

    it(`a later call of an unknown contract can reenter the router of ${version}: ${!keepsGuard}`, () => {
      const txs = [{ ...sweepNative(), to: router }, call(STRANGER, "ping()"), { ...sweep(TOKEN), to: router }];
      const codes = found(check(txs, { contracts: { ...CONTRACTS, router } })).map(([code]) => code);
      expect(codes.includes("UNTRUSTED_AFTER_SELF_CALL")).to.equal(!keepsGuard);
    });

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

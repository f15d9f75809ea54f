import { expect } from "chai";

import { type RouterGeneration, ROUTERS } from "../../../../../packages/protocol/src/generations/routers.ts";
import { planCalls } from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { refusal } from "../../../../support/refusal.ts";
import { PROXY, RECIPIENT, TOKEN } from "../accounts.ts";
import { check, CONTRACTS, execute, found, STRANGER, sweep, sweepNative, tokenViaCall } from "./fixtures.ts";

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

    it(`a self-call of ${version} keeps the guard: ${keepsGuard}`, () => {
      const txs = [
        { ...sweepNative(), to: router },
        { to: STRANGER, data: "0x12345678", value: "0" },
        { ...sweep(TOKEN), to: router },
      ] as const;
      const codes = found(check(txs, { contracts: { ...CONTRACTS, router } })).map(([code]) => code);
      expect(codes.includes("UNTRUSTED_AFTER_SELF_CALL")).to.equal(!keepsGuard);
      const plan = (): Call[] =>
        planCalls({
          tradeType: "EXACT_INPUT",
          amount: 9n,
          router,
          destinationCurrency: TOKEN,
          recipient: RECIPIENT,
          actions: [
            { kind: "proxy", functionName: "executeNative", proxy: PROXY, recipient: RECIPIENT, deadline: 1n },
            { kind: "call", call: { to: STRANGER, data: "0x12345678", value: "0" } },
          ],
        }).txs;
      if (keepsGuard) expect(plan().length).to.equal(5);
      else expect(refusal(plan)).to.include({ code: "INVALID_INPUT", field: "actions[1]" });
    });
  }
});

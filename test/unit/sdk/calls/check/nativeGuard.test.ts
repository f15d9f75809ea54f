import { expect } from "chai";
import { type Address, concat, encodeFunctionData, parseAbi } from "viem";

import { live, type PlannedAction, planCalls, requireNative } from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_PROXY, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import { ROUTER as RECIPES_ROUTER, USES, waysOf } from "../recipes/uses.ts";
import {
  call,
  check,
  execute,
  EXECUTOR,
  found,
  NATIVE,
  nativeViaCall,
  POOL,
  program,
  programOf,
  PULLER,
  run,
  STRANGER,
  sweepNative,
} from "./fixtures.ts";

const guard = requireNative({ router: ROUTER });
const idle: Call = { to: POOL, data: "0x12345678", value: "0" };
const pull = encodeFunctionData({ abi: parseAbi(["function pullAndExecute(address token)"]), args: [TOKEN] });
const bothProgram = programOf(idle, { tokens: [{ token: TOKEN }, { token: "native" }] });

/** Calls that use native currency. All are skipped if there is none, regardless of their minimums. */
const NATIVE_CALLS: Record<string, Call> = {
  "a proxy's executeNative": nativeViaCall(PROXY, execute(PROXY, {}, "executeNative").data),
  "a proxy's repayNative": nativeViaCall(PROXY, execute(PROXY, {}, "repayNative").data),
  "the executor's execute": nativeViaCall(EXECUTOR, run(program("native", 90n)).data),
  "the executor's pullAndExecute": nativeViaCall(EXECUTOR, concat([pull, bothProgram])),
  "an unknown proxy's executeNative": nativeViaCall(OTHER_PROXY, execute(OTHER_PROXY, {}, "executeNative").data),
  "a known protocol": nativeViaCall(POOL, call(POOL, "deposit()").data),
  "an unknown contract": nativeViaCall(STRANGER, "0x12345678"),
};

const asSelfCall = (...calls: Call[]): Call =>
  call(ROUTER, "multicall((address, bool, uint256, bytes)[] calls, address refundTo, address nft, bytes metadata)", [
    calls.map(({ to, data }) => [to, false, 0n, data]),
    RECIPIENT,
    RECIPIENT,
    "0x",
  ]);
const skipped = (...txs: Call[]) =>
  found(check(txs, { tradeType: "EXACT_INPUT", destinationCurrency: NATIVE })).filter(
    ([code]) => code === "NATIVE_CALL_SKIPPED",
  );

describe("checkCalls: a fill without native currency skips", () => {
  for (const [name, skippable] of Object.entries(NATIVE_CALLS)) {
    it(`${name}, unless the guard call precedes it`, () => {
      expect(skipped(skippable)).to.deep.equal([["NATIVE_CALL_SKIPPED", 0]]);
      expect(skipped(skippable, guard)).to.deep.equal([["NATIVE_CALL_SKIPPED", 0]]);
      expect(skipped(sweepNative(), skippable)).to.deep.equal([["NATIVE_CALL_SKIPPED", 1]]);
      expect(skipped(guard, sweepNative(), skippable)).to.deep.equal([["NATIVE_CALL_SKIPPED", 2]]);
      expect(skipped(guard, skippable)).to.deep.equal([]);
    });

    it(`${name} inside a call from the router to itself`, () => {
      expect(skipped(asSelfCall(skippable))).to.deep.equal([["NATIVE_CALL_SKIPPED", 0]]);
      expect(skipped(asSelfCall(guard, skippable))).to.deep.equal([]);
    });
  }

  it("a call after a guard with an amount of zero, or to another account", () => {
    const [skippable] = Object.values(NATIVE_CALLS) as [Call];
    for (const weak of [nativeViaCall(ROUTER, "0x", 0n), nativeViaCall(STRANGER, "0x", 1n)]) {
      expect(skipped(weak, skippable)).to.deep.equal([["NATIVE_CALL_SKIPPED", 1]]);
    }
  });

  it("no call with a fixed amount, which fails instead", () => {
    expect(skipped(nativeViaCall(POOL, "0x12345678", 5n))).to.deep.equal([]);
  });
});

/** Returns whether every call with the entire native balance follows the guard call. */
function guarded(txs: readonly Call[], router: Address): boolean[] {
  const required = requireNative({ router });
  // Call data with the selector and an amount of zero.
  const all = nativeViaCall(NATIVE, "0x").data.slice(0, 10 + 64);
  return txs.flatMap((tx, index) =>
    tx.data.startsWith(all) && tx.to.toLowerCase() === router.toLowerCase()
      ? [txs[index - 1]?.data === required.data]
      : [],
  );
}

describe("planCalls and planRecipe: a fill without native currency fails", () => {
  const proxy = { kind: "proxy", proxy: PROXY, deadline: 1n } as const;
  const abi = parseAbi(["function submit(address referral) payable"]);
  const value = live("native");
  const ACTIONS: Record<string, PlannedAction> = {
    "a proxy's executeNative": { ...proxy, functionName: "executeNative", recipient: RECIPIENT, minimumOut: 9n },
    "a proxy's repayNative": { ...proxy, functionName: "repayNative", borrower: RECIPIENT, minimumRepaid: 9n },
    "a program of native": {
      kind: "program",
      program: { recipient: RECIPIENT, tokens: [{ token: "native" }], steps: [] },
    },
    "a program of a token and native": {
      kind: "program",
      program: { recipient: RECIPIENT, tokens: [{ token: TOKEN }, { token: "native" }], steps: [] },
    },
    "a live value": {
      kind: "contract",
      address: POOL,
      abi,
      functionName: "submit",
      args: [RECIPIENT],
      value,
    },
  };
  for (const [name, action] of Object.entries(ACTIONS)) {
    it(name, () => {
      const { txs } = planCalls({
        tradeType: "EXACT_INPUT",
        router: ROUTER,
        destinationCurrency: NATIVE,
        recipient: RECIPIENT,
        amount: 100n,
        programs: { executor: EXECUTOR, livePuller: PULLER },
        actions: [action],
        // The executor's remaining stETH is irrelevant to this test.
        accepts: ["STEP_CREDITS_PUBLIC_ACCOUNT"],
      });
      expect(guarded(txs, ROUTER)).to.deep.equal([true]);
    });
  }

  it("for every recipe, by every supported method", () => {
    const results = USES.flatMap(waysOf).flatMap((txs) => guarded(txs, RECIPES_ROUTER));
    expect(results).to.have.length.above(9);
    expect(results).to.not.include(false);
  });
});

import { expect } from "chai";
import { type Hex, maxUint256 } from "viem";

import * as calls from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  call,
  check,
  CONTRACTS,
  execute,
  EXECUTOR,
  found,
  nativeViaCall,
  POOL,
  programOf,
  PULLER,
  run,
  sweep,
  VAULT,
  WRAPPED,
} from "./fixtures.ts";

const path = [TOKEN, OTHER_TOKEN];
const packedPath = `${TOKEN}0001f4${OTHER_TOKEN.slice(2)}`;
const single1 = "(address,address,uint24,address,uint256,uint256,uint256,uint160) params";
const single2 = "(address,address,uint24,address,uint256,uint256,uint160) params";

/** Returns calls with a given minimum output. */
const CALLS: Record<string, (minimum: bigint) => Call> = {
  "a proxy": (minimumOut) => execute(PROXY, { minimumOut }),
  "a native proxy": (minimumOut) => nativeViaCall(PROXY, execute(PROXY, { minimumOut }, "executeNative").data),
  "a proxy that repays": (minimumOut) => execute(PROXY, { minimumOut }, "repay"),
  "a native proxy that repays": (minimumOut) =>
    nativeViaCall(PROXY, execute(PROXY, { minimumOut }, "repayNative").data),
  ...Object.fromEntries(
    [
      "swapExactTokensForTokens",
      "swapExactTokensForTokensSupportingFeeOnTransferTokens",
      "swapExactTokensForETH",
      "swapExactTokensForETHSupportingFeeOnTransferTokens",
    ].map((name) => [
      `Uniswap v2's ${name}`,
      (minimum: bigint) =>
        call(POOL, `${name}(uint256, uint256, address[], address, uint256)`, [100n, minimum, path, RECIPIENT, 1n]),
    ]),
  ),
  "Uniswap v2's native swap": (minimum) =>
    call(POOL, "swapExactETHForTokens(uint256, address[], address, uint256)", [minimum, path, RECIPIENT, 1n]),
  "Uniswap v3's first router": (minimum) =>
    call(POOL, `exactInputSingle(${single1})`, [[TOKEN, OTHER_TOKEN, 500, RECIPIENT, 1n, 100n, minimum, 0n]]),
  "Uniswap v3's second router": (minimum) =>
    call(POOL, `exactInputSingle(${single2})`, [[TOKEN, OTHER_TOKEN, 500, RECIPIENT, 100n, minimum, 0n]]),
  "Uniswap v3's first router over a path": (minimum) =>
    call(POOL, "exactInput((bytes, address, uint256, uint256, uint256) params)", [
      [packedPath, RECIPIENT, 1n, 100n, minimum],
    ]),
  "Uniswap v3's second router over a path": (minimum) =>
    call(POOL, "exactInput((bytes, address, uint256, uint256) params)", [[packedPath, RECIPIENT, 100n, minimum]]),
  "Curve's exchange": (minimum) =>
    call(POOL, "exchange(int128, int128, uint256, uint256, address)", [0n, 1n, 100n, minimum, RECIPIENT]),
  "Curve's exchange without a receiver": (minimum) =>
    call(POOL, "exchange(uint256, uint256, uint256, uint256)", [0n, 1n, 100n, minimum]),
  "Curve's liquidity": (minimum) =>
    call(POOL, "add_liquidity(uint256[2], uint256, address)", [[100n, 0n], minimum, RECIPIENT]),
};

const warnings = (parameters: Parameters<typeof calls.checkCalls>[0]) =>
  found(parameters).filter(([code]) => code === "MINIMUM_OUT_MISSING");
const ofTxs = (...txs: Call[]) => warnings(check(txs));
const asProgram = (step: Call, change: Partial<calls.Program> = {}) =>
  ofTxs(sweep(TOKEN, EXECUTOR), run(programOf(step, change)));
const checks = (...minimums: bigint[]) => ({ checks: minimums.map((minimumOut) => ({ token: VAULT, minimumOut })) });
const idle: Call = { to: POOL, data: "0x12345678", value: "0" };

describe("checkCalls: attacks on the price of a call", () => {
  for (const [name, make] of Object.entries(CALLS)) {
    it(`${name} that accepts 0 or 1 can lose all but one unit to price manipulation`, () => {
      for (const minimum of [0n, 1n]) {
        expect(ofTxs(idle, make(minimum))).to.deep.equal([["MINIMUM_OUT_MISSING", 1]]);
        const step = { ...make(minimum) };
        if (step.to !== ROUTER) expect(asProgram(step)).to.deep.equal([["MINIMUM_OUT_MISSING", 1]]);
      }
      expect(ofTxs(idle, make(2n))).to.deep.equal([]);
    });
  }

  it("a program's minimum of 0 or 1 has no effect", () => {
    for (const minimum of [0n, 1n]) {
      expect(asProgram(idle, checks(minimum))).to.deep.equal([["MINIMUM_OUT_MISSING", 1]]);
      expect(asProgram(idle, checks(90n, minimum, minimum))).to.have.length(2);
    }
    expect(asProgram(idle, checks(2n))).to.deep.equal([]);
    expect(asProgram(idle)).to.deep.equal([]);
  });

  it("a program's own minimum covers its steps' output", () => {
    const swap = CALLS["Uniswap v2's swapExactTokensForTokens"]!;
    expect(asProgram(swap(0n), checks(90n))).to.deep.equal([]);
    expect(asProgram(swap(90n))).to.deep.equal([]);
  });

  it("a Uniswap multicall has a minimum if the call that forwards the output has a minimum", () => {
    const swapAnd = (amountMinimum: bigint): Call =>
      call(POOL, "multicall(bytes[])", [
        [
          CALLS["Uniswap v3's second router"]!(0n).data,
          call(POOL, "unwrapWETH9(uint256, address)", [amountMinimum, RECIPIENT]).data,
        ],
      ]);
    expect(ofTxs(swapAnd(1n))).to.deep.equal([["MINIMUM_OUT_MISSING", 0]]);
    expect(ofTxs(swapAnd(2n))).to.deep.equal([]);
  });

  it("swaps inside another contract's calls are found", () => {
    const swap = CALLS["Curve's exchange"]!(0n);
    const inner = [[swap.to, false, swap.data as Hex]];
    expect(ofTxs(call(POOL, "aggregate3((address, bool, bytes)[])", [inner]))).to.deep.equal([
      ["MINIMUM_OUT_MISSING", 0],
    ]);
  });

  it("a finding contains the call, its minimum and a hint", () => {
    const [finding] = calls
      .checkCalls(check([CALLS["Curve's exchange"]!(1n)]))
      .filter(({ code }) => code === "MINIMUM_OUT_MISSING");
    expect(finding).to.deep.equal({
      code: "MINIMUM_OUT_MISSING",
      severity: "warning",
      index: 0,
      reason: `exchange(int128,int128,uint256,uint256,address) of ${POOL} accepts 1 as min_dy`,
      hint: calls.CALL_RULES.MINIMUM_OUT_MISSING.hint,
    });
  });
});

describe("the builders' default minimum of 1 is reported", () => {
  const { proxies: _, ...contracts } = CONTRACTS;
  const programs = { executor: EXECUTOR, livePuller: PULLER };
  const terms = { router: ROUTER, recipient: RECIPIENT, tradeType: "EXACT_INPUT", amount: 100n } as const;
  const proxied = { recipient: RECIPIENT, proxy: PROXY, deadline: maxUint256 } as const;
  const repaying = { borrower: RECIPIENT, proxy: PROXY, deadline: maxUint256 } as const;
  const args = { vault: VAULT, asset: TOKEN };
  const repaid = { pool: POOL, asset: TOKEN };
  const minimum = { minimumOut: 90n };

  const PLANNED: Record<string, (isBounded: boolean) => { readonly txs: readonly Call[] }> = {
    "callProxy with execute": (isBounded) => ({
      txs: [calls.callProxy({ ...proxied, ...(isBounded ? minimum : {}) })],
    }),
    "callProxy with executeNative": (isBounded) => ({
      txs: [
        calls.callProxy({ ...proxied, functionName: "executeNative", router: ROUTER, ...(isBounded ? minimum : {}) }),
      ],
    }),
    "callProxy with repay": (isBounded) => ({
      txs: [calls.callProxy({ ...repaying, functionName: "repay", ...(isBounded ? { minimumRepaid: 90n } : {}) })],
    }),
    "callProxy with repayNative": (isBounded) => ({
      txs: [
        calls.callProxy({
          ...repaying,
          functionName: "repayNative",
          router: ROUTER,
          ...(isBounded ? { minimumRepaid: 90n } : {}),
        }),
      ],
    }),
    "planCalls with a proxy": (isBounded) =>
      calls.planCalls({
        ...terms,
        destinationCurrency: TOKEN,
        actions: [{ kind: "proxy", token: TOKEN, ...proxied, ...(isBounded ? minimum : {}) }],
      }),
    "planCalls with a program's check": (isBounded) =>
      calls.planCalls({
        ...terms,
        destinationCurrency: TOKEN,
        programs,
        actions: [
          {
            kind: "program",
            program: {
              recipient: RECIPIENT,
              tokens: [{ token: TOKEN }],
              checks: [{ token: VAULT, minimumOut: isBounded ? 90n : 1n }],
              steps: [{ target: POOL, data: "0x12345678", approvals: [calls.live(TOKEN, { approve: "target" })] }],
            },
          },
        ],
      }),
    "planRecipe of a vault deposit by proxy": (isBounded) =>
      calls.planRecipe({ ...terms, recipe: calls.erc4626Deposit, args, proxy: PROXY, ...(isBounded ? minimum : {}) }),
    "planRecipe of a vault deposit by program": (isBounded) =>
      calls.planRecipe({ ...terms, recipe: calls.erc4626Deposit, args, programs, ...(isBounded ? minimum : {}) }),
    "planRecipe of a repayment by proxy": (isBounded) =>
      calls.planRecipe({
        ...terms,
        recipe: calls.aaveV3Repay,
        args: repaid,
        proxy: PROXY,
        ...(isBounded ? minimum : {}),
      }),
    "planRecipe of wrapping by proxy": (isBounded) =>
      calls.planRecipe({
        ...terms,
        recipe: calls.wrapNative,
        args: { wrappedNative: WRAPPED },
        proxy: PROXY,
        ...(isBounded ? minimum : {}),
      }),
  };
  for (const [name, planned] of Object.entries(PLANNED)) {
    it(name, () => {
      const found = (isBounded: boolean) => warnings(check(planned(isBounded).txs, { contracts })).length;
      expect([found(false), found(true)]).to.deep.equal([1, 0]);
    });
  }
});

import { expect } from "chai";
import { type Address, encodeAbiParameters, maxUint256, parseAbiParameters } from "viem";

import { type CheckCallsParameters, encodeProgram } from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_PROXY, OTHER_TOKEN, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  approve,
  call,
  check,
  CONTRACTS,
  EXECUTOR,
  found,
  NATIVE,
  POOL,
  run,
  STRANGER,
  supply,
  sweep,
  sweepNative,
  WRAPPED,
} from "./fixtures.ts";

const BALANCE_CHECK = parseAbiParameters("address account, address token, uint256 minBalance");
const native = { destinationCurrency: NATIVE } as const;
const ping: Call = { to: STRANGER, data: "0x12345678", value: "0" };
const wrap = call(WRAPPED, "deposit()", [], "100");
const unwrap = call(WRAPPED, "withdraw(uint256)", [100n]);
const spendOther = [approve(OTHER_TOKEN, POOL, 5n), supply(OTHER_TOKEN, 5n)];
const spend = [approve(TOKEN, POOL, 100n), supply(TOKEN, 100n)];
const contracts = {
  ...CONTRACTS,
  proxies: [{ address: OTHER_PROXY, inputToken: OTHER_TOKEN }],
  trusted: [POOL, STRANGER, OTHER_TOKEN],
};
const execute = (proxy: typeof OTHER_PROXY): Call =>
  call(proxy, "execute(address, uint256, uint256, uint256)", [RECIPIENT, 1n, 90n, maxUint256]);
const buyOther = call(POOL, "swapExactETHForTokens(uint256, address[], address, uint256)", [
  90n,
  [WRAPPED, OTHER_TOKEN],
  ROUTER,
  maxUint256,
]);
const nativeProgram = encodeProgram(
  { recipient: RECIPIENT, tokens: [{ token: "native" }], steps: [{ target: POOL, data: "0x12345678" }] },
  { executor: EXECUTOR, livePuller: STRANGER, router: ROUTER },
);
/** Placeholder of Uniswap's second router for itself. */
const SELF = "0x0000000000000000000000000000000000000002";
const swapAnd = (then: Call): Call =>
  call(POOL, "multicall(bytes[])", [
    [
      call(POOL, "exactInputSingle((address, address, uint24, address, uint256, uint256, uint160) params)", [
        [TOKEN, WRAPPED, 500, SELF, 100n, 90n, 0n],
      ]).data,
      then.data,
    ],
  ]);
const swapOf = (token: Address, amount: bigint): Call =>
  call(POOL, "exactInputSingle((address, address, uint24, address, uint256, uint256, uint160) params)", [
    [token, STRANGER, 500, RECIPIENT, amount, 90n, 0n],
  ]);
const refund = call(POOL, "refundETH()");
/** Returns a swap that can take less than the maximum. */
const buyFor = (maximum: bigint): Call =>
  call(POOL, "exactOutputSingle((address, address, uint24, address, uint256, uint256, uint160) params)", [
    [WRAPPED, OTHER_TOKEN, 500, RECIPIENT, 1n, maximum, 0n],
  ]);
/** Returns a repayment to Aave, which takes at most the debt. */
const repay = (amount: bigint): Call =>
  call(POOL, "repay(address, uint256, uint256, address)", [TOKEN, amount, 2n, RECIPIENT]);
/** Checks a pool's calls to itself, which receive the native value. */
const multicallOf = (...inner: readonly Call[]): CheckCallsParameters =>
  check([call(POOL, "multicall(bytes[])", [inner.map(({ data }) => data)], "100")], native);

const CASES: Record<string, [CheckCallsParameters, [code: string, index: number | undefined][]]> = {
  "a token swept, then used": [
    check([...spend, sweep(OTHER_TOKEN), ...spendOther], { contracts }),
    [["CLEANUP_BEFORE_USE", 2]],
  ],
  "a token swept, possibly received again, then used": [
    check([...spend, sweep(OTHER_TOKEN), ping, ...spendOther], { contracts }),
    [],
  ],
  "a token swept, bought again, then used twice": [
    check(
      [
        ...spend,
        sweep(OTHER_TOKEN),
        buyOther,
        approve(OTHER_TOKEN, OTHER_PROXY, maxUint256),
        execute(OTHER_PROXY),
        approve(OTHER_TOKEN, OTHER_PROXY, 0n),
        ...spendOther,
      ],
      { contracts },
    ),
    [],
  ],
  "a token swept twice": [check([...spend, sweep(TOKEN), sweep(TOKEN, STRANGER)]), []],
  "native swept, then sent": [check([sweepNative(), { ...ping, value: "100" }], native), [["CLEANUP_BEFORE_USE", 0]]],
  "a proxy of an unknown kind": [
    check([approve(TOKEN, OTHER_PROXY, maxUint256), execute(OTHER_PROXY), approve(TOKEN, OTHER_PROXY, 0n)]),
    [
      ["LEFTOVER_TOKEN", undefined],
      ["UNLIMITED_APPROVAL", 0],
    ],
  ],
  "an approval that Multicall3 makes for itself": [
    check([
      call(STRANGER, "aggregate3((address, bool, bytes)[])", [[[TOKEN, false, approve(TOKEN, POOL, 100n).data]]]),
      supply(TOKEN, 100n),
    ]),
    [["APPROVAL_MISSING", 1]],
  ],
  "an approval that is used up, and made again too late": [
    check([
      approve(TOKEN, POOL, 60n),
      supply(TOKEN, 60n),
      supply(TOKEN, 40n),
      approve(TOKEN, POOL, 40n),
      approve(TOKEN, POOL, 0n),
    ]),
    [["APPROVAL_AFTER_USE", 3]],
  ],
  "an approval to another spender after the use": [
    check([supply(TOKEN, 100n), approve(TOKEN, STRANGER, 100n)]),
    [
      ["APPROVAL_MISSING", 0],
      ["ALLOWANCE_LEFT", 1],
    ],
  ],
  "a token that is its own spender": [check([wrap, unwrap, sweepNative()], native), []],
  "native that is returned": [check([wrap, unwrap], native), [["LEFTOVER_NATIVE", undefined]]],
  "native sent to the executor, then a program": [
    check([{ to: EXECUTOR, data: "0x", value: "100" }, run(nativeProgram)], native),
    [],
  ],
  "Uniswap's periphery, which unwraps to the router": [
    check([approve(TOKEN, POOL, 100n), swapAnd(call(POOL, "unwrapWETH9(uint256, address)", [1n, ROUTER]))]),
    [["LEFTOVER_NATIVE", undefined]],
  ],
  "Uniswap's newer periphery, which unwraps to its caller": [
    check([approve(TOKEN, POOL, 100n), swapAnd(call(POOL, "unwrapWETH9(uint256)", [1n]))]),
    [["LEFTOVER_NATIVE", undefined]],
  ],
  "Uniswap's newer periphery, whose caller's native is swept": [
    check([approve(TOKEN, POOL, 100n), swapAnd(call(POOL, "unwrapWETH9(uint256)", [1n])), sweepNative()]),
    [],
  ],
  "Uniswap's periphery, which sweeps a token to the router": [
    check([
      approve(TOKEN, POOL, 100n),
      swapAnd(call(POOL, "sweepToken(address, uint256, address)", [WRAPPED, 1n, ROUTER])),
    ]),
    [["CREDITS_ROUTER", 1]],
  ],
  "Uniswap's newer periphery, which sweeps a token to its caller": [
    check([approve(TOKEN, POOL, 100n), swapAnd(call(POOL, "sweepToken(address, uint256)", [WRAPPED, 1n]))]),
    [["CREDITS_ROUTER", 1]],
  ],
  "Uniswap's periphery, which returns native currency": [
    check([approve(TOKEN, POOL, 100n), swapAnd(call(POOL, "refundETH()"))]),
    [
      ["LEFTOVER_NATIVE", undefined],
      ["LEFT_IN_SWAP_ROUTER", 1],
    ],
  ],
  "Uniswap's periphery, which unwraps to the zero address": [
    check([approve(TOKEN, POOL, 100n), swapAnd(call(POOL, "unwrapWETH9(uint256, address)", [1n, NATIVE]))]),
    [["RECIPIENT_IS_ZERO", 1]],
  ],
  "a function that accepts no native, and a token without approval": [
    check([{ ...supply(OTHER_TOKEN, 5n), value: "100" }], native),
    [["APPROVAL_MISSING", 0]],
  ],
  "native in addition to the delivered token, which a swap takes": [
    check([{ ...swapOf(TOKEN, 100n), value: "100" }], { tradeType: "EXACT_INPUT", facts: { minimumDelivered: 100n } }),
    [
      ["LEFTOVER_TOKEN", undefined],
      ["APPROVAL_MISSING", 0],
    ],
  ],
  "native in addition to an approved token": [
    check([approve(OTHER_TOKEN, STRANGER, 5n), ping, { ...swapOf(OTHER_TOKEN, 5n), value: "100" }], native),
    [["APPROVAL_MISSING", 2]],
  ],
  "native currency for the wrapped native token": [check([{ ...swapOf(WRAPPED, 100n), value: "100" }], native), []],
  "native for the wrapped native, which is approved for another use": [
    check(
      [
        call(WRAPPED, "deposit()", [], "40"),
        approve(WRAPPED, POOL, 40n),
        supply(WRAPPED, 40n),
        { ...swapOf(WRAPPED, 60n), value: "60" },
      ],
      native,
    ),
    [],
  ],
  "native for the swap in a multicall": [
    check([call(POOL, "multicall(uint256, bytes[])", [maxUint256, [swapOf(WRAPPED, 100n).data]], "100")], native),
    [],
  ],
  "more native than the swaps in a multicall keep": [
    check([call(POOL, "multicall(bytes[])", [[swapOf(WRAPPED, 99n).data]], "100")], native),
    [["NATIVE_NOT_REFUNDED", 0]],
  ],
  "native for one of two swaps in a multicall": [
    multicallOf(swapOf(WRAPPED, 60n), swapOf(WRAPPED, 60n)),
    [
      ["APPROVAL_MISSING", 0],
      ["NATIVE_NOT_REFUNDED", 0],
    ],
  ],
  "native for both swaps in a multicall": [multicallOf(swapOf(WRAPPED, 60n), swapOf(WRAPPED, 40n)), []],
  "native for one of two swaps in a multicall of a multicall": [
    multicallOf(call(POOL, "multicall(bytes[])", [[swapOf(WRAPPED, 60n).data]]), swapOf(WRAPPED, 60n)),
    [
      ["APPROVAL_MISSING", 0],
      ["NATIVE_NOT_REFUNDED", 0],
    ],
  ],
  "native for two swaps that can keep it all": [
    multicallOf(buyFor(60n), buyFor(60n), refund),
    [["LEFTOVER_NATIVE", undefined]],
  ],
  "native returned before the swap that needs it": [
    multicallOf(swapOf(WRAPPED, 60n), refund, swapOf(WRAPPED, 40n)),
    [
      ["LEFTOVER_NATIVE", undefined],
      ["APPROVAL_MISSING", 0],
    ],
  ],
  "native returned before a swap that can leave some": [
    check([refund, call(POOL, "multicall(bytes[])", [[buyFor(100n).data]], "100"), sweepNative()], native),
    [["NATIVE_NOT_REFUNDED", 1]],
  ],
  "a delivered token used twice": [
    check([approve(TOKEN, POOL, 120n), supply(TOKEN, 60n), supply(TOKEN, 60n, STRANGER)]),
    [["MORE_THAN_DELIVERED", 2]],
  ],
  "a delivered token sent, then swept by amount": [
    check([call(TOKEN, "transfer(address, uint256)", [RECIPIENT, 60n]), sweep(TOKEN, RECIPIENT, 60n)]),
    [["MORE_THAN_DELIVERED", 1]],
  ],
  "a delivered token of which a swap can leave some": [
    check([
      approve(TOKEN, POOL, 200n),
      call(POOL, "swapTokensForExactTokens(uint256, uint256, address[], address, uint256)", [
        1n,
        200n,
        [TOKEN, OTHER_TOKEN],
        RECIPIENT,
        maxUint256,
      ]),
    ]),
    [
      ["LEFTOVER_TOKEN", undefined],
      ["ALLOWANCE_LEFT", 0],
    ],
  ],
  "an allowance of which a repayment can leave some": [
    check([approve(TOKEN, POOL, 100n), repay(100n), sweep(TOKEN)]),
    [["ALLOWANCE_LEFT", 0]],
  ],
  "an allowance of which two repayments take at most all": [
    check([approve(TOKEN, POOL, 100n), repay(60n), repay(40n), sweep(TOKEN)]),
    [["ALLOWANCE_LEFT", 0]],
  ],
  "an allowance that ends after a repayment": [
    check([approve(TOKEN, POOL, 100n), repay(100n), approve(TOKEN, POOL, 0n), sweep(TOKEN)]),
    [],
  ],
  "two repayments with an allowance for one": [
    check([approve(TOKEN, POOL, 60n), repay(60n), repay(40n), approve(TOKEN, POOL, 0n), sweep(TOKEN)]),
    [["APPROVAL_MISSING", 2]],
  ],
  "more of a token than is delivered, after an unknown call": [
    check([...spend, ping, approve(TOKEN, POOL, 5n), supply(TOKEN, 5n)]),
    [],
  ],
  ...Object.fromEntries(
    (
      [
        ["unreadable commands", "0x3f", []],
        ["a command that calls another contract", "0x12", []],
        ["commands that return nothing", "0x0e", [["MORE_THAN_DELIVERED", 4]]],
      ] as const
    ).map(([name, commands, findings]): [string, [CheckCallsParameters, [string, number][]]] => [
      `more of a token than is delivered, after ${name}`,
      [
        check([
          ...spend,
          call(STRANGER, "execute(bytes, bytes[])", [
            commands,
            [encodeAbiParameters(BALANCE_CHECK, [RECIPIENT, TOKEN, 1n])],
          ]),
          approve(TOKEN, POOL, 5n),
          supply(TOKEN, 5n),
        ]),
        findings.map(([code, index]) => [code, index]),
      ],
    ]),
  ),
  "more of a token than is delivered, after a loan": [
    check([
      ...spend,
      call(POOL, "borrow(address, uint256, uint256, uint16, address)", [TOKEN, 5n, 2n, 0, RECIPIENT]),
      approve(TOKEN, POOL, 5n),
      supply(TOKEN, 5n),
    ]),
    [["FOREIGN_ALLOWANCE", 2]],
  ],
  "a sweep of more native than is left": [
    check(
      [
        { to: STRANGER, data: "0x", value: "100" },
        call(ROUTER, "cleanupNative(uint256, address, bytes)", [1n, RECIPIENT, "0x"]),
      ],
      native,
    ),
    [["MORE_THAN_DELIVERED", 1]],
  ],
  "values above the amount": [
    check(
      [
        { to: STRANGER, data: "0x", value: "60" },
        { to: POOL, data: "0x", value: "50" },
      ],
      native,
    ),
    [["AMOUNT_NOT_SUM_OF_VALUES", undefined]],
  ],
  "an exact approval, used by the first of two unknown calls": [
    check([approve(TOKEN, STRANGER, 60n), ping, { ...ping, data: "0x12345679" }]),
    [["LEFTOVER_TOKEN", undefined]],
  ],
  "an exact approval, used in part by a known call and then by an unknown call": [
    check([approve(TOKEN, POOL, 100n), supply(TOKEN, 60n), { ...ping, to: POOL }], { amount: "160" }),
    [["LEFTOVER_TOKEN", undefined]],
  ],
  "an approval made in two parts for an unknown call": [
    check([approve(TOKEN, STRANGER, 60n), call(TOKEN, "increaseAllowance(address, uint256)", [STRANGER, 40n]), ping]),
    [],
  ],
  "the purchased token, for an already approved proxy": [
    check(
      [
        approve(OTHER_TOKEN, OTHER_PROXY, maxUint256),
        approve(TOKEN, POOL, 100n),
        call(POOL, "exchange(int128, int128, uint256, uint256)", [0n, 1n, 100n, 90n]),
        execute(OTHER_PROXY),
        approve(OTHER_TOKEN, OTHER_PROXY, 0n),
      ],
      { contracts },
    ),
    [],
  ],
  "fixed amounts, each below the minimum delivery": [
    check([approve(TOKEN, POOL, 120n), supply(TOKEN, 60n), supply(TOKEN, 60n, STRANGER), sweep(TOKEN)], {
      tradeType: "EXACT_INPUT",
      facts: { minimumDelivered: 119n },
    }),
    [
      ["AMOUNT_IN_CALL_DATA", 0],
      ["AMOUNT_IN_CALL_DATA", 2],
    ],
  ],
  "fixed values, each below the minimum delivery": [
    check([{ ...ping, value: "60" }, { ...ping, value: "59" }, { ...ping, value: "1" }, sweepNative()], {
      ...native,
      tradeType: "EXACT_INPUT",
      facts: { minimumDelivered: 119n },
      contracts,
    }),
    [["NATIVE_VALUE_WITH_EXACT_INPUT", 2]],
  ],
  "a fixed value that was returned before": [
    check([wrap, unwrap, { ...ping, value: "60" }, sweepNative()], {
      ...native,
      tradeType: "EXACT_INPUT",
      facts: { minimumDelivered: 100n },
      contracts,
    }),
    [],
  ],
  "liquidity in two coins": [
    check([
      approve(TOKEN, POOL, 100n),
      approve(OTHER_TOKEN, POOL, 7n),
      call(POOL, "add_liquidity(uint256[], uint256, address)", [[100n, 0n, 7n], 90n, RECIPIENT]),
    ]),
    [],
  ],
  "liquidity in two coins, one of which is not approved": [
    check([
      approve(TOKEN, POOL, 100n),
      call(POOL, "add_liquidity(uint256[5], uint256, address)", [[100n, 0n, 0n, 0n, 7n], 90n, RECIPIENT]),
    ]),
    [["APPROVAL_MISSING", 1]],
  ],
  "liquidity in native currency and a token": [
    check(
      [
        approve(OTHER_TOKEN, POOL, 7n),
        call(POOL, "add_liquidity(uint256[2], uint256, address)", [[100n, 7n], 90n, RECIPIENT], "100"),
      ],
      native,
    ),
    [],
  ],
  "Uniswap's placeholder for its second router": [
    check([approve(TOKEN, POOL, 100n), swapAnd(call(POOL, "unwrapWETH9(uint256, address)", [1n, RECIPIENT]))]),
    [],
  ],
};

describe("checkCalls: flow of funds", () => {
  for (const [name, [parameters, findings]] of Object.entries(CASES)) {
    it(name, () => {
      expect(found(parameters)).to.deep.equal(findings);
    });
  }
});

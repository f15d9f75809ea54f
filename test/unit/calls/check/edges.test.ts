import { expect } from "chai";
import { maxUint256 } from "viem";

import { type CheckCallsParameters, encodeProgram } from "../../../../src/calls/index.ts";
import type { Call } from "../../../../src/protocol/call.ts";
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
  STRANGER,
  supply,
  sweep,
  sweepNative,
  WRAPPED,
} from "./fixtures.ts";

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
  call(proxy, "execute(address, uint256, uint256, uint256)", [RECIPIENT, 1n, 1n, maxUint256]);
const buyOther = call(POOL, "swapExactETHForTokens(uint256, address[], address, uint256)", [
  1n,
  [WRAPPED, OTHER_TOKEN],
  ROUTER,
  maxUint256,
]);
const nativeProgram = encodeProgram(
  { recipient: RECIPIENT, tokens: [{ token: "native" }], steps: [{ target: POOL, data: "0x12345678" }] },
  { executor: EXECUTOR, livePuller: STRANGER, router: ROUTER },
);
const swapForNative = call(POOL, "multicall(bytes[])", [
  [
    call(POOL, "exactInputSingle((address, address, uint24, address, uint256, uint256, uint160) params)", [
      [TOKEN, WRAPPED, 500, NATIVE, 100n, 1n, 0n],
    ]).data,
    call(POOL, "unwrapWETH9(uint256, address)", [1n, RECIPIENT]).data,
  ],
]);

const CASES: Record<string, [CheckCallsParameters, [code: string, index: number | undefined][]]> = {
  "a token swept, then used": [
    check([...spend, sweep(OTHER_TOKEN), ...spendOther], { contracts }),
    [["CLEANUP_BEFORE_USE", 2]],
  ],
  "a token swept, perhaps brought again, then used": [
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
  "a proxy that nobody knows": [
    check([approve(TOKEN, OTHER_PROXY, maxUint256), execute(OTHER_PROXY), approve(TOKEN, OTHER_PROXY, 0n)]),
    [
      ["LEFTOVER_TOKEN", undefined],
      ["UNLIMITED_APPROVAL", 0],
    ],
  ],
  "an approval that Multicall3 makes, which is its own": [
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
  "an approval to another spender behind the use": [
    check([supply(TOKEN, 100n), approve(TOKEN, STRANGER, 100n)]),
    [
      ["APPROVAL_MISSING", 0],
      ["ALLOWANCE_LEFT", 1],
    ],
  ],
  "a token that is its own spender": [check([wrap, unwrap, sweepNative()], native), []],
  "native that comes back": [check([wrap, unwrap], native), [["LEFTOVER_NATIVE", undefined]]],
  "native sent to the executor, then a program": [
    check([{ to: EXECUTOR, data: "0x", value: "100" }, call(EXECUTOR, "execute(bytes)", [nativeProgram])], native),
    [],
  ],
  "Uniswap's zero address, which is its periphery": [check([approve(TOKEN, POOL, 100n), swapForNative]), []],
};

describe("checkCalls: how funds go", () => {
  for (const [name, [parameters, findings]] of Object.entries(CASES)) {
    it(name, () => {
      expect(found(parameters)).to.deep.equal(findings);
    });
  }
});

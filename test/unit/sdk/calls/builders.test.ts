import { expect } from "chai";
import { type Abi, type Address, encodeFunctionData, maxUint256 } from "viem";

import { callProxy, type CallProxyParameters } from "../../../../packages/sdk/src/calls/callProxy.ts";
import { type AllowanceState, raiseAllowance } from "../../../../packages/sdk/src/calls/raiseAllowance.ts";
import type { Call } from "../../../../packages/protocol/src/index.ts";
import { approve, cleanupErc20s, cleanupNative, resetAllowance } from "../../../../packages/sdk/src/calls/index.ts";
import { readArtifact } from "../../../../packages/crosscall/src/artifacts.ts";
import { refusal } from "../../../support/rejection.ts";
import { OTHER_RECIPIENT, OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "./accounts.ts";
import { readCall } from "./recipes/protocolAbis.ts";

const WRONG = "0x1234" as Address;
const TOO_LARGE = 2n ** 256n;
const limits = { proxy: PROXY, minimumIn: 5n, deadline: 7n };
const executed = { ...limits, recipient: RECIPIENT, minimumOut: 6n } as const;
const repaid = { ...limits, borrower: RECIPIENT, minimumRepaid: 6n } as const;

/** Calls with their expected targets, functions and arguments. */
const BUILT: Record<string, [call: Call, to: string, name: string, ...args: unknown[]]> = {
  "an approval of an amount": [approve({ token: TOKEN, spender: PROXY, amount: 5n }), TOKEN, "approve", PROXY, 5n],
  "an approval of the maximum by default": [
    approve({ token: TOKEN, spender: PROXY }),
    TOKEN,
    "approve",
    PROXY,
    maxUint256,
  ],
  "the reset of an approval": [resetAllowance({ token: TOKEN, spender: PROXY }), TOKEN, "approve", PROXY, 0n],
  "sweeps of tokens to their recipients, of the full balance by default": [
    cleanupErc20s({
      router: ROUTER,
      cleanups: [
        { token: TOKEN, recipient: RECIPIENT, amount: 5n },
        { token: OTHER_TOKEN, recipient: OTHER_RECIPIENT },
      ],
    }),
    ROUTER,
    "cleanupErc20s",
    [TOKEN, OTHER_TOKEN],
    [RECIPIENT, OTHER_RECIPIENT],
    [5n, 0n],
    "0x",
  ],
  "a sweep of native currency": [
    cleanupNative({ router: ROUTER, recipient: RECIPIENT, amount: 5n }),
    ROUTER,
    "cleanupNative",
    5n,
    RECIPIENT,
    "0x",
  ],
  "a sweep of all native currency by default": [
    cleanupNative({ router: ROUTER, recipient: RECIPIENT }),
    ROUTER,
    "cleanupNative",
    0n,
    RECIPIENT,
    "0x",
  ],
  "a proxy with the recipient, both minimums and the deadline": [
    callProxy(executed),
    PROXY,
    "execute",
    RECIPIENT,
    5n,
    6n,
    7n,
  ],
  "a proxy that requires at least one unit in and out by default": [
    callProxy({ proxy: PROXY, recipient: RECIPIENT, deadline: 7n }),
    PROXY,
    "execute",
    RECIPIENT,
    1n,
    1n,
    7n,
  ],
  "a repayment that requires at least one unit by default": [
    callProxy({ proxy: PROXY, functionName: "repay", borrower: RECIPIENT, deadline: 7n }),
    PROXY,
    "repay",
    RECIPIENT,
    1n,
    1n,
    7n,
  ],
};

/** Proxy functions, with the contracts in the build that implement them. */
const FUNCTIONS = {
  execute: [{ ...executed, functionName: "execute" }, "proxies/Erc4626Proxy"],
  executeNative: [{ ...executed, functionName: "executeNative", router: ROUTER }, "proxies/WrappedNativeProxy"],
  repay: [{ ...repaid, functionName: "repay" }, "proxies/AaveV3Proxy"],
  repayNative: [{ ...repaid, functionName: "repayNative", router: ROUTER }, "proxies/AaveV3Proxy"],
} as const satisfies Record<string, readonly [CallProxyParameters, string]>;

const proxyOf = (change: object) => (): unknown =>
  callProxy({ proxy: PROXY, recipient: RECIPIENT, deadline: 1n, ...change });
const approvalOf = (change: object) => (): unknown => approve({ token: TOKEN, spender: PROXY, ...change });
const sweepOf =
  (change: object, router = ROUTER) =>
  (): unknown =>
    cleanupErc20s({ router, cleanups: [{ token: TOKEN, recipient: RECIPIENT, ...change }] });
const nativeSweepOf = (change: object) => (): unknown =>
  cleanupNative({ router: ROUTER, recipient: RECIPIENT, ...change });

/** Builders with one invalid parameter, the field that the error names, and in some cases its value. */
const REFUSED: Record<string, [build: () => unknown, field: string, value?: string]> = {
  "token to approve": [approvalOf({ token: WRONG }), "token"],
  spender: [approvalOf({ spender: WRONG }), "spender"],
  "negative allowance": [approvalOf({ amount: -1n }), "amount"],
  "allowance above 2^256 - 1": [approvalOf({ amount: TOO_LARGE }), "amount"],
  proxy: [proxyOf({ proxy: WRONG }), "proxy"],
  "recipient of a proxy": [proxyOf({ recipient: WRONG }), "recipient"],
  "minimum in": [proxyOf({ minimumIn: -1n }), "minimumIn"],
  "minimum out": [proxyOf({ minimumOut: TOO_LARGE }), "minimumOut"],
  deadline: [proxyOf({ deadline: -1n }), "deadline"],
  "router to sweep tokens from": [sweepOf({}, WRONG), "router"],
  "token to sweep": [sweepOf({ token: WRONG }), "cleanups[0].token"],
  "recipient of tokens": [sweepOf({ recipient: WRONG }), "cleanups[0].recipient"],
  "swept amount": [sweepOf({ amount: -1n }), "cleanups[0].amount"],
  "swept amount of zero, which would mean the full balance,": [sweepOf({ amount: 0n }), "cleanups[0].amount", "0"],
  "empty list of tokens": [() => cleanupErc20s({ router: ROUTER, cleanups: [] }), "cleanups", "[]"],
  "router to sweep native from": [nativeSweepOf({ router: WRONG }), "router"],
  "recipient of native": [nativeSweepOf({ recipient: WRONG }), "recipient"],
  "native amount": [nativeSweepOf({ amount: TOO_LARGE }), "amount"],
  "native amount of zero, which would mean the full balance,": [nativeSweepOf({ amount: 0n }), "amount", "0"],
};

describe("call builders", () => {
  for (const [name, [call, ...expected]] of Object.entries(BUILT)) {
    it(`build ${name}`, () => {
      expect(readCall(call)).to.deep.equal(expected);
    });
  }

  for (const [name, [parameters, contract]] of Object.entries(FUNCTIONS)) {
    it(`encode ${name} as the build's contract defines it`, () => {
      const args = [RECIPIENT, 5n, 6n, 7n];
      const data = encodeFunctionData<Abi>({ abi: readArtifact(contract).abi, functionName: name, args });
      const call = callProxy(parameters);
      if (!name.endsWith("Native")) return expect(call).to.deep.equal({ to: PROXY, data, value: "0" });
      expect(call.data).to.include(data.slice(2));
      return expect(readCall(call)).to.deep.equal([ROUTER, "cleanupNativeViaCall", 0n, PROXY, [name, ...args]]);
    });
  }

  it("do not compile if a parameter of a proxy function is missing", () => {
    // @ts-expect-error the router sends native to the proxy
    const native = (): unknown => callProxy({ ...limits, recipient: RECIPIENT, functionName: "executeNative" });
    // @ts-expect-error a debt has a borrower
    const debt = (): unknown => callProxy({ ...limits, recipient: RECIPIENT, functionName: "repay" });
    expect([native, debt]).to.have.length(2);
  });

  for (const [name, [build, field, value]] of Object.entries(REFUSED)) {
    it(`reject an invalid ${name} by field`, () => {
      expect(refusal(build)).to.include({ code: "INVALID_INPUT", field, ...(value === undefined ? {} : { value }) });
    });
  }
});

/** Returns the approved amounts in order. */
function approved(amount: bigint | undefined, facts?: AllowanceState): unknown[] {
  const calls = raiseAllowance({
    token: TOKEN,
    spender: PROXY,
    ...(amount === undefined ? {} : { amount }),
    ...(facts === undefined ? {} : { facts }),
  });
  return calls.map(readCall).map(([to, name, spender, approval]) => {
    expect([to, name, spender]).to.deep.equal([TOKEN, "approve", PROXY]);
    return approval;
  });
}

describe("raiseAllowance", () => {
  const cases: [name: string, amount: bigint | undefined, facts: AllowanceState | undefined, approvals: bigint[]][] = [
    ["resets first for a token of unknown behavior", 5n, undefined, [0n, 5n]],
    ["resets first before the maximum", undefined, undefined, [0n, maxUint256]],
    ["resets first with an allowance that is too small", 5n, { standing: 3n }, [0n, 5n]],
    [
      "only approves the maximum for a token that accepts every change",
      undefined,
      { refusesChange: false },
      [maxUint256],
    ],
    ["only approves if the token accepts every change", 5n, { standing: 9n, refusesChange: false }, [5n]],
    ...(
      [
        [0n, [5n]],
        [1n, [0n, 5n]],
        [4n, [0n, 5n]],
        [5n, []],
        [6n, []],
      ] as [bigint, bigint[]][]
    ).map(([standing, approvals]): (typeof cases)[number] => [
      `for a token that rejects changes, with an allowance of ${standing} if 5 are needed`,
      5n,
      { refusesChange: true, standing },
      approvals,
    ]),
    ["resets an unknown allowance of a token that rejects changes", 5n, { refusesChange: true }, [0n, 5n]],
    ["resets before the maximum", undefined, { refusesChange: true, standing: maxUint256 - 1n }, [0n, maxUint256]],
    ["keeps a maximum allowance", undefined, { refusesChange: true, standing: maxUint256 }, []],
  ];
  for (const [name, amount, facts, approvals] of cases) {
    it(name, () => {
      expect(approved(amount, facts)).to.deep.equal(approvals);
    });
  }

  it("rejects a fact of another type", () => {
    for (const refusesChange of ["false", null, 0]) {
      expect(refusal(() => approved(5n, { refusesChange } as unknown as AllowanceState)).field).to.equal(
        "facts.refusesChange",
      );
    }
  });

  it("rejects an invalid allowance", () => {
    expect(refusal(() => approved(5n, { refusesChange: true, standing: -1n }))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "facts.standing",
      value: "-1",
    });
  });
});

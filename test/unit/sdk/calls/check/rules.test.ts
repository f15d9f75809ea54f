import { expect } from "chai";
import { type Address, type Hex, maxUint256 } from "viem";

import {
  CALL_RULES,
  type CheckCallsParameters,
  type FindingCode,
  checkCalls,
} from "../../../../../packages/sdk/src/calls/index.ts";
import { MULTICALL3 } from "../../../../../packages/sdk/src/calls/check/rule.ts";
import type { QuoteRequest } from "../../../../../packages/protocol/src/quote/quoteRequest.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import {
  approve,
  buyFor,
  call,
  check,
  CONTRACTS,
  execute,
  executeCommands,
  EXECUTOR,
  found,
  NATIVE,
  nativeViaCall,
  permit,
  PERMIT2,
  permit2Approve,
  POOL,
  program,
  programOf,
  proxiedFor,
  PULLER,
  run,
  SELF,
  STRANGER,
  strict,
  supply,
  swap02,
  SWAP_ROUTER,
  swapCommand,
  sweep,
  sweepNative,
  tokenViaCall,
  WRAPPED,
} from "./fixtures.ts";

type Place = [code: FindingCode, index: number | undefined];

/** Calls that break a rule, with all of their findings, and calls that nearly break it. */
interface Case {
  readonly broken: CheckCallsParameters;
  readonly findings?: readonly Place[];
  /** Position of the finding, if it is the only one. */
  readonly index?: number;
  readonly near: CheckCallsParameters;
}

const request: QuoteRequest = {
  user: RECIPIENT,
  refundTo: RECIPIENT,
  originChainId: 1,
  destinationChainId: 10,
  originCurrency: NATIVE,
  destinationCurrency: NATIVE,
  tradeType: "EXACT_OUTPUT",
  amount: "100",
};
const { refundTo: _, ...withoutRefund } = request;
const asRequest = (change: Partial<QuoteRequest>): CheckCallsParameters => ({
  request: { ...request, ...change },
  contracts: CONTRACTS,
});
const ping = (value: string, to: Address = STRANGER): Call => ({ to, data: "0x12345678", value });
const native = { destinationCurrency: NATIVE } as const;
const exactInput = { tradeType: "EXACT_INPUT" } as const;
const spend = [approve(TOKEN, POOL, 100n), supply(TOKEN, 100n)];
const proxied = proxiedFor(90n);
const refund = call(POOL, "refundETH()");
const swapNative = (inner: readonly Call[]): Call =>
  call(POOL, "multicall(bytes[])", [inner.map(({ data }) => data)], "100");
const wrap = call(WRAPPED, "deposit()", [], "100");

const CASES: Record<FindingCode, Case> = {
  INVALID_REQUEST: { broken: asRequest({ user: "0x12" }), near: asRequest({}) },
  CALLS_NOT_SUPPORTED: {
    broken: check(spend, { tradeType: "EXPECTED_OUTPUT" }),
    near: asRequest({ tradeType: "EXPECTED_OUTPUT" }),
  },
  AMOUNT_NOT_SUM_OF_VALUES: {
    broken: check([ping("60"), ping("39", POOL)], native),
    findings: [
      ["AMOUNT_NOT_SUM_OF_VALUES", undefined],
      ["LEFTOVER_NATIVE", undefined],
    ],
    near: check([ping("60"), ping("40", POOL)], native),
  },
  VALUE_WITHOUT_NATIVE: {
    broken: check([...spend, ping("1"), ping("2")]),
    findings: [
      ["VALUE_WITHOUT_NATIVE", 2],
      ["VALUE_WITHOUT_NATIVE", 3],
    ],
    near: check([...proxied, ping("1"), ping("2")], exactInput),
  },
  REFUND_TO_MISSING: {
    broken: { request: { ...withoutRefund, txs: [ping("100")] }, contracts: CONTRACTS },
    near: asRequest({ txs: [ping("100")] }),
  },
  MALFORMED_CALL: {
    broken: check([...spend, { to: TOKEN, data: "0x1", value: "0" }]),
    index: 2,
    near: check([...spend, { to: TOKEN, data: "0x", value: "0" }]),
  },
  DATA_TOO_SHORT: {
    broken: check([...spend, { to: OTHER_TOKEN, data: "0xa9059cbb", value: "0" }]),
    index: 2,
    near: check([...spend, { to: OTHER_TOKEN, data: "0x12345678", value: "0" }]),
  },
  DATA_BESIDE_ARGUMENTS: {
    broken: check([spend[0]!, { ...spend[1]!, data: `${spend[1]!.data}00` }]),
    index: 1,
    near: check(spend),
  },
  DUPLICATE_CALL: {
    broken: check([ping("0"), ...spend, ping("0")]),
    index: 3,
    near: check([ping("0"), ...spend, ping("0", POOL)]),
  },
  APPROVAL_MISSING: {
    broken: check([supply(TOKEN, 100n)]),
    index: 0,
    near: check([supply(TOKEN, 100n)], {
      facts: { allowances: [{ token: TOKEN, spender: POOL, amount: 100n }] },
    }),
  },
  APPROVAL_AFTER_USE: {
    broken: check([supply(TOKEN, 100n), approve(TOKEN, POOL, 100n)]),
    findings: [
      ["APPROVAL_AFTER_USE", 1],
      ["ALLOWANCE_LEFT", 1],
    ],
    near: check(spend),
  },
  APPROVAL_TO_OTHER_SPENDER: {
    broken: check([approve(TOKEN, STRANGER, 100n), supply(TOKEN, 100n)]),
    findings: [
      ["APPROVAL_TO_OTHER_SPENDER", 0],
      ["ALLOWANCE_LEFT", 0],
    ],
    near: check([approve(TOKEN, STRANGER, 10n), ping("0"), approve(TOKEN, POOL, 90n), supply(TOKEN, 90n)]),
  },
  APPROVAL_TOO_SMALL: {
    broken: check([approve(TOKEN, POOL, 99n), supply(TOKEN, 100n)]),
    index: 1,
    near: check([
      approve(TOKEN, POOL, 60n),
      supply(TOKEN, 60n),
      approve(TOKEN, POOL, 30n),
      call(TOKEN, "increaseAllowance(address, uint256)", [POOL, 10n]),
      supply(TOKEN, 40n),
    ]),
  },
  ANY_CALLER_APPROVED: {
    broken: check([approve(TOKEN, EXECUTOR, 100n), approve(TOKEN, EXECUTOR, 0n), ...spend]),
    index: 0,
    near: check([approve(TOKEN, PULLER, 100n), approve(TOKEN, PULLER, 0n), ...spend]),
  },
  UNLIMITED_APPROVAL: {
    broken: check([approve(TOKEN, POOL, maxUint256), supply(TOKEN, 100n), approve(TOKEN, POOL, 0n)]),
    index: 0,
    near: check([approve(TOKEN, POOL, maxUint256), supply(TOKEN, 100n), approve(TOKEN, POOL, 0n)], {
      contracts: { ...CONTRACTS, trusted: [POOL] },
    }),
  },
  FOREIGN_ALLOWANCE: {
    broken: check([call(OTHER_TOKEN, "transferFrom(address, address, uint256)", [STRANGER, RECIPIENT, 1n]), ...spend]),
    index: 0,
    near: check([call(OTHER_TOKEN, "transferFrom(address, address, uint256)", [ROUTER, RECIPIENT, 1n]), ...spend]),
  },
  ALLOWANCE_RESET_NEEDED: {
    broken: check(spend, strict(1n)),
    index: 0,
    near: check([approve(TOKEN, POOL, 0n), ...spend], strict(1n)),
  },
  ALLOWANCE_UNKNOWN: { broken: check(spend, strict()), index: 0, near: check(spend, strict(0n)) },
  ALLOWANCE_LEFT: {
    broken: check([approve(TOKEN, POOL, 101n), supply(TOKEN, 100n)]),
    index: 0,
    near: check([approve(TOKEN, POOL, 101n), supply(TOKEN, 100n), approve(TOKEN, POOL, 0n)]),
  },
  PERMIT2_APPROVAL_MISSING: {
    broken: check([
      approve(TOKEN, SWAP_ROUTER, 100n),
      executeCommands([swapCommand()]),
      approve(TOKEN, SWAP_ROUTER, 0n),
    ]),
    index: 1,
    near: check([
      approve(TOKEN, PERMIT2, 100n),
      permit2Approve(TOKEN, SWAP_ROUTER, 100n),
      executeCommands([swapCommand()]),
    ]),
  },
  PERMIT2_APPROVAL_TOO_SMALL: {
    broken: check([
      approve(TOKEN, PERMIT2, 100n),
      permit2Approve(TOKEN, SWAP_ROUTER, 99n),
      executeCommands([swapCommand()]),
    ]),
    index: 2,
    near: check([
      approve(TOKEN, PERMIT2, 100n),
      permit2Approve(TOKEN, SWAP_ROUTER, 100n),
      executeCommands([swapCommand()]),
    ]),
  },
  PERMIT2_APPROVAL_EXPIRED: {
    broken: check(
      [approve(TOKEN, PERMIT2, 100n), permit2Approve(TOKEN, SWAP_ROUTER, 100n, 9), executeCommands([swapCommand()])],
      { facts: { timestamp: 10n } },
    ),
    index: 1,
    near: check(
      [approve(TOKEN, PERMIT2, 100n), permit2Approve(TOKEN, SWAP_ROUTER, 100n, 10), executeCommands([swapCommand()])],
      { facts: { timestamp: 10n } },
    ),
  },
  LEFT_IN_SWAP_ROUTER: {
    broken: check([approve(TOKEN, SWAP_ROUTER, 100n), swap02(SELF)]),
    index: 1,
    near: check([approve(TOKEN, SWAP_ROUTER, 100n), swap02(RECIPIENT)]),
  },
  SWAP_ROUTER_EMPTY: {
    broken: check([...spend, executeCommands([swapCommand({ payerIsUser: false })])]),
    index: 2,
    near: check([
      call(TOKEN, "transfer(address, uint256)", [SWAP_ROUTER, 100n]),
      executeCommands([swapCommand({ payerIsUser: false })]),
    ]),
  },
  SIGNATURE_FRONT_RUNNABLE: {
    broken: check([permit(RECIPIENT), ...spend]),
    index: 0,
    near: check([
      call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[TOKEN, true, permit(RECIPIENT).data]]]),
      ...spend,
    ]),
  },
  ROUTER_CANNOT_SIGN: {
    broken: check([permit(ROUTER), ...spend]),
    findings: [
      ["SIGNATURE_FRONT_RUNNABLE", 0],
      ["ROUTER_CANNOT_SIGN", 0],
    ],
    near: check([
      call(MULTICALL3, "aggregate3((address, bool, bytes)[])", [[[TOKEN, true, permit(ROUTER).data]]]),
      ...spend,
    ]),
  },
  CREDITS_CALLER: {
    broken: check([approve(TOKEN, POOL, 100n), call(POOL, "stake(uint256)", [100n])]),
    index: 1,
    near: check([approve(TOKEN, POOL, 100n), call(POOL, "stake(uint256)", [100n]), sweep(POOL)]),
  },
  VIA_CALL_NEEDS_ANSWER: {
    broken: check([tokenViaCall(TOKEN, PROXY, execute(PROXY).data)], {
      facts: { tokens: [{ address: TOKEN, approveReturnsNothing: true }] },
    }),
    index: 0,
    near: check(proxied, { facts: { tokens: [{ address: TOKEN, approveReturnsNothing: true }] } }),
  },
  AMOUNT_IN_CALL_DATA: {
    broken: check([...spend, sweep(TOKEN)], exactInput),
    findings: [
      ["AMOUNT_IN_CALL_DATA", 0],
      ["AMOUNT_IN_CALL_DATA", 1],
    ],
    near: check([...spend, sweep(TOKEN)], { ...exactInput, facts: { minimumDelivered: 100n } }),
  },
  NATIVE_VALUE_WITH_EXACT_INPUT: {
    broken: check([ping("60"), sweepNative()], { ...exactInput, ...native }),
    index: 0,
    near: check([nativeViaCall(ROUTER, "0x", 1n), nativeViaCall(STRANGER, "0x12345678")], {
      ...exactInput,
      ...native,
    }),
  },
  NATIVE_CALL_SKIPPED: {
    broken: check(
      [nativeViaCall(ROUTER, "0x", 1n), nativeViaCall(POOL, "0x12345678"), nativeViaCall(POOL, "0x87654321")],
      {
        ...exactInput,
        ...native,
      },
    ),
    index: 2,
    near: check([nativeViaCall(ROUTER, "0x", 1n), nativeViaCall(POOL, "0x12345678")], { ...exactInput, ...native }),
  },
  MORE_THAN_DELIVERED: {
    broken: check([...proxied, ...spend]),
    index: 4,
    near: check([
      approve(TOKEN, POOL, 101n),
      call(POOL, "repay(address, uint256, uint256, address)", [TOKEN, 101n, 2n, RECIPIENT]),
      approve(TOKEN, POOL, 0n),
      sweep(TOKEN),
    ]),
  },
  NATIVE_NOT_REFUNDED: {
    broken: check([swapNative([buyFor(99n, 100n)])], native),
    index: 0,
    near: check([swapNative([buyFor(99n, 100n), refund]), sweepNative()], native),
  },
  LEFTOVER_TOKEN: {
    broken: check([approve(TOKEN, POOL, 99n), supply(TOKEN, 99n)]),
    near: check([approve(TOKEN, POOL, 99n), supply(TOKEN, 99n), sweep(TOKEN)]),
  },
  LEFTOVER_NATIVE: {
    broken: check([ping("0")], { ...exactInput, ...native }),
    near: check([ping("0"), sweepNative()], { ...exactInput, ...native }),
  },
  CREDITS_ROUTER: {
    broken: check([wrap], native),
    index: 0,
    near: check([wrap, sweep(WRAPPED)], native),
  },
  CLEANUP_BEFORE_USE: {
    broken: check([sweep(TOKEN), ...spend]),
    index: 0,
    near: check([...spend, sweep(TOKEN)]),
  },
  MINIMUM_OUT_MISSING: {
    broken: check(proxiedFor(1n), exactInput),
    index: 1,
    near: check(proxiedFor(2n), exactInput),
  },
  RECIPIENT_IS_ROUTER: {
    broken: check([...proxied, sweep(TOKEN, ROUTER)], exactInput),
    index: 3,
    near: check([...proxied, sweep(TOKEN)], exactInput),
  },
  RECIPIENT_IS_TOKEN: { broken: check(spend, { recipient: TOKEN }), near: check(spend, { recipient: POOL }) },
  RECIPIENT_IS_ZERO: {
    broken: check([ping("100"), sweepNative(NATIVE)], native),
    index: 1,
    near: check([ping("100"), sweepNative()], native),
  },
  RECIPIENT_WITHOUT_CODE: {
    broken: check(spend, { recipient: STRANGER, facts: { missingAccounts: [STRANGER] } }),
    near: check(spend, { recipient: STRANGER, facts: { missingAccounts: [POOL] } }),
  },
  PUBLIC_ACCOUNT_CREDITED: {
    broken: check([approve(TOKEN, POOL, 100n), supply(TOKEN, 100n, EXECUTOR)]),
    index: 1,
    near: check([approve(TOKEN, POOL, 100n), supply(TOKEN, 100n, STRANGER)]),
  },
  STEP_CREDITS_PUBLIC_ACCOUNT: {
    broken: check([sweep(TOKEN, EXECUTOR), run(programOf(supply(TOKEN, 1n, EXECUTOR)))]),
    index: 1,
    near: check([sweep(TOKEN, EXECUTOR), run(programOf(supply(TOKEN, 1n, STRANGER)))]),
  },
  TARGET_WITHOUT_CODE: {
    broken: check([ping("100")], { ...native, facts: { accounts: [{ address: STRANGER, hasCode: false }] } }),
    index: 0,
    near: check([{ ...ping("100"), data: "0x" }], {
      ...native,
      facts: { accounts: [{ address: STRANGER, hasCode: false }] },
    }),
  },
  DEADLINE_PASSED: {
    broken: check([approve(TOKEN, PROXY, maxUint256), execute(PROXY, { deadline: 9n }), approve(TOKEN, PROXY, 0n)], {
      facts: { timestamp: 10n },
    }),
    index: 1,
    near: check([approve(TOKEN, PROXY, maxUint256), execute(PROXY, { deadline: 10n }), approve(TOKEN, PROXY, 0n)], {
      facts: { timestamp: 10n },
    }),
  },
  UNTRUSTED_AFTER_SELF_CALL: {
    broken: check([sweepNative(), ping("0"), ...proxied], exactInput),
    index: 1,
    near: check([ping("0"), sweepNative(), ...proxied], exactInput),
  },
  ROUTER_CALL_UNKNOWN: {
    broken: check([...spend, sweepNative()], { contracts: { ...CONTRACTS, routerVersion: "v2" } }),
    index: 2,
    near: check([...spend, sweepNative()]),
  },
  ROUTER_CALL_ELSEWHERE: {
    broken: check([...spend, { ...sweepNative(), to: STRANGER }]),
    index: 2,
    near: check([...spend, sweepNative()]),
  },
  PROGRAM_UNREADABLE: {
    broken: check([sweep(TOKEN, EXECUTOR), run("0x02")]),
    index: 1,
    near: check([sweep(TOKEN, EXECUTOR), run(program(TOKEN))]),
  },
  PUSH_NOT_EXECUTED: {
    broken: check([sweep(TOKEN, EXECUTOR), ping("0"), run(program(TOKEN))]),
    findings: [
      ["PUSH_NOT_EXECUTED", 0],
      ["PROGRAM_INPUT_MISSING", 2],
    ],
    near: check([ping("0"), sweep(TOKEN, EXECUTOR), run(program(TOKEN))]),
  },
  PROGRAM_INPUT_MISSING: {
    broken: check([...spend, run(program(OTHER_TOKEN))]),
    index: 2,
    near: check([...spend, run(program(OTHER_TOKEN, 0n))]),
  },
  PROGRAM_TOKEN_UNDECLARED: {
    broken: check([sweep(TOKEN, EXECUTOR), run(program(OTHER_TOKEN, 0n))]),
    index: 1,
    near: check([sweep(TOKEN, EXECUTOR), run(program(TOKEN))]),
  },
};

describe("checkCalls: rules", () => {
  for (const [code, { broken, findings, index, near }] of Object.entries(CASES)) {
    it(`reports ${code} only if the rule is broken`, () => {
      expect(found(broken)).to.deep.equal(findings ?? [[code, index]]);
      expect(found(near)).to.deep.equal([]);
    });
  }

  const swapTo = (to: Address, deadline = maxUint256): Call =>
    call(POOL, "swapExactTokensForTokens(uint256, uint256, address[], address, uint256)", [
      100n,
      90n,
      [TOKEN, OTHER_TOKEN],
      to,
      deadline,
    ]);
  const inProgram = (step: Call, facts = {}) =>
    check([sweep(TOKEN, EXECUTOR), run(programOf(step, { checks: [{ token: OTHER_TOKEN, minimumOut: 90n }] }))], {
      contracts: { ...CONTRACTS, trusted: [POOL] },
      facts,
    });
  const codesOf = (parameters: CheckCallsParameters): string[] => found(parameters).map(([code]) => code);

  it("reports the called contract and a bought token as the recipient", () => {
    const deposit = (receiver: Address): Call => call(POOL, "deposit(uint256, address)", [100n, receiver]);
    for (const stuck of [deposit(POOL), supply(TOKEN, 100n, POOL), swapTo(POOL), swapTo(OTHER_TOKEN)]) {
      expect(found(check([approve(TOKEN, POOL, 100n), stuck]))).to.deep.equal([["RECIPIENT_IS_TOKEN", 1]]);
    }
    for (const sound of [deposit(STRANGER), swapTo(STRANGER)]) {
      expect(found(check([approve(TOKEN, POOL, 100n), sound]))).to.deep.equal([]);
    }
  });

  it("reports the recipients of a program's steps", () => {
    expect(codesOf(inProgram(swapTo(NATIVE)))).to.deep.equal(["RECIPIENT_IS_ZERO"]);
    expect(codesOf(inProgram(swapTo(TOKEN)))).to.deep.equal(["RECIPIENT_IS_TOKEN"]);
    expect(codesOf(inProgram(swapTo(POOL)))).to.deep.equal(["RECIPIENT_IS_TOKEN"]);
    expect(codesOf(inProgram(swapTo(RECIPIENT)))).to.deep.equal([]);
  });

  it("accepts native currency sent to a token that is used afterwards, because it mints", () => {
    const wrapped = (...rest: Call[]) =>
      codesOf(check([nativeViaCall(ROUTER, "0x", 1n), nativeViaCall(WRAPPED, "0x"), ...rest], exactInput));
    const exactInput = { ...native, tradeType: "EXACT_INPUT" } as const;
    expect(wrapped(sweep(WRAPPED))).not.to.include("RECIPIENT_IS_TOKEN");
    expect(wrapped(approve(WRAPPED, POOL, 5n), supply(WRAPPED, 5n))).not.to.include("RECIPIENT_IS_TOKEN");
  });

  it("reports the deadline of a program's step", () => {
    const facts = { timestamp: 10n };
    expect(codesOf(inProgram(swapTo(RECIPIENT, 9n), facts))).to.deep.equal(["DEADLINE_PASSED"]);
    expect(codesOf(inProgram(swapTo(RECIPIENT, 10n), facts))).to.deep.equal([]);
  });

  it("reports native currency sent to functions of tokens, which reject it", () => {
    const reported = (value: string, data = approve(OTHER_TOKEN, POOL, 0n).data): number =>
      found(check([{ to: OTHER_TOKEN, data, value }, ...spend], native)).filter(([code]) => code === "MALFORMED_CALL")
        .length;
    expect([reported("5"), reported("0"), reported("5", "0x12345678")]).to.deep.equal([1, 0, 0]);
  });

  it("accepts a repeated sweep of everything, but no repeated sweep of an amount", () => {
    const sweepOf = (amount: bigint): Call =>
      call(ROUTER, "cleanupErc20s(address[], address[], uint256[], bytes)", [[TOKEN], [RECIPIENT], [amount], "0x"]);
    const twice = (tx: Call) => codesOf(check([tx, ...spend, tx, sweepNative(), sweepNative()]));
    expect(twice(sweepOf(0n))).not.to.include("DUPLICATE_CALL");
    expect(twice(sweepOf(1n))).to.include("DUPLICATE_CALL");
  });

  it("reports lists of different lengths, which the routers reject", () => {
    const lists = (tokens: number, recipients: number, amounts: number): Call =>
      call(ROUTER, "cleanupErc20s(address[], address[], uint256[], bytes)", [
        Array.from({ length: tokens }, () => TOKEN),
        Array.from({ length: recipients }, () => RECIPIENT),
        Array.from({ length: amounts }, () => 0n),
        "0x",
      ]);
    const commands = (codes: Hex, inputs: readonly Hex[]): Call =>
      call(SWAP_ROUTER, "execute(bytes, bytes[])", [codes, inputs]);
    const malformed = (tx: Call): number =>
      found(check([...spend, tx, sweep(TOKEN)])).filter(([code]) => code === "MALFORMED_CALL").length;
    const unequal = [
      lists(2, 1, 2),
      lists(1, 1, 0),
      lists(1, 2, 1),
      commands("0x0404", ["0x"]),
      commands("0x", ["0x"]),
    ];
    expect(unequal.map(malformed)).to.deep.equal([1, 1, 1, 1, 1]);
    expect([lists(1, 1, 1), lists(2, 2, 2), commands("0x3f", ["0x"])].map(malformed)).to.deep.equal([0, 0, 0]);
  });

  it("reports a token that the router transfers to itself as left", () => {
    const transfer = (to: Address) => check([call(TOKEN, "transfer(address, uint256)", [to, 100n])]);
    expect(found(transfer(ROUTER))).to.deep.equal([["LEFTOVER_TOKEN", undefined]]);
    expect(found(transfer(RECIPIENT))).to.deep.equal([]);
  });

  it("knows that USDT on Ethereum changes allowances only from or to zero, unless the facts differ", () => {
    const usdt = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    const txs = [approve(usdt, POOL, 100n), supply(usdt, 100n)];
    const terms = { destinationCurrency: usdt };
    expect(found(check(txs, terms))).to.deep.equal([["ALLOWANCE_UNKNOWN", 0]]);
    expect(found(check([approve(usdt, POOL, 0n), ...txs], terms))).to.deep.equal([]);
    const tokens = [{ address: usdt, refusesAllowanceChange: false }] as const;
    expect(found(check(txs, { ...terms, facts: { tokens } }))).to.deep.equal([]);
  });

  it("returns a finding with its rule's severity, a reason and a hint", () => {
    for (const { broken } of Object.values(CASES)) {
      for (const finding of checkCalls(broken)) {
        expect(finding).to.have.all.keys("code", "severity", "index", "reason", "hint");
        expect(finding.severity).to.equal(CALL_RULES[finding.code].severity);
        expect(finding.reason).to.match(/\w/u);
        expect(finding.hint).to.match(/\.$/u);
      }
    }
  });
});

import { expect } from "chai";
import { erc4626Abi, maxUint256, parseAbi, zeroAddress } from "viem";

import {
  CALL_RULES,
  callContract,
  decodeProgram,
  type FindingCode,
  formatProgram,
  live,
  packed,
  planCalls,
} from "../../../../packages/sdk/src/calls/index.ts";
import type { ContractAction } from "../../../../packages/sdk/src/calls/contractAction.ts";
import type { CallPlan, PlannedAction } from "../../../../packages/sdk/src/calls/planCalls.ts";
import type { Call } from "../../../../packages/protocol/src/common/call.ts";
import { localRouterAddress } from "../../../../packages/protocol/src/generations/index.ts";
import { refusal } from "../../../support/rejection.ts";
import { callsOf, readCall } from "./recipes/protocolAbis.ts";
import { account, CREDIT, DOLLAR, EURO, mintAbi, PROGRAMS, PROXY, ROUTER, TARGET, USER } from "./recipes/uses.ts";

const payAbi = parseAbi(["function pay(address to, uint256 amount) payable", "function poke()"]);
const supplyAbi = parseAbi(["function supplyTo(address dst, address asset, uint256 amount)"]);
const swapAbi = parseAbi([
  "function exactInputSingle((address, address, uint24, address, uint256, uint256, uint256, uint160)) payable",
]);
const EVERY_FINDING = Object.keys(CALL_RULES) as FindingCode[];
const plan: CallPlan = {
  tradeType: "EXACT_INPUT",
  router: ROUTER,
  destinationCurrency: DOLLAR,
  recipient: USER,
  amount: 9n,
  actions: [],
  programs: PROGRAMS,
};
const planned = (...actions: PlannedAction[]): Call[] => planCalls({ ...plan, actions }).txs;
const { sweep, sweepNative } = callsOf(ROUTER, USER);

const deposit = callContract({
  address: TARGET,
  abi: erc4626Abi,
  functionName: "deposit",
  args: [live(DOLLAR, { approve: "target" }), USER],
  checks: [{ token: TARGET, minimumOut: 7n }],
  deadline: 5n,
});
const native = { kind: "proxy", functionName: "executeNative", proxy: PROXY, recipient: USER, deadline: 1n } as const;
const token = { kind: "proxy", token: DOLLAR, proxy: PROXY, recipient: USER, deadline: 1n } as const;
const mint = callContract({ address: TARGET, abi: mintAbi, functionName: "mint", args: [USER, 3n], value: 5n });
const ofRouter: PlannedAction = { kind: "call", call: { to: ROUTER, data: "0x", value: "0" } };

describe("planCalls with contract calls", () => {
  it("plans a call with fixed amounts as a direct call, with the given approvals", () => {
    const spender = account("5b");
    const action = callContract({
      address: TARGET,
      abi: erc4626Abi,
      functionName: "deposit",
      args: [100n, USER],
      approvals: [
        { token: DOLLAR, amount: 100n },
        { token: EURO, spender, amount: 5n, allowance: { refusesChange: true } },
      ],
      tokens: [{ token: CREDIT, minimumIn: 0n }],
    });
    const { txs } = planCalls({ ...plan, tradeType: "EXACT_OUTPUT", amount: 105n, actions: [action] });
    expect(txs.map(readCall)).to.deep.equal([
      [DOLLAR, "approve", TARGET, 0n],
      [DOLLAR, "approve", TARGET, 100n],
      [EURO, "approve", spender, 0n],
      [EURO, "approve", spender, 5n],
      [TARGET, "deposit", 100n, USER],
      sweep(DOLLAR, EURO, CREDIT),
      sweepNative,
      [DOLLAR, "approve", TARGET, 0n],
      [EURO, "approve", spender, 0n],
    ]);
  });

  const allowances = [DOLLAR, EURO].map((token) => ({ token, amount: 100n, allowance: { refusesChange: false } }));
  const partial: Readonly<Record<string, Pick<ContractAction, "abi" | "functionName" | "args">>> = {
    "takes another token": { abi: supplyAbi, functionName: "supplyTo", args: [USER, DOLLAR, 100n] },
    "can return an error code": { abi: parseAbi(["function mint(uint256)"]), functionName: "mint", args: [100n] },
    "has a price limit": {
      abi: swapAbi,
      functionName: "exactInputSingle",
      args: [[DOLLAR, EURO, 500, USER, 5n, 100n, 1n, 2n ** 96n]],
    },
  };
  for (const [name, call] of Object.entries(partial)) {
    it(`resets every allowance of a call that ${name}`, () => {
      const action: ContractAction = { kind: "contract", address: TARGET, approvals: allowances, ...call };
      const { txs } = planCalls({ ...plan, tradeType: "EXACT_OUTPUT", actions: [action], accepts: EVERY_FINDING });
      expect(txs.slice(-2).map(readCall)).to.deep.equal([
        [DOLLAR, "approve", TARGET, 0n],
        [EURO, "approve", TARGET, 0n],
      ]);
    });
  }

  it("sends a fixed value", () => {
    const exact = { ...plan, tradeType: "EXACT_OUTPUT", destinationCurrency: zeroAddress } as const;
    const { amount: _, ...terms } = exact;
    const { txs, amount } = planCalls({ ...terms, actions: [mint] });
    expect([txs.map(readCall), amount]).to.deep.equal([[[TARGET, "mint", USER, 3n, { value: "5" }], sweepNative], "5"]);
  });

  it("plans a program for a call with live amounts", () => {
    const [push, execute, ...rest] = planned(deposit).map(readCall);
    expect(push).to.deep.equal([ROUTER, "cleanupErc20s", [DOLLAR], [PROGRAMS.executor], [0n], "0x"]);
    expect(execute?.slice(0, 2)).to.deep.equal([PROGRAMS.executor, "execute"]);
    expect(rest).to.deep.equal([]);
    expect(formatProgram(decodeProgram(execute![2] as `0x${string}`), { abis: [erc4626Abi] })).to.equal(
      [
        `for ${USER}, until 1970-01-01T00:00:05.000Z, all or nothing`,
        `in: at least 1 of ${DOLLAR}`,
        `out: at least 7 of ${TARGET}`,
        `1. ${TARGET}.deposit(100% of ${DOLLAR}, ${USER}) [${TARGET} may take 100% of ${DOLLAR}]`,
      ].join("\n"),
    );
  });

  it("declares every live token, at any depth, with the given minimums", () => {
    const abi = parseAbi(["function run((uint256 amount, bytes data)[] parts) payable"]);
    const field = { offset: 0, width: 32, amount: live(EURO) } as const;
    const action = callContract({
      address: TARGET,
      abi,
      functionName: "run",
      args: [[{ amount: live(DOLLAR), data: packed(`0x${"00".repeat(32)}`, [field]) }]],
      value: live("native"),
      approvals: [live(CREDIT, { approve: "target" })],
      tokens: [{ token: EURO, minimumIn: 8n }],
    });
    const call = planned(action).map(readCall)[2];
    const program = decodeProgram((call![4] as unknown[])[1] as `0x${string}`);
    expect(program.tokens).to.deep.equal([
      { token: EURO, keepUnit: false, minimumIn: 8n },
      { token: DOLLAR, keepUnit: false, minimumIn: 1n },
      { token: zeroAddress, keepUnit: false, minimumIn: 1n },
      { token: CREDIT, keepUnit: false, minimumIn: 1n },
    ]);
  });

  it("declares native currency for a fixed value in addition to live amounts", () => {
    const action = callContract({
      address: TARGET,
      abi: payAbi,
      functionName: "pay",
      args: [USER, live(DOLLAR)],
      value: 4n,
    });
    const call = planned(action).map(readCall)[2];
    expect(decodeProgram((call![4] as unknown[])[1] as `0x${string}`).tokens[1]).to.deep.equal({
      token: zeroAddress,
      keepUnit: false,
      minimumIn: 4n,
    });
  });

  describe("brings the tokens of a program", () => {
    const of = (...tokens: (typeof DOLLAR)[]) => ({
      kind: "program" as const,
      program: { recipient: USER, tokens: tokens.map((each) => ({ token: each })), steps: [] },
    });
    const namesOf = (changes: Partial<CallPlan>): unknown[] =>
      planCalls({ ...plan, ...changes })
        .txs.map(readCall)
        .map(([to, name]) => [to, name]);
    const push = [
      [ROUTER, "cleanupErc20s"],
      [PROGRAMS.executor, "execute"],
    ];
    const pull = [
      [DOLLAR, "approve"],
      [PROGRAMS.executor, "pullAndExecute"],
    ];
    const knownAllowance = { allowance: { refusesChange: false } };

    it("by a push, which every token supports", () => {
      expect(namesOf({ actions: [of(DOLLAR)] })).to.deep.equal(push);
      expect(namesOf({ actions: [of(DOLLAR, EURO)] })).to.deep.equal(push);
    });

    it("by a pull if requested, after a reset if the token may require it", () => {
      const programs = { ...PROGRAMS, by: "pull" } as const;
      expect(namesOf({ programs, actions: [{ ...of(DOLLAR), ...knownAllowance }] })).to.deep.equal(pull);
      expect(namesOf({ programs, actions: [of(DOLLAR)] })).to.deep.equal([pull[0], ...pull]);
      expect(namesOf({ programs, actions: [{ ...deposit, ...knownAllowance }] })).to.deep.equal(pull);
    });

    it("by a pull where a push would release the guard of the router's other funds", () => {
      const other = { ...of(DOLLAR), ...knownAllowance };
      expect(namesOf({ actions: [mint, other] }).slice(1, 3)).to.deep.equal(pull);
      expect(namesOf({ destinationCurrency: EURO, actions: [other] }).slice(0, 2)).to.deep.equal(pull);
      // This router keeps its guard.
      const router = localRouterAddress("3.2");
      expect(namesOf({ router, actions: [mint, other] }).slice(1, 3)).to.deep.equal([
        [router, "cleanupErc20s"],
        [PROGRAMS.executor, "execute"],
      ]);
    });
  });

  it("calls the native currency functions of a proxy", () => {
    expect(planned(native).map(readCall).slice(0, 2)).to.deep.equal([
      [ROUTER, "cleanupNativeViaCall", 1n, ROUTER, ["receive"]],
      [ROUTER, "cleanupNativeViaCall", 0n, PROXY, ["executeNative", USER, 1n, 1n, 1n]],
    ]);
  });

  it("does not compile if the call does not match its interface", () => {
    const parts = { address: TARGET, abi: payAbi } as const;
    const wrong = [
      // @ts-expect-error an address is not an amount
      (): unknown => callContract({ ...parts, functionName: "pay", args: [USER, USER] }),
      // @ts-expect-error the interface has no such function
      (): unknown => callContract({ ...parts, functionName: "paid", args: [USER, 1n] }),
      // @ts-expect-error an argument is missing
      (): unknown => callContract({ ...parts, functionName: "pay", args: [USER] }),
      // @ts-expect-error the arguments are missing
      (): unknown => callContract({ ...parts, functionName: "pay" }),
      // @ts-expect-error the function is not payable
      (): unknown => callContract({ ...parts, functionName: "poke", value: 1n }),
      // @ts-expect-error the function is read-only
      (): unknown => callContract({ address: TARGET, abi: erc4626Abi, functionName: "totalAssets" }),
    ];
    expect(wrong).to.have.length(6);
    expect(planned(callContract({ ...parts, functionName: "poke" })).at(-1)?.to).to.equal(ROUTER);
  });
});

describe("planCalls rejects", () => {
  const { programs: _, ...withoutPrograms } = plan;
  const fixedApproval = { token: DOLLAR, amount: 1n };
  const pushes = { ...plan, programs: { ...PROGRAMS, by: "push" } } as const;
  const pulls = { ...plan, programs: { ...PROGRAMS, by: "pull" } } as const;
  const emptyProgram = { recipient: USER, tokens: [{ token: "native" }], steps: [] } as const;
  const refused: Record<string, [run: () => unknown, field: string]> = {
    "live amounts without an executor": [() => planCalls({ ...withoutPrograms, actions: [deposit] }), "programs"],
    "a program without an executor": [
      () => planCalls({ ...withoutPrograms, actions: [{ kind: "program", program: emptyProgram }] }),
      "programs",
    ],
    "a fixed approval in addition to live amounts": [
      () => planned({ ...deposit, approvals: [live(EURO, { approve: "target" }), fixedApproval] }),
      "actions[0].approvals[1]",
    ],
    "a check of a call that the router makes": [
      () => planned({ ...mint, checks: [{ token: EURO, minimumOut: 1n }] }),
      "actions[0].checks",
    ],
    "the allowance state of a call that the router makes": [
      () => planned({ ...mint, allowance: { refusesChange: false } }),
      "actions[0].allowance",
    ],
    "a deadline of a call that the router makes": [() => planned({ ...mint, deadline: 1n }), "actions[0].deadline"],
    "a pull of native": [() => planCalls({ ...pulls, actions: [{ kind: "program", program: emptyProgram }] }), "by"],
    "an invalid value": [() => planned({ ...mint, value: maxUint256 + 1n }), "actions[0].value"],
    "any action after a push": [() => planCalls({ ...pushes, actions: [deposit, token] }), "actions[1]"],
    "a contract after a call from the router": [() => planned(ofRouter, mint), "actions[1]"],
    "a contract after a contract action on the router": [() => planned(ofRouterContract, mint), "actions[1]"],
    "a push that leaves the delivered currency on the router": [
      () => planCalls({ ...plan, actions: [{ kind: "program", program: { ...emptyProgram, tokens: others } }] }),
      "actions[0]",
    ],
    "a push after a contract that can return other currencies": [
      () => planCalls({ ...plan, actions: [mint, { kind: "program", program: { ...emptyProgram, tokens: others } }] }),
      "actions[1]",
    ],
    "a push after native of a proxy": [() => planCalls({ ...pushes, actions: [native, token, deposit] }), "actions[2]"],
    "a pull after native of a proxy": [() => planned(native, token, deposit), "actions[2]"],
    "a plain call after native of a proxy": [() => planned(native, { kind: "call", call: deposit0 }), "actions[1]"],
  };
  const others = [EURO, CREDIT].map((each) => ({ token: each }));
  const ofRouterContract = callContract({
    address: ROUTER,
    abi: parseAbi(["function cleanupNative(uint256, address, bytes)"]),
    functionName: "cleanupNative",
    args: [0n, USER, "0x"],
  });
  const deposit0: Call = { to: TARGET, data: "0x", value: "0" };
  for (const [name, [run, field]] of Object.entries(refused)) {
    it(name, () => {
      expect(refusal(run)).to.include({ code: "INVALID_INPUT", field });
    });
  }

  it("calls while the guard is held, or without funds after its release", () => {
    expect(planned(mint, token, deposit).length).to.be.above(4);
    expect(planned(ofRouter, token, native).length).to.be.above(4);
    expect(planCalls({ ...pulls, actions: [deposit, token, mint] }).txs.length).to.be.above(4);
    expect(planned(token, { kind: "program", program: { ...emptyProgram, tokens: others } }).length).to.equal(5);
  });
});

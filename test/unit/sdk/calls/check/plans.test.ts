import { expect } from "chai";
import fc from "fast-check";
import { type Address, maxUint256 } from "viem";

import {
  checkCalls,
  type CheckCallsParameters,
  encodeProgram,
  type PlannedAction,
  planCalls,
  type Program,
  pushAndExecute,
} from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_PROXY, OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import { approve, CONTRACTS, EXECUTOR, found, NATIVE, POOL, PULLER, STRANGER, sweep, sweepNative } from "./fixtures.ts";

const contracts = {
  ...CONTRACTS,
  proxies: [...(CONTRACTS.proxies ?? []), { address: OTHER_PROXY, inputToken: OTHER_TOKEN }],
};
const programOf = (...tokens: (Address | "native")[]): Program => ({
  recipient: RECIPIENT,
  tokens: tokens.map((token) => ({ token })),
  steps: [{ target: POOL, data: "0x12345678" }],
});
const program = (...tokens: (Address | "native")[]): Extract<PlannedAction, { kind: "program" }> => ({
  kind: "program",
  program: programOf(...tokens),
});
const proxy = (token: Address, address: Address, refusesChange = false): PlannedAction & { token: Address } => ({
  kind: "proxy",
  token,
  proxy: address,
  recipient: RECIPIENT,
  minimumOut: 2n,
  deadline: maxUint256,
  allowance: { refusesChange },
});
const asActions = (calls: readonly Call[]): PlannedAction[] => calls.map((call) => ({ kind: "call", call }));
type Terms = Pick<Parameters<typeof planCalls>[0], "tradeType" | "destinationCurrency" | "amount"> & {
  readonly by: "push" | "pull";
};

function planned(actions: readonly PlannedAction[], terms: Partial<Terms> = {}): CheckCallsParameters {
  const { by = "push", ...given } = terms;
  const all = { tradeType: "EXACT_INPUT", destinationCurrency: TOKEN, amount: 7n, ...given } as const;
  const { destinationCurrency } = all;
  const programs = { executor: EXECUTOR, livePuller: PULLER, by };
  const { txs, amount, tradeType } = planCalls({ ...all, router: ROUTER, recipient: RECIPIENT, actions, programs });
  return { tradeType, amount, txs, destinationCurrency, recipient: RECIPIENT, refundTo: RECIPIENT, contracts };
}

const PLANS: Record<string, CheckCallsParameters> = {
  "a proxy": planned([proxy(TOKEN, PROXY)]),
  "a proxy with EXACT_OUTPUT": planned([proxy(TOKEN, PROXY)], { tradeType: "EXACT_OUTPUT" }),
  "a proxy that resets first": planned([proxy(TOKEN, PROXY, true)]),
  "two proxies": planned([proxy(TOKEN, PROXY), proxy(OTHER_TOKEN, OTHER_PROXY)]),
  "a pushed program": planned([program(TOKEN)]),
  "a program of native": planned([program("native")], { destinationCurrency: NATIVE }),
  "a program of a token and native": planned([program(TOKEN, "native")]),
  "a pulled program": planned([program(TOKEN)], { by: "pull" }),
  "a pulled program that resets first": planned([{ ...program(TOKEN), allowance: { refusesChange: true } }], {
    by: "pull",
  }),
  "a proxy, then a program": planned([proxy(OTHER_TOKEN, OTHER_PROXY), program(TOKEN)]),
  "native values": planned(asActions([{ to: STRANGER, data: "0x12345678", value: "7" }]), {
    tradeType: "EXACT_OUTPUT",
    destinationCurrency: NATIVE,
  }),
};

describe("checkCalls: plans from the planner", () => {
  for (const [name, plan] of Object.entries(PLANS)) {
    it(`reports nothing for ${name}`, () => {
      expect(checkCalls(plan)).to.deep.equal([]);
    });
  }

  it("reports no error or warning for any plan of known contracts", () => {
    const proxies = fc.subarray([proxy(TOKEN, PROXY), proxy(TOKEN, PROXY, true), proxy(OTHER_TOKEN, OTHER_PROXY)]);
    const programs = fc.constantFrom([], [program(OTHER_TOKEN)], [program(OTHER_TOKEN, "native")]);
    const tradeType = fc.constantFrom("EXACT_INPUT", "EXACT_OUTPUT");
    fc.assert(
      fc.property(
        fc.tuple(proxies, programs).map((parts) => parts.flat()),
        tradeType,
        fc.bigInt(1n, 2n ** 90n),
        (actions, type, amount) => {
          // A second use of a token's entire balance is one too many.
          const tokens = actions.map((each) => ("token" in each ? each.token : OTHER_TOKEN));
          fc.pre(actions.length > 0 && new Set(tokens).size === actions.length);
          // The planner rejects a push while the router holds the delivered currency.
          fc.pre(actions.every(({ kind }) => kind === "proxy") || tokens.includes(TOKEN));
          const plan = planned(actions, { tradeType: type, amount });
          expect(checkCalls({ ...plan, contracts: { ...contracts, trusted: [POOL] } })).to.deep.equal([]);
        },
      ),
      { seed: 1 },
    );
  });
});

describe("checkCalls: programs", () => {
  it("warns about an unknown target in a program while the router holds another token", () => {
    const good = planned([proxy(TOKEN, PROXY)]);
    const run = pushAndExecute({
      router: ROUTER,
      executor: EXECUTOR,
      program: encodeProgram(programOf(OTHER_TOKEN), { executor: EXECUTOR, livePuller: PULLER, router: ROUTER }),
    });
    expect(found({ ...good, txs: [...run, ...txsOf(good)] })).to.deep.include(["UNTRUSTED_AFTER_SELF_CALL", 1]);
    expect(found(planned([proxy(TOKEN, PROXY), program(OTHER_TOKEN)]))).to.deep.equal([]);
  });
});

/** Variants of the calls [approve, execute, sweep, sweep native, reset], each broken in a different way. */
const txsOf = (parameters: CheckCallsParameters): Call[] => ("request" in parameters ? [] : [...parameters.txs]);
const [approval, execution] = txsOf(planned([proxy(TOKEN, PROXY)])) as [Call, Call];
const tokenSweep = sweep(TOKEN, RECIPIENT);
const nativeSweep = sweepNative();
const reset = approve(TOKEN, PROXY, 0n);
const good: CheckCallsParameters = {
  ...planned([proxy(TOKEN, PROXY)]),
  txs: [approval, execution, tokenSweep, nativeSweep, reset],
};
const broken = (...txs: Call[]): CheckCallsParameters => ({ ...good, txs });

const MUTANTS: Record<string, [CheckCallsParameters, [code: string, index: number | undefined][]]> = {
  "no approval": [broken(execution, tokenSweep, nativeSweep), [["APPROVAL_MISSING", 0]]],
  "the approval last": [broken(execution, tokenSweep, nativeSweep, approval), [["APPROVAL_AFTER_USE", 3]]],
  "another spender": [
    broken(approve(TOKEN, STRANGER, maxUint256), execution, tokenSweep, nativeSweep, approve(TOKEN, STRANGER, 0n)),
    [
      ["APPROVAL_TO_OTHER_SPENDER", 0],
      ["UNLIMITED_APPROVAL", 0],
    ],
  ],
  "another token": [
    broken(
      approve(OTHER_TOKEN, PROXY, maxUint256),
      execution,
      tokenSweep,
      nativeSweep,
      approve(OTHER_TOKEN, PROXY, 0n),
    ),
    [["APPROVAL_MISSING", 1]],
  ],
  "an approval that is revoked immediately": [
    broken(approval, reset, execution, tokenSweep, nativeSweep),
    [["APPROVAL_MISSING", 2]],
  ],
  "an amount in the approval": [
    broken(approve(TOKEN, PROXY, 5n), execution, tokenSweep, nativeSweep),
    [["AMOUNT_IN_CALL_DATA", 0]],
  ],
  "the executor approved": [
    broken(
      approve(TOKEN, EXECUTOR, maxUint256),
      approval,
      execution,
      tokenSweep,
      nativeSweep,
      reset,
      approve(TOKEN, EXECUTOR, 0n),
    ),
    [["ANY_CALLER_APPROVED", 0]],
  ],
  "no reset": [broken(approval, execution, approve(OTHER_TOKEN, POOL, 5n)), [["ALLOWANCE_LEFT", 2]]],
  "the sweep first": [broken(tokenSweep, approval, execution, nativeSweep, reset), [["CLEANUP_BEFORE_USE", 0]]],
  "a sweep to the router": [
    broken(approval, execution, sweep(TOKEN, ROUTER), nativeSweep, reset),
    [["RECIPIENT_IS_ROUTER", 2]],
  ],
  "a sweep to the token": [
    broken(approval, execution, sweep(TOKEN, TOKEN), nativeSweep, reset),
    [["RECIPIENT_IS_TOKEN", 2]],
  ],
  "an amount in the sweep": [
    broken(approval, execution, sweep(TOKEN, RECIPIENT, 5n), nativeSweep, reset),
    [["AMOUNT_IN_CALL_DATA", 2]],
  ],
  "the proxy twice": [broken(approval, execution, execution, tokenSweep, nativeSweep, reset), [["DUPLICATE_CALL", 2]]],
  "half of the call": [
    broken(approval, { ...execution, data: execution.data.slice(0, 74) }, tokenSweep, nativeSweep, reset),
    [["DATA_TOO_SHORT", 1]],
  ],
  "half a byte": [
    broken(approval, execution, tokenSweep, { ...nativeSweep, data: nativeSweep.data.slice(0, -1) }, reset),
    [["MALFORMED_CALL", 3]],
  ],
  "the sweep elsewhere": [
    broken(approval, execution, { ...tokenSweep, to: STRANGER }, nativeSweep, reset),
    [["ROUTER_CALL_ELSEWHERE", 2]],
  ],
  EXPECTED_OUTPUT: [{ ...good, tradeType: "EXPECTED_OUTPUT" }, [["CALLS_NOT_SUPPORTED", undefined]]],
  "a value": [
    {
      ...good,
      tradeType: "EXACT_OUTPUT",
      txs: [approval, { ...execution, value: "1" }, tokenSweep, nativeSweep, reset],
    },
    [["VALUE_WITHOUT_NATIVE", 1]],
  ],
};

describe("checkCalls: a broken plan", () => {
  for (const [name, [parameters, findings]] of Object.entries(MUTANTS)) {
    it(`is reported for ${name}`, () => {
      expect(found(parameters)).to.deep.equal(findings);
    });
  }

  it("has the same findings for the same calls, in any order", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(txsOf(good), { minLength: 1 }), (txs) => {
        expect(checkCalls(broken(...txs))).to.deep.equal(checkCalls(broken(...structuredClone(txs))));
      }),
      { seed: 1 },
    );
  });

  it("is reported for addresses in any letter case", () => {
    const lower = JSON.parse(JSON.stringify(good).toLowerCase().replaceAll('"exact_input"', '"EXACT_INPUT"')) as object;
    const names: Partial<Record<string, string>> = {
      destinationcurrency: "destinationCurrency",
      tradetype: "tradeType",
      refundto: "refundTo",
    };
    const plan = Object.fromEntries(
      Object.entries(lower).map(([name, value]) => [names[name] ?? name, value as unknown]),
    );
    expect(checkCalls({ ...plan, contracts } as unknown as CheckCallsParameters)).to.deep.equal([]);
  });
});

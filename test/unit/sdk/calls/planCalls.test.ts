import { expect } from "chai";
import { readFileSync } from "node:fs";
import { type Address, maxUint256, zeroAddress } from "viem";

import { type CallPlan, planCalls, type ProxyAction } from "../../../../packages/sdk/src/calls/planCalls.ts";
import type { Call } from "../../../../packages/protocol/src/common/call.ts";
import { refusal } from "../../../support/rejection.ts";
import { OTHER_PROXY, OTHER_RECIPIENT, OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "./accounts.ts";
import { callsOf, readCall, type ReadCall } from "./recipes/protocolAbis.ts";
import type { CallFinding } from "../../../../packages/sdk/src/calls/check/rules.ts";

const proxy: ProxyAction = {
  kind: "proxy",
  token: TOKEN,
  proxy: PROXY,
  recipient: OTHER_RECIPIENT,
  minimumIn: 5n,
  minimumOut: 6n,
  deadline: 7n,
};
const otherProxy: ProxyAction = { ...proxy, token: OTHER_TOKEN, proxy: OTHER_PROXY, minimumIn: 8n };
const plain: Call = { to: OTHER_PROXY, data: "0xdeadbeef", value: "60" };
const plan: CallPlan = {
  tradeType: "EXACT_INPUT",
  router: ROUTER,
  destinationCurrency: TOKEN,
  actions: [proxy],
  recipient: RECIPIENT,
  amount: 100n,
};

const { approval, sweep, sweepNative: nativeSweep } = callsOf(ROUTER, RECIPIENT);
const execution = (to: Address, minimumIn: bigint): ReadCall => [to, "execute", OTHER_RECIPIENT, minimumIn, 6n, 7n];

const readTxs = (changes: Partial<CallPlan>): (ReadCall | Call)[] =>
  planCalls({ ...plan, ...changes }).txs.map((tx) => (tx.data === plain.data ? tx : readCall(tx)));

describe("planCalls: order of the calls", () => {
  const raised = (token: Address, spender: Address) => [
    approval(token, spender, 0n),
    approval(token, spender, maxUint256),
  ];

  it("for a proxy: approval that any token accepts, call; nothing remains to be swept", () => {
    expect(readTxs({})).to.deep.equal([...raised(TOKEN, PROXY), execution(PROXY, 5n)]);
    expect(readTxs({ actions: [{ ...proxy, allowance: { refusesChange: true } }] })).to.deep.equal(readTxs({}));
  });

  it("for a token that accepts every allowance change: no reset", () => {
    expect(readTxs({ actions: [{ ...proxy, allowance: { refusesChange: false } }] })).to.deep.equal([
      approval(TOKEN, PROXY, maxUint256),
      execution(PROXY, 5n),
    ]);
  });

  it("for a token whose behavior only one proxy states: resets for the other proxy only", () => {
    const known = { ...proxy, allowance: { refusesChange: false, standing: 5n } };
    const unknown = { ...proxy, proxy: OTHER_PROXY };
    const first = [approval(TOKEN, PROXY, maxUint256), execution(PROXY, 5n)];
    const second = [...raised(TOKEN, OTHER_PROXY), execution(OTHER_PROXY, 5n)];
    expect(readTxs({ actions: [known, unknown] })).to.deep.equal([...first, ...second]);
    expect(readTxs({ actions: [unknown, known] })).to.deep.equal([...second, ...first]);
  });

  it("for two proxies: one after the other", () => {
    expect(readTxs({ actions: [proxy, otherProxy] })).to.deep.equal([
      ...raised(TOKEN, PROXY),
      execution(PROXY, 5n),
      ...raised(OTHER_TOKEN, OTHER_PROXY),
      execution(OTHER_PROXY, 8n),
    ]);
  });

  it("for plain calls: unchanged, with every currency swept that they could return", () => {
    expect(readTxs({ actions: [{ kind: "call", call: plain }] })).to.deep.equal([plain, sweep(TOKEN), nativeSweep]);
    // The second proxy takes the other token, so that only the first one can return.
    expect(readTxs({ actions: [proxy, { kind: "call", call: plain }, otherProxy] })).to.deep.equal([
      ...raised(TOKEN, PROXY),
      execution(PROXY, 5n),
      plain,
      ...raised(OTHER_TOKEN, OTHER_PROXY),
      execution(OTHER_PROXY, 8n),
      sweep(TOKEN),
      nativeSweep,
    ]);
  });

  it("for plain calls with the native currency: no token is swept", () => {
    const accepts = ["NATIVE_VALUE_WITH_EXACT_INPUT"] as const;
    expect(
      readTxs({ destinationCurrency: zeroAddress, actions: [{ kind: "call", call: plain }], accepts }),
    ).to.deep.equal([plain, nativeSweep]);
  });

  it("for a proxy that does not take the delivered currency: that currency is swept", () => {
    expect(readTxs({ destinationCurrency: zeroAddress }).slice(3)).to.deep.equal([nativeSweep]);
    expect(readTxs({ destinationCurrency: OTHER_TOKEN }).slice(3)).to.deep.equal([sweep(OTHER_TOKEN)]);
  });

  it("for sweeps: each token once, in any letter case", () => {
    const lowerCase = TOKEN.toLowerCase() as Address;
    const actions = [{ ...proxy, token: lowerCase }, { kind: "call", call: plain } as const];
    expect(readTxs({ actions }).slice(4)).to.deep.equal([sweep(TOKEN), nativeSweep]);
  });
});

describe("planCalls: errors from the checker", () => {
  const sends: Partial<CallPlan> = { destinationCurrency: zeroAddress, actions: [{ kind: "call", call: plain }] };

  it("reject the plan, and are reported with their call", () => {
    const { code, findings } = refusal(() => planCalls({ ...plan, ...sends }));
    const found = (findings as CallFinding[]).map((finding) => [finding.code, finding.severity, finding.index]);
    expect([code, found]).to.deep.equal(["CALLS_REFUSED", [["NATIVE_VALUE_WITH_EXACT_INPUT", "error", 0]]]);
  });

  it("are allowed only if the caller accepts them", () => {
    const accepts = ["NATIVE_VALUE_WITH_EXACT_INPUT"] as const;
    expect(planCalls({ ...plan, ...sends, accepts }).txs).to.have.length(2);
    expect(refusal(() => planCalls({ ...plan, ...sends, accepts: ["AMOUNT_IN_CALL_DATA"] })).code).to.equal(
      "CALLS_REFUSED",
    );
  });
});

describe("planCalls: amount", () => {
  const native: Partial<CallPlan> = { tradeType: "EXACT_OUTPUT", destinationCurrency: zeroAddress };
  const { amount: _, ...withoutAmount } = plan;
  const calls: CallPlan["actions"] = [
    { kind: "call", call: plain },
    { kind: "call", call: { ...plain, value: "40" } },
  ];

  it("with EXACT_INPUT is the user's input, for any values", () => {
    const accepts = ["NATIVE_VALUE_WITH_EXACT_INPUT"] as const;
    const { amount, tradeType } = planCalls({ ...plan, actions: calls, amount: 7n, accepts });
    expect([amount, tradeType]).to.deep.equal(["7", "EXACT_INPUT"]);
    expect(
      planCalls({ ...plan, destinationCurrency: zeroAddress, actions: calls, amount: 7n, accepts }).amount,
    ).to.equal("7");
  });

  it("with EXACT_OUTPUT of a token is the amount that the calls need", () => {
    const { amount, tradeType } = planCalls({ ...plan, tradeType: "EXACT_OUTPUT", amount: 7n });
    expect([amount, tradeType]).to.deep.equal(["7", "EXACT_OUTPUT"]);
  });

  it("with EXACT_OUTPUT of the native currency is the sum of the values, given or not", () => {
    expect(planCalls({ ...withoutAmount, ...native, actions: calls }).amount).to.equal("100");
    expect(planCalls({ ...plan, ...native, actions: calls, amount: 100n }).amount).to.equal("100");
  });

  const refused: Record<string, [CallPlan, string, string | undefined]> = {
    "no action": [{ ...plan, actions: [] }, "actions", "[]"],
    "EXACT_INPUT without an amount": [withoutAmount, "amount", undefined],
    "EXACT_INPUT of zero": [{ ...plan, amount: 0n }, "amount", "0"],
    "EXACT_INPUT below zero": [{ ...plan, amount: -1n }, "amount", "-1"],
    "EXACT_OUTPUT of a token without an amount": [{ ...withoutAmount, tradeType: "EXACT_OUTPUT" }, "amount", undefined],
    "EXACT_OUTPUT of a token of zero": [{ ...plan, tradeType: "EXACT_OUTPUT", amount: 0n }, "amount", "0"],
    "EXACT_OUTPUT of native above the sum": [{ ...plan, ...native, actions: calls, amount: 101n }, "amount", "101"],
    "EXACT_OUTPUT of native below the sum": [{ ...plan, ...native, actions: calls, amount: 99n }, "amount", "99"],
    "EXACT_OUTPUT of native with values that add up to zero": [{ ...withoutAmount, ...native }, "amount", undefined],
    "EXACT_OUTPUT of native with a value that is not an amount, by its position in the plan": [
      { ...withoutAmount, ...native, actions: [proxy, { kind: "call", call: { ...plain, value: "0x1" } }] },
      "actions[1].call.value",
      '"0x1"',
    ],
  };
  for (const [name, [given, field, value]] of Object.entries(refused)) {
    it(`is rejected for ${name}`, () => {
      expect(refusal(() => planCalls(given))).to.deep.equal({ code: "INVALID_INPUT", field, value });
    });
  }
});

interface Vector {
  readonly router: Address;
  readonly token?: Address;
  readonly proxy: Address;
  readonly recipient: Address;
  readonly minimumIn: string;
  readonly minimumOut: string;
  readonly deadline: string;
  readonly txs: readonly Call[];
}

const VECTORS = new URL("../../../vectors/", import.meta.url);

// Solidity tests compare the calls of `FillTest` with the same files.
describe("planCalls: calls that the Solidity test helper also builds", () => {
  for (const name of ["planned-execute", "planned-execute-native"]) {
    it(name, () => {
      const vector = JSON.parse(readFileSync(new URL(`${name}.json`, VECTORS), "utf8")) as Vector;
      expect(planOf(vector)).to.deep.equal(vector.txs);
    });
  }
});

function planOf({ router, token, proxy, recipient, ...limits }: Vector): readonly Call[] {
  const execution = {
    kind: "proxy",
    proxy,
    recipient,
    minimumIn: BigInt(limits.minimumIn),
    minimumOut: BigInt(limits.minimumOut),
    deadline: BigInt(limits.deadline),
  } as const;
  const action: ProxyAction =
    token === undefined ? { ...execution, functionName: "executeNative" } : { ...execution, token };
  return planCalls({
    tradeType: "EXACT_INPUT",
    router,
    destinationCurrency: token ?? zeroAddress,
    recipient,
    amount: 100n,
    actions: [action],
  }).txs;
}

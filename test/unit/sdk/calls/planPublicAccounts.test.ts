import { expect } from "chai";
import { type Address, encodeFunctionData, getAddress, type Hex, maxUint256, parseAbi } from "viem";

import * as calls from "../../../../packages/sdk/src/calls/index.ts";
import type { CallPlan } from "../../../../packages/sdk/src/calls/planCalls.ts";
import { refusal } from "../../../support/rejection.ts";
import { OTHER_PROXY, OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "./accounts.ts";
import { call, execute, EXECUTOR, POOL, PULLER, STRANGER, supply, VAULT } from "./check/fixtures.ts";

const poolAbi = parseAbi([
  "function supply(address asset, uint256 amount, address user, uint16 referralCode)",
  "struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Swap params) payable",
  "function multicall(uint256 deadline, bytes[] data)",
  "function submit(address referral) payable",
  "function deposit(uint256 assets, address receiver)",
  "function supply(address asset, uint256 amount)",
]);
const deposit = { target: VAULT, abi: poolAbi, functionName: "deposit" } as const;
const all = calls.live(TOKEN, { approve: "target" });
const plan: CallPlan = {
  tradeType: "EXACT_INPUT",
  router: ROUTER,
  destinationCurrency: TOKEN,
  recipient: RECIPIENT,
  amount: 100n,
  actions: [],
  programs: { executor: EXECUTOR, livePuller: PULLER },
};

/** Actions that credit a given account, and the field that names the account. */
const ACTIONS: Record<string, [action: (account: Address) => calls.PlannedAction, field: string]> = {
  "a proxy's recipient": [
    (recipient) => ({ kind: "proxy", token: TOKEN, proxy: PROXY, recipient, minimumOut: 9n, deadline: 1n }),
    "actions[0].recipient",
  ],
  "a native proxy's recipient": [
    (recipient) => ({ kind: "proxy", functionName: "executeNative", proxy: PROXY, recipient, deadline: 1n }),
    "actions[0].recipient",
  ],
  "a proxy's borrower": [
    (borrower) => ({ kind: "proxy", functionName: "repay", token: TOKEN, proxy: PROXY, borrower, deadline: 1n }),
    "actions[0].borrower",
  ],
  "a live supply": [
    (account) =>
      calls.callContract({ address: POOL, abi: poolAbi, functionName: "supply", args: [TOKEN, all, account, 0] }),
    "actions[0].args[2]",
  ],
  "a live swap to an account other than its caller": [
    (recipient) =>
      calls.callContract({
        address: POOL,
        abi: poolAbi,
        functionName: "exactInputSingle",
        args: [
          {
            tokenIn: TOKEN,
            tokenOut: OTHER_TOKEN,
            fee: 500,
            recipient,
            amountIn: all,
            amountOutMinimum: 90n,
            sqrtPriceLimitX96: 0n,
          },
        ],
      }),
    "actions[0].args[0].recipient",
  ],
  "a supply inside a live multicall": [
    (account) =>
      calls.callContract({
        address: POOL,
        abi: poolAbi,
        functionName: "multicall",
        args: [maxUint256, [supply(TOKEN, 1n, account).data as Hex]],
        approvals: [all],
      }),
    "actions[0].args",
  ],
  "a step's receiver": [
    (receiver) => ({
      kind: "program",
      program: {
        recipient: RECIPIENT,
        tokens: [{ token: TOKEN }],
        steps: [{ target: STRANGER, data: "0x12345678" }, calls.callFunction({ ...deposit, args: [all, receiver] })],
      },
    }),
    "actions[0].program.steps[1].args[1]",
  ],
  "a typed proxy called by a step with data": [
    (receiver) => ({
      kind: "program",
      program: {
        recipient: RECIPIENT,
        tokens: [{ token: TOKEN }],
        steps: [{ target: OTHER_PROXY, data: execute(OTHER_PROXY, { recipient: receiver }).data as Hex }],
      },
    }),
    "actions[0].program.steps[0].data",
  ],
};

describe("planCalls and public accounts", () => {
  for (const [name, [action, field]] of Object.entries(ACTIONS)) {
    it(`rejects a public account as ${name}, with the field and the value`, () => {
      for (const account of [ROUTER, EXECUTOR, PULLER]) {
        expect(refusal(() => calls.planCalls({ ...plan, actions: [action(account)] }))).to.deep.equal({
          code: "INVALID_INPUT",
          field,
          value: JSON.stringify(account),
        });
      }
      expect(calls.planCalls({ ...plan, actions: [action(RECIPIENT)] }).txs.length).to.be.above(1);
    });
  }

  it("rejects an encoded call, and a step that credits the executor as its caller", () => {
    const finished: calls.PlannedAction = {
      kind: "call",
      call: {
        to: POOL,
        data: encodeFunctionData({
          abi: parseAbi(["function repay(address asset, uint256 amount, uint256 mode, address onBehalfOf)"]),
          args: [TOKEN, 100n, 2n, ROUTER],
        }),
        value: "0",
      },
    };
    const ofCaller = calls.callContract({ address: POOL, abi: poolAbi, functionName: "supply", args: [TOKEN, all] });
    expect(refusal(() => calls.planCalls({ ...plan, actions: [finished] }))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "actions[0].call.data",
      value: JSON.stringify(ROUTER),
    });
    expect(refusal(() => calls.planCalls({ ...plan, actions: [ofCaller] }))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "actions[0].functionName",
      value: JSON.stringify(EXECUTOR),
    });
  });

  it("rejects public accounts as the plan's recipient, from every option", () => {
    const { actions: _, destinationCurrency: _delivered, programs, ...terms } = plan;
    const byProxy = { kind: "proxy", token: TOKEN, proxy: PROXY, recipient: STRANGER, deadline: 1n } as const;
    for (const recipient of [EXECUTOR, PULLER]) {
      const refused = { code: "INVALID_INPUT", field: "recipient", value: JSON.stringify(recipient) };
      const recipe = {
        ...terms,
        recipe: calls.erc4626Deposit,
        args: { vault: VAULT, asset: TOKEN },
        amount: 100n,
      } as const;
      const exact = { ...recipe, tradeType: "EXACT_INPUT", recipient, programs: programs! } as const;
      expect(refusal(() => calls.planCalls({ ...plan, recipient, actions: [byProxy] }))).to.deep.equal(refused);
      expect(refusal(() => calls.planRecipe(exact))).to.deep.equal(refused);
      expect(refusal(() => calls.planRecipe({ ...exact, proxy: PROXY }))).to.deep.equal(refused);
    }
  });

  it("accepts public accounts if the caller accepts the rule's code, with addresses in any letter case", () => {
    const [action] = ACTIONS["a step's receiver"]!;
    const lower = { ...plan, actions: [action(getAddress(EXECUTOR).toLowerCase() as Address)] };
    expect(refusal(() => calls.planCalls(lower)).field).to.equal("actions[0].program.steps[1].args[1]");
    expect(calls.planCalls({ ...lower, accepts: ["STEP_CREDITS_PUBLIC_ACCOUNT"] }).txs.length).to.be.above(1);
    expect(refusal(() => calls.planCalls({ ...lower, accepts: ["PUBLIC_ACCOUNT_CREDITED"] })).code).to.equal(
      "INVALID_INPUT",
    );
  });

  it("plans a swap to the executor if the next step uses its output", () => {
    const swap = call(POOL, "swapExactTokensForTokens(uint256, uint256, address[], address, uint256)", [
      100n,
      90n,
      [TOKEN, OTHER_TOKEN],
      EXECUTOR,
      maxUint256,
    ]);
    const program: calls.Program = {
      recipient: RECIPIENT,
      tokens: [{ token: TOKEN }, { token: OTHER_TOKEN, minimumIn: 0n }],
      steps: [
        { target: POOL, data: swap.data as Hex, approvals: [all] },
        calls.callFunction({ ...deposit, args: [calls.live(OTHER_TOKEN, { approve: "target" }), RECIPIENT] }),
      ],
    };
    expect(calls.planCalls({ ...plan, actions: [{ kind: "program", program }] }).txs.length).to.be.above(1);
  });
});

import { expect } from "chai";
import { decodeAbiParameters, type Hex, maxUint256, parseAbi, parseAbiParameters, zeroAddress } from "viem";

import * as calls from "../../../../packages/sdk/src/calls/index.ts";
import type { AllowanceState } from "../../../../packages/sdk/src/calls/raiseAllowance.ts";
import { refusal } from "../../../support/rejection.ts";
import { callsOf, readCall, type ReadCall } from "./recipes/protocolAbis.ts";
import {
  account,
  AMOUNT,
  CREDIT,
  DEADLINE,
  DOLLAR,
  EURO,
  MARKET,
  MINIMUM,
  mintAbi,
  plan,
  planLive,
  PROGRAMS,
  PROXY,
  ROUTER,
  TARGET,
  USER,
  useOf,
  WETH,
} from "./recipes/uses.ts";

const PATH = `0x${"d1".repeat(20)}0001f4${"e7".repeat(20)}000bb8${"e1".repeat(20)}`;
const ALL = 2n ** 255n;

const abiOfDeposit = parseAbi(["function deposit(uint256 assets, address receiver)"]);

const { sweep, sweepNative, ...expected } = callsOf(ROUTER, USER);
const approval = (amount: bigint, spender = TARGET, token = DOLLAR) => expected.approval(token, spender, amount);
const requireNative: ReadCall = [ROUTER, "cleanupNativeViaCall", 1n, ROUTER, ["receive"]];
/** Approval of a token whose behavior is unknown. */
const raised = (amount: bigint, spender = TARGET, token = DOLLAR): ReadCall[] => [
  approval(0n, spender, token),
  approval(amount, spender, token),
];
/** Returns a call that takes exactly the approved dollars, with the calls around it. */
const taking = (call: ReadCall, ...credited: string[]): ReadCall[] => [
  ...raised(AMOUNT),
  call,
  sweep(DOLLAR, ...credited),
];
const first = { recipient: USER, deadline: DEADLINE, amountIn: AMOUNT, amountOutMinimum: MINIMUM };
const { deadline: _, ...second } = first;

/** Router's calls for a fixed amount, and their targets. */
const FIXED: Record<string, ReadCall[]> = {
  "erc4626.deposit": taking([TARGET, "deposit", AMOUNT, USER]),
  "aaveV3.supply": taking([TARGET, "supply", DOLLAR, AMOUNT, USER, 0]),
  "aaveV3.repay": [...taking([TARGET, "repay", DOLLAR, AMOUNT, 2n, USER]), approval(0n)],
  "compoundV3.supply": taking([TARGET, "supplyTo", USER, DOLLAR, AMOUNT]),
  "uniswapV2.swap": taking([TARGET, "swapExactTokensForTokens", AMOUNT, MINIMUM, [DOLLAR, WETH, EURO], USER, DEADLINE]),
  "uniswapV2.swap, native in": [
    [TARGET, "swapExactETHForTokens", MINIMUM, [WETH, EURO], USER, DEADLINE, { value: "1000" }],
    sweepNative,
  ],
  "uniswapV2.swap, native out": taking([
    TARGET,
    "swapExactTokensForETH",
    AMOUNT,
    MINIMUM,
    [DOLLAR, WETH],
    USER,
    DEADLINE,
  ]),
  // The router takes less if the pool has too little liquidity.
  "uniswapV3.swap, first": [...taking([TARGET, "exactInput", { ...first, path: PATH }]), approval(0n)],
  "uniswapV3.swap, second": [...taking([TARGET, "exactInput", { ...second, path: PATH }]), approval(0n)],
  "uniswapV3.swap, first, one pool": [
    ...taking([
      TARGET,
      "exactInputSingle",
      { ...first, tokenIn: DOLLAR, tokenOut: EURO, fee: 500, sqrtPriceLimitX96: 0n },
    ]),
    approval(0n),
  ],
  "uniswapV3.swap, second, one pool, native in": [
    [
      TARGET,
      "exactInputSingle",
      { ...second, tokenIn: WETH, tokenOut: EURO, fee: 500, sqrtPriceLimitX96: 0n },
      { value: "1000" },
    ],
    sweepNative,
  ],
  "morphoBlue.supply": taking([TARGET, "supply", MARKET, AMOUNT, 0n, USER, "0x"]),
  "morphoBlue.supplyCollateral": [
    ...raised(AMOUNT, TARGET, EURO),
    [TARGET, "supplyCollateral", MARKET, AMOUNT, USER, "0x"],
    sweep(EURO),
  ],
  "morphoBlue.repay": taking([TARGET, "repay", MARKET, AMOUNT, 0n, USER, "0x"]),
  "curve.exchange, receiver": taking([TARGET, "exchange", 1n, 0n, AMOUNT, MINIMUM, USER]),
  "curve.exchange, no receiver": taking([TARGET, "exchange", 1n, 0n, AMOUNT, MINIMUM], EURO),
  "curve.exchange, uint256": taking([TARGET, "exchange", 1n, 0n, AMOUNT, MINIMUM, USER]),
  "curve.exchange, native in": [
    [TARGET, "exchange", 1n, 0n, AMOUNT, MINIMUM, { value: "1000" }],
    sweep(EURO),
    sweepNative,
  ],
  "curve.exchange, native out": [...taking([TARGET, "exchange", 1n, 0n, AMOUNT, MINIMUM]), sweepNative],
  "curve.addLiquidity, dynamic": taking([TARGET, "add_liquidity", [0n, AMOUNT], MINIMUM, USER]),
  "curve.addLiquidity, fixed": taking([TARGET, "add_liquidity", [0n, AMOUNT, 0n], MINIMUM], CREDIT),
  "lido.submit": [[TARGET, "submit", zeroAddress, { value: "1000" }], sweep(TARGET), sweepNative],
  "lido.submitAndWrap": [[TARGET, "receive", { value: "1000" }], sweep(TARGET), sweepNative],
  "lido.wrap": taking([TARGET, "wrap", AMOUNT], TARGET),
  "wrappedNative.wrap": [[WETH, "deposit", { value: "1000" }], sweep(WETH), sweepNative],
  "wrappedNative.unwrap": [[WETH, "withdraw", AMOUNT], sweep(WETH), sweepNative],
  "nft.mintWithNative": [[TARGET, "mint", USER, 3n, { value: "1000" }], sweepNative],
  "nft.mintWithToken": [...taking([TARGET, "mint", USER, 3n]), approval(0n)],
};

describe("planRecipe with EXACT_OUTPUT", () => {
  for (const [name, txs] of Object.entries(FIXED)) {
    it(`calls the protocol directly: ${name}`, () => {
      const planned = plan(useOf(name));
      expect(planned.txs.map(readCall)).to.deep.equal(txs);
      const isNative = planned.destinationCurrency === zeroAddress;
      expect(isNative).to.equal(
        txs.some((call) => typeof call.at(-1) === "object" && "value" in (call.at(-1) as object)),
      );
      expect([planned.amount, planned.tradeType]).to.deep.equal(["1000", "EXACT_OUTPUT"]);
    });
  }

  it("sends tokens to the universal router, which uses its entire balance", () => {
    const { txs } = plan(useOf("universalRouter.swap, v3"));
    expect(txs.map(readCall).map(([to, name]) => [to, name])).to.deep.equal([
      [DOLLAR, "transfer"],
      [TARGET, "execute"],
      [ROUTER, "cleanupErc20s"],
    ]);
    expect(readCall(txs[0]!).slice(2)).to.deep.equal([TARGET, AMOUNT]);
  });

  it("wraps the delivered amount if the recipe takes wrapped native currency", () => {
    const recipe = calls.erc4626Deposit;
    const args = { vault: TARGET, asset: WETH };
    const planned = plan({ name: "", recipe, args }, { wraps: WETH });
    expect(planned.txs.map(readCall)).to.deep.equal([
      [WETH, "deposit", { value: "1000" }],
      ...raised(AMOUNT, TARGET, WETH),
      [TARGET, "deposit", AMOUNT, USER],
      sweep(WETH),
      sweepNative,
    ]);
    expect([planned.amount, planned.destinationCurrency]).to.deep.equal(["1000", zeroAddress]);
  });

  it("uses Curve's address for native currency", () => {
    const native = useOf("curve.exchange, native in");
    const args = { ...(native.args as object), tokenIn: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" };
    expect(plan({ ...native, args })).to.deep.equal(plan(native));
  });

  it("resets the allowance first, except for a token that accepts every change, or without an allowance", () => {
    const approvalsOf = (allowance?: AllowanceState) =>
      plan(useOf("erc4626.deposit"), { allowance }).txs.map(readCall).slice(0, -2);
    for (const known of [undefined, { refusesChange: true }, { standing: 5n }]) {
      expect(approvalsOf(known)).to.deep.equal([approval(0n), approval(AMOUNT)]);
    }
    for (const known of [{ refusesChange: false }, { standing: 0n }]) {
      expect(approvalsOf(known)).to.deep.equal([approval(AMOUNT)]);
    }
  });

  it("approves a payment account that differs from the minter", () => {
    const spender = account("5b");
    const mint = { minter: TARGET, abi: mintAbi, functionName: "mint", args: [USER, 3n], token: DOLLAR, spender };
    const { txs } = plan({ name: "", recipe: calls.nftMintWithToken, args: mint });
    expect(txs.map(readCall)).to.deep.equal([
      ...raised(AMOUNT, spender),
      [TARGET, "mint", USER, 3n],
      sweep(DOLLAR),
      approval(0n, spender),
    ]);
  });
});

describe("planRecipe with EXACT_INPUT", () => {
  it("omits an approval if the puller's allowance is already unlimited", () => {
    const { txs } = planLive(useOf("erc4626.deposit"), {
      programs: { ...PROGRAMS, by: "pull" },
      allowance: { refusesChange: true, standing: maxUint256 },
    });
    expect(txs.map(readCall).map(([, name]) => name)).to.deep.equal(["pullAndExecute"]);
  });

  const limits = [USER, 1n, 1n, DEADLINE];

  for (const [name, minimumOut] of [
    ["erc4626.deposit", 1n],
    ["aaveV3.supply", 1n],
    ["compoundV3.supply", 1n],
    ["uniswapV3.swap, first", MINIMUM],
  ] as const) {
    it(`uses the given typed proxy: ${name}`, () => {
      const { txs, amount } = planLive(useOf(name), { proxy: PROXY, programs: PROGRAMS });
      expect(txs.map(readCall)).to.deep.equal([
        ...raised(maxUint256, PROXY),
        [PROXY, "execute", USER, 1n, minimumOut, DEADLINE],
      ]);
      expect(amount).to.equal("1000");
    });
  }

  it("repays with the proxy's own function", () => {
    const txs = planLive(useOf("aaveV3.repay"), { proxy: PROXY, minimumIn: 5n, minimumOut: 6n }).txs.map(readCall);
    expect(txs[2]).to.deep.equal([PROXY, "repay", USER, 5n, 6n, DEADLINE]);
    const native = { name: "", recipe: calls.aaveV3Repay, args: { pool: TARGET, asset: WETH } };
    expect(planLive(native, { proxy: PROXY, wraps: WETH }).txs.map(readCall).slice(0, 2)).to.deep.equal([
      requireNative,
      [ROUTER, "cleanupNativeViaCall", 0n, PROXY, ["repayNative", ...limits]],
    ]);
  });

  it("sends native currency to a proxy's native currency functions", () => {
    for (const [use, wraps] of [
      [useOf("wrappedNative.wrap"), undefined],
      [{ name: "", recipe: calls.erc4626Deposit, args: { vault: TARGET, asset: WETH } }, WETH],
    ] as const) {
      const planned = planLive(use, { proxy: PROXY, ...(wraps === undefined ? {} : { wraps }) });
      expect(planned.txs.map(readCall)).to.deep.equal([
        requireNative,
        [ROUTER, "cleanupNativeViaCall", 0n, PROXY, ["executeNative", ...limits]],
      ]);
      expect(planned.destinationCurrency).to.equal(zeroAddress);
    }
  });

  it("unwraps native currency with the proxy", () => {
    expect(planLive(useOf("wrappedNative.unwrap"), { proxy: PROXY }).txs.map(readCall)).to.deep.equal([
      ...raised(maxUint256, PROXY, WETH),
      [PROXY, "execute", ...limits],
    ]);
  });

  it("pushes to a program if no proxy is given", () => {
    const { txs } = planLive(useOf("erc4626.deposit"), { programs: PROGRAMS, minimumIn: 5n, minimumOut: 6n });
    const [push, execute, ...rest] = txs.map(readCall);
    expect(push).to.deep.equal([ROUTER, "cleanupErc20s", [DOLLAR], [PROGRAMS.executor], [0n], "0x"]);
    expect(rest).to.deep.equal([]);
    const program = calls.decodeProgram(execute![2] as Hex);
    expect(calls.formatProgram(program, { abis: [abiOfDeposit] })).to.equal(
      [
        `for ${USER}, until ${new Date(Number(DEADLINE) * 1000).toISOString()}, all or nothing`,
        `in: at least 5 of ${DOLLAR}`,
        `out: at least 6 of ${TARGET}`,
        `1. ${TARGET}.deposit(100% of ${DOLLAR}, ${USER}) [${TARGET} may take 100% of ${DOLLAR}]`,
      ].join("\n"),
    );
  });

  it("lets the executor pull the balance if requested", () => {
    const { txs } = planLive(useOf("erc4626.deposit"), { programs: { ...PROGRAMS, by: "pull" } });
    expect(txs.map(readCall).map(([to, name]) => [to, name])).to.deep.equal([
      [DOLLAR, "approve"],
      [DOLLAR, "approve"],
      [PROGRAMS.executor, "pullAndExecute"],
    ]);
  });

  it("keeps a unit on the executor only if requested, and only with a program", () => {
    const keptBy = (change: object) => {
      const { txs } = planLive(useOf("erc4626.deposit"), { programs: PROGRAMS, ...change });
      return calls.decodeProgram(readCall(txs[1]!)[2] as Hex).tokens[0]?.keepUnit;
    };
    expect([keptBy({}), keptBy({ keepUnit: true })]).to.deep.equal([false, true]);
    expect(refusal(() => keptBy({ keepUnit: true, proxy: PROXY }))).to.include({
      code: "INVALID_INPUT",
      field: "keepUnit",
    });
  });

  it("declares tokens that a program's target returns to its caller, so that the recipient receives them", () => {
    const { txs } = planLive(useOf("curve.exchange, no receiver"), { programs: PROGRAMS });
    const program = calls.decodeProgram(readCall(txs[1]!)[2] as Hex);
    expect(program.tokens).to.deep.equal([
      { token: DOLLAR, keepUnit: false, minimumIn: 1n },
      { token: EURO, keepUnit: false, minimumIn: 0n },
    ]);
    expect(program.checks).to.deep.equal([{ token: EURO, minimumOut: MINIMUM }]);
    expect(program.recipient).to.equal(USER);
  });

  it("wraps native currency before a program that uses the wrapped token", () => {
    const use = { name: "", recipe: calls.erc4626Deposit, args: { vault: TARGET, asset: WETH } };
    const { txs } = planLive(use, { programs: PROGRAMS, wraps: WETH });
    expect(txs.map(readCall).slice(0, -1)).to.deep.equal([
      requireNative,
      [ROUTER, "cleanupNativeViaCall", 0n, WETH, ["deposit"]],
      [ROUTER, "cleanupErc20s", [WETH], [PROGRAMS.executor], [0n], "0x"],
    ]);
  });

  const DIRECT: Record<string, ReadCall[]> = {
    "lido.submit": [[ROUTER, "cleanupNativeViaCall", 0n, TARGET, ["submit", zeroAddress]], sweep(TARGET)],
    "lido.submitAndWrap": [[ROUTER, "cleanupNativeViaCall", 0n, TARGET, ["receive"]], sweep(TARGET)],
    "wrappedNative.wrap": [[ROUTER, "cleanupNativeViaCall", 0n, WETH, ["deposit"]], sweep(WETH)],
    "uniswapV2.swap, native in": [
      [ROUTER, "cleanupNativeViaCall", 0n, TARGET, ["swapExactETHForTokens", MINIMUM, [WETH, EURO], USER, DEADLINE]],
    ],
  };
  for (const [name, txs] of Object.entries(DIRECT)) {
    it(`lets the router send all of its native currency with the call: ${name}`, () => {
      expect(planLive(useOf(name)).txs.map(readCall)).to.deep.equal([requireNative, ...txs]);
    });
  }

  it("sends everything to the universal router, which uses its entire balance", () => {
    const read = (types: string, data: unknown) => decodeAbiParameters(parseAbiParameters(types), data as Hex);
    const swap = "address, uint256, uint256, bytes, bool";
    const swapV2 = "address, uint256, uint256, address[], bool";
    const itself = "0x0000000000000000000000000000000000000002";
    const [push, execute] = planLive(useOf("universalRouter.swap, v3")).txs.map(readCall);
    expect(push).to.deep.equal([ROUTER, "cleanupErc20s", [DOLLAR], [TARGET], [0n], "0x"]);
    const inputsOf = (call: ReadCall | undefined) => call?.[3] as string[];
    expect([execute?.[2], execute?.[4]]).to.deep.equal(["0x0004", DEADLINE]);
    expect(read(swap, inputsOf(execute)[0])).to.deep.equal([USER, ALL, MINIMUM, PATH, false]);
    expect(read("address, address, uint256", inputsOf(execute)[1])).to.deep.equal([DOLLAR, USER, 0n]);

    const v2 = planLive(useOf("universalRouter.swap, v2")).txs.map(readCall)[1];
    expect(v2?.[2]).to.equal("0x0804");
    expect(read(swapV2, inputsOf(v2)[0])).to.deep.equal([USER, ALL, MINIMUM, [DOLLAR, EURO], false]);

    const out = planLive(useOf("universalRouter.swap, native out")).txs.map(readCall)[1];
    expect(out?.[2]).to.equal("0x080c04");
    expect(read(swapV2, inputsOf(out)[0])).to.deep.equal([itself, ALL, 0n, [DOLLAR, WETH], false]);
    expect(read("address, uint256", inputsOf(out)[1])).to.deep.equal([USER, MINIMUM]);

    const call = planLive(useOf("universalRouter.swap, native in")).txs.map(readCall)[1];
    const inner = call?.[4] as readonly unknown[];
    expect([call?.slice(0, 4), inner.slice(0, 2)]).to.deep.equal([
      [ROUTER, "cleanupNativeViaCall", 0n, TARGET],
      ["execute", "0x0b0804"],
    ]);
    expect(read("address, uint256", (inner[2] as string[])[0])).to.deep.equal([itself, ALL]);
  });
});

import { expect } from "chai";
import { slice, zeroAddress } from "viem";

import { findKnownFunction } from "../../../../../packages/sdk/src/calls/decode/knownFunctions.ts";
import * as calls from "../../../../../packages/sdk/src/calls/index.ts";
import { decodeCalls, type DecodedCall } from "../../../../../packages/sdk/src/calls/index.ts";
import { refusal } from "../../../../support/rejection.ts";
import {
  DOLLAR,
  EURO,
  plan,
  planLive,
  PROGRAMS,
  PROXY,
  ROUTER,
  TARGET,
  type Use,
  useOf,
  USER,
  USES,
  waysOf,
  WETH,
} from "./uses.ts";

describe("planRecipe rejects", () => {
  const deposit = useOf("erc4626.deposit");
  const swap = useOf("uniswapV2.swap");
  const refused: Record<string, [run: () => unknown, field: string]> = {
    "a live amount that the recipe does not support": [() => planLive(useOf("lido.wrap")), "tradeType"],
    "a live amount without a proxy or programs": [() => planLive(deposit), "proxy"],
    "a live amount without a program": [() => planLive(swap), "programs"],
    "a swap without a minimum": [() => plan(swap, { minimumOut: undefined }), "minimumOut"],
    "a minimum without a measured output": [() => plan(deposit, { minimumOut: 5n }), "minimumOut"],
    "a minimum of a position by a program": [
      () => planLive(useOf("aaveV3.repay"), { programs: PROGRAMS, minimumOut: 5n }),
      "minimumOut",
    ],
    "a minimum input if the router calls the protocol itself": [
      () => planLive(useOf("lido.submit"), { minimumIn: 5n }),
      "minimumIn",
    ],
    "a minimum output if the router calls the protocol itself": [
      () => planLive(useOf("wrappedNative.wrap"), { minimumOut: 5n }),
      "minimumOut",
    ],
    "a wrapped native token that the recipe does not take": [() => plan(deposit, { wraps: WETH }), "wraps"],
    "the router as the recipient": [() => plan(deposit, { recipient: ROUTER }), "recipient"],
    "the zero address as the recipient": [() => plan(deposit, { recipient: zeroAddress }), "recipient"],
    "the token as the recipient": [() => plan(deposit, { recipient: DOLLAR }), "recipient"],
    "the credited contract as the recipient": [() => plan(deposit, { recipient: TARGET }), "recipient"],
    "a recipient that Uniswap interprets as itself": [
      () => plan(useOf("uniswapV3.swap, first"), { recipient: `0x${"02".padStart(40, "0")}` }),
      "recipient",
    ],
    "a mint for the router": [
      () => plan({ ...useOf("nft.mintWithNative"), args: { ...mintArgs, args: [TARGET, 3n] } }),
      "args.args",
    ],
    "an amount of zero": [() => plan(deposit, { amount: 0n }), "amount"],
    "a token paid to the router that the program would call": [
      () =>
        planLive(
          { name: "", recipe: calls.curveAddLiquidity, args: { ...lpIsPool, hasReceiver: false } },
          { programs: PROGRAMS },
        ),
      "steps[0].target",
    ],
    "a path of one token": [() => plan({ ...swap, args: { swapRouter: TARGET, tokens: [DOLLAR] } }), "args.tokens"],
    "a path without its fees": [() => plan(withV3({ fees: [] })), "args.fees"],
    "an invalid fee": [() => plan(withV3({ fees: [500, 2 ** 24] })), "args.fees[1]"],
    "an unknown Uniswap router": [() => plan(withV3({ generation: "SwapRouter03" })), "args.generation"],
    "an unknown end": [
      () => plan({ ...swap, args: { swapRouter: TARGET, tokens: [DOLLAR, EURO], native: "both" } }),
      "args.native",
    ],
    "an index beyond the coins": [
      () => plan({ name: "", recipe: calls.curveAddLiquidity, args: { ...lpIsPool, index: 2 } }),
      "args.index",
    ],
    "a negative index": [() => plan({ ...useOf("curve.exchange, receiver"), args: { ...curveArgs, i: -1 } }), "args.i"],
    "a pool that is not an address": [() => plan({ ...deposit, args: { vault: "0x12", asset: DOLLAR } }), "args.vault"],
  };
  const curveArgs = useOf("curve.exchange, receiver").args as object;
  const mintArgs = useOf("nft.mintWithNative").args as object;
  const lpIsPool = {
    pool: TARGET,
    token: DOLLAR,
    index: 1,
    coins: 2,
    lpToken: TARGET,
    hasReceiver: true,
    amounts: "fixed",
  };
  const withV3 = (change: object): Use => {
    const known = useOf("uniswapV3.swap, first");
    return { ...known, args: { ...(known.args as object), ...change } };
  };
  for (const [name, [run, field]] of Object.entries(refused)) {
    it(name, () => {
      expect(refusal(run)).to.include({ code: "INVALID_INPUT", field });
    });
  }
});

describe("planRecipe does not compile", () => {
  const deposit = {
    router: ROUTER,
    recipient: USER,
    amount: 1n,
    recipe: calls.erc4626Deposit,
    args: { vault: TARGET, asset: DOLLAR },
  } as const;
  const wrap = { ...deposit, recipe: calls.lidoWrap, args: { stEth: DOLLAR, wstEth: TARGET } } as const;
  const swap = {
    ...deposit,
    recipe: calls.uniswapV2Swap,
    args: { swapRouter: TARGET, tokens: [DOLLAR, EURO] },
  } as const;

  it("unsupported arguments of a recipe", () => {
    const wrong = [
      // @ts-expect-error no live amount
      (): unknown => calls.planRecipe({ ...wrap, tradeType: "EXACT_INPUT" }),
      // @ts-expect-error no calls with this trade type
      (): unknown => calls.planRecipe({ ...deposit, tradeType: "EXPECTED_OUTPUT" }),
      // @ts-expect-error a fixed amount uses no proxy
      (): unknown => calls.planRecipe({ ...deposit, tradeType: "EXACT_OUTPUT", proxy: PROXY }),
      // @ts-expect-error a direct call has no measured output
      (): unknown => calls.planRecipe({ ...deposit, tradeType: "EXACT_OUTPUT", minimumOut: 1n }),
      // @ts-expect-error a swap has a minimum
      (): unknown => calls.planRecipe({ ...swap, tradeType: "EXACT_OUTPUT" }),
      // @ts-expect-error there is no typed proxy for this recipe
      (): unknown => calls.planRecipe({ ...swap, tradeType: "EXACT_INPUT", minimumOut: 1n, proxy: PROXY }),
      // @ts-expect-error the arguments belong to another recipe
      (): unknown => calls.planRecipe({ ...deposit, tradeType: "EXACT_OUTPUT", args: { pool: TARGET } }),
    ];
    expect(wrong).to.have.length(7);
    expect(calls.planRecipe({ ...swap, tradeType: "EXACT_OUTPUT", minimumOut: 1n }).amount).to.equal("1");
  });
});

describe("the recipes", () => {
  it("are all used in these tests", () => {
    const exported = Object.values(calls).filter((value) => typeof value === "object" && "liveWays" in value);
    expect(exported.filter((recipe) => !USES.some((use) => use.recipe === recipe))).to.deep.equal([]);
    expect(exported).to.have.length.above(15);
  });

  it("have unique names", () => {
    const names = [...new Set(USES.map(({ recipe }) => recipe))].map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });
});

/** Returns the unknown calls: top-level calls, inner calls, and steps of programs. */
function unknownOf(calls: readonly DecodedCall[]): string[] {
  return calls.flatMap((call) => {
    if (call.kind === "empty") return [];
    if (call.kind !== "function") return [call.data];
    const steps = (call.program?.steps ?? []).flatMap(({ data }) =>
      findKnownFunction(slice(data, 0, 4)) === undefined ? [data] : [],
    );
    return [...unknownOf(call.calls), ...steps];
  });
}

describe("decodeCalls: recipe plans", () => {
  for (const use of USES) {
    it(`decodes every function of ${use.name}`, () => {
      const ways = waysOf(use);
      expect(ways).to.not.have.lengthOf(0);
      expect(ways.map((txs) => unknownOf(decodeCalls(txs)))).to.deep.equal(ways.map(() => []));
    });
  }

  it("decodes liquidity calls for every number of coins in a pool", () => {
    const use = USES.find(({ name }) => name === "curve.addLiquidity, fixed")!;
    for (const hasReceiver of [true, false]) {
      for (const coins of [2, 3, 4, 5, 6, 7, 8]) {
        const args = { ...(use.args as object), coins, hasReceiver };
        expect(unknownOf(decodeCalls(plan({ ...use, args }).txs))).to.deep.equal([]);
      }
    }
  });
});

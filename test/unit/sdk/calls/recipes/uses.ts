import { type Address, getAddress, parseAbi, zeroAddress } from "viem";

import * as calls from "../../../../../packages/sdk/src/calls/index.ts";
import type { AnyRecipe, ArgumentsOf } from "../../../../../packages/sdk/src/calls/recipes/recipe.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";

export const account = (byte: string): Address => getAddress(`0x${byte.repeat(20)}`);

export const ROUTER = account("c3");
export const USER = account("0a");
export const PROXY = account("9c");
export const DOLLAR = account("d1");
export const EURO = account("e1");
export const WETH = account("e7");
export const TARGET = account("5a");
export const CREDIT = account("c9");
export const PROGRAMS = { executor: account("c1"), livePuller: account("c2") };
export const MARKET = {
  loanToken: DOLLAR,
  collateralToken: EURO,
  oracle: account("71"),
  irm: account("72"),
  lltv: 860_000_000_000_000_000n,
};
export const mintAbi = parseAbi(["function mint(address to, uint256 quantity) payable"]);

/** Recipe with arguments of any type. */
export interface Use {
  readonly name: string;
  readonly recipe: AnyRecipe;
  readonly args: unknown;
}

function use<R extends AnyRecipe>(recipe: R, args: ArgumentsOf<R>, form = ""): Use {
  return { name: `${recipe.name}${form === "" ? "" : `, ${form}`}`, recipe, args };
}

const curve = { pool: TARGET, tokenIn: DOLLAR, tokenOut: EURO, i: 1, j: 0, indexType: "int128" } as const;
const liquidity = { pool: TARGET, token: DOLLAR, index: 1, coins: 2, lpToken: CREDIT } as const;
const path = { tokens: [DOLLAR, WETH, EURO], fees: [500, 3_000] };

/** Recipes with each kind of arguments. */
export const USES: readonly Use[] = [
  use(calls.erc4626Deposit, { vault: TARGET, asset: DOLLAR }),
  use(calls.aaveV3Supply, { pool: TARGET, asset: DOLLAR, aToken: CREDIT }),
  use(calls.aaveV3Repay, { pool: TARGET, asset: DOLLAR }),
  use(calls.compoundV3Supply, { comet: TARGET, asset: DOLLAR }),
  use(calls.uniswapV2Swap, { swapRouter: TARGET, tokens: [DOLLAR, WETH, EURO] }),
  use(calls.uniswapV2Swap, { swapRouter: TARGET, tokens: [WETH, EURO], native: "input" }, "native in"),
  use(calls.uniswapV2Swap, { swapRouter: TARGET, tokens: [DOLLAR, WETH], native: "output" }, "native out"),
  use(calls.uniswapV3Swap, { swapRouter: TARGET, generation: "SwapRouter", ...path }, "first"),
  use(calls.uniswapV3Swap, { swapRouter: TARGET, generation: "SwapRouter02", ...path }, "second"),
  use(
    calls.uniswapV3Swap,
    { swapRouter: TARGET, generation: "SwapRouter", tokens: [DOLLAR, EURO], fees: [500] },
    "first, one pool",
  ),
  use(
    calls.uniswapV3Swap,
    { swapRouter: TARGET, generation: "SwapRouter02", tokens: [WETH, EURO], fees: [500], takesNative: true },
    "second, one pool, native in",
  ),
  use(calls.universalRouterSwap, { universalRouter: TARGET, ...path }, "v3"),
  use(calls.universalRouterSwap, { universalRouter: TARGET, tokens: [DOLLAR, EURO] }, "v2"),
  use(calls.universalRouterSwap, { universalRouter: TARGET, tokens: [WETH, EURO], native: "input" }, "native in"),
  use(calls.universalRouterSwap, { universalRouter: TARGET, tokens: [DOLLAR, WETH], native: "output" }, "native out"),
  use(calls.morphoBlueSupply, { morpho: TARGET, market: MARKET }),
  use(calls.morphoBlueSupplyCollateral, { morpho: TARGET, market: MARKET }),
  use(calls.morphoBlueRepay, { morpho: TARGET, market: MARKET }),
  use(calls.curveExchange, { ...curve, hasReceiver: true }, "receiver"),
  use(calls.curveExchange, { ...curve, hasReceiver: false }, "no receiver"),
  use(calls.curveExchange, { ...curve, hasReceiver: true, indexType: "uint256" }, "uint256"),
  use(calls.curveExchange, { ...curve, hasReceiver: false, tokenIn: zeroAddress }, "native in"),
  use(calls.curveExchange, { ...curve, hasReceiver: false, tokenOut: zeroAddress }, "native out"),
  use(calls.curveAddLiquidity, { ...liquidity, hasReceiver: true, amounts: "dynamic" }, "dynamic"),
  use(calls.curveAddLiquidity, { ...liquidity, coins: 3, hasReceiver: false, amounts: "fixed" }, "fixed"),
  use(calls.lidoSubmit, { stEth: TARGET }),
  use(calls.lidoSubmitAndWrap, { wstEth: TARGET }),
  use(calls.lidoWrap, { stEth: DOLLAR, wstEth: TARGET }),
  use(calls.wrapNative, { wrappedNative: WETH }),
  use(calls.unwrapNative, { wrappedNative: WETH }),
  use(calls.nftMintWithNative, { minter: TARGET, abi: mintAbi, functionName: "mint", args: [USER, 3n] }),
  use(calls.nftMintWithToken, { minter: TARGET, abi: mintAbi, functionName: "mint", args: [USER, 3n], token: DOLLAR }),
];

/** Returns the use with that name. */
export function useOf(name: string): Use {
  const found = USES.find((known) => known.name === name);
  if (found === undefined) throw new Error(`no use has the name ${name}`);
  return found;
}

export const AMOUNT = 1_000n;
export const DEADLINE = 1_900_000_000n;
export const MINIMUM = 900n;

/** Creates a plan without type checks, like a plan from a file. */
export function plan({ recipe, args }: Use, change: Record<string, unknown> = {}): ReturnType<typeof calls.planRecipe> {
  return calls.planRecipe<AnyRecipe>({
    recipe,
    args,
    tradeType: "EXACT_OUTPUT",
    router: ROUTER,
    recipient: USER,
    amount: AMOUNT,
    deadline: DEADLINE,
    ...(recipe.minimum === "call" ? { minimumOut: MINIMUM } : {}),
    ...change,
  } as never);
}

/** Like `plan`, for an amount that is known only when the request is filled. */
export const planLive = (use: Use, change: Record<string, unknown> = {}) =>
  plan(use, { tradeType: "EXACT_INPUT", ...change });

/** Returns the calls for a use, by every supported method. */
export function waysOf(use: Use): (readonly Call[])[] {
  const { recipe, args } = use;
  const { input } = recipe.use(args as never, { recipient: USER, minimumOut: 1n, deadline: 1n });
  const live = recipe.liveWays.flatMap((way) => {
    if (way === "proxy") return [{ proxy: PROXY }];
    if (way === "program") return [{ programs: PROGRAMS }];
    return input === (way === "nativeCall" ? "value" : "transfer") ? [{}] : [];
  });
  return [
    ...(recipe.tradeTypes.includes("EXACT_OUTPUT") ? [plan(use).txs] : []),
    ...(recipe.tradeTypes.includes("EXACT_INPUT") ? live.map((contracts) => planLive(use, contracts).txs) : []),
  ];
}

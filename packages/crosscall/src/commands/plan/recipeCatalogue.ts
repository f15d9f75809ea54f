import {
  aaveV3Repay,
  aaveV3Supply,
  compoundV3Supply,
  curveAddLiquidity,
  curveExchange,
  erc4626Deposit,
  lidoSubmit,
  lidoSubmitAndWrap,
  lidoWrap,
  morphoBlueRepay,
  morphoBlueSupply,
  morphoBlueSupplyCollateral,
  nftMintWithNative,
  nftMintWithToken,
  uniswapV2Swap,
  uniswapV3Swap,
  universalRouterSwap,
  unwrapNative,
  wrapNative,
} from "@crosscall/sdk/calls";
import type { AnyRecipe, ArgumentsOf } from "@crosscall/sdk/kit";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { ArgumentField, ArgumentFields } from "./readArgument.ts";

export interface ListedRecipe {
  readonly recipe: AnyRecipe;
  readonly args: ArgumentFields;
}

/** Requires exactly the arguments of the recipe's type. */
function list<R extends AnyRecipe>(
  recipe: R,
  args: { readonly [Name in keyof Required<ArgumentsOf<R>>]: ArgumentField },
): ListedRecipe {
  return { recipe, args };
}

const address: ArgumentField = { kind: "address" };
const integer: ArgumentField = { kind: "integer" };
const optionalAddress: ArgumentField = { kind: "address", isOptional: true };
const flag: ArgumentField = { kind: "boolean" };
const path: ArgumentField = { kind: "addresses" };
const nativeEnd: ArgumentField = { kind: { oneOf: ["input", "output"] }, isOptional: true };
const mint = {
  minter: address,
  abi: { kind: "abi" },
  functionName: { kind: "text" },
  args: { kind: "values" },
} as const;
const morpho = {
  morpho: address,
  market: {
    kind: {
      fields: {
        loanToken: address,
        collateralToken: address,
        oracle: address,
        irm: address,
        lltv: { kind: "amount" },
      },
    },
  },
} as const;

/** By the names that `@crosscall/sdk/calls` exports. */
export const RECIPES: Readonly<Record<string, ListedRecipe>> = {
  aaveV3Repay: list(aaveV3Repay, { pool: address, asset: address }),
  aaveV3Supply: list(aaveV3Supply, { pool: address, asset: address, aToken: address }),
  compoundV3Supply: list(compoundV3Supply, { comet: address, asset: address }),
  curveAddLiquidity: list(curveAddLiquidity, {
    pool: address,
    hasReceiver: flag,
    coins: integer,
    index: integer,
    token: address,
    lpToken: address,
    amounts: { kind: { oneOf: ["dynamic", "fixed"] } },
  }),
  curveExchange: list(curveExchange, {
    pool: address,
    hasReceiver: flag,
    indexType: { kind: { oneOf: ["int128", "uint256"] } },
    i: integer,
    j: integer,
    tokenIn: address,
    tokenOut: address,
  }),
  erc4626Deposit: list(erc4626Deposit, { vault: address, asset: address }),
  lidoSubmit: list(lidoSubmit, { stEth: address, referral: optionalAddress }),
  lidoSubmitAndWrap: list(lidoSubmitAndWrap, { wstEth: address }),
  lidoWrap: list(lidoWrap, { stEth: address, wstEth: address }),
  morphoBlueRepay: list(morphoBlueRepay, morpho),
  morphoBlueSupply: list(morphoBlueSupply, morpho),
  morphoBlueSupplyCollateral: list(morphoBlueSupplyCollateral, morpho),
  nftMintWithNative: list(nftMintWithNative, mint),
  nftMintWithToken: list(nftMintWithToken, { ...mint, token: address, spender: optionalAddress }),
  uniswapV2Swap: list(uniswapV2Swap, { swapRouter: address, tokens: path, native: nativeEnd }),
  uniswapV3Swap: list(uniswapV3Swap, {
    swapRouter: address,
    generation: { kind: { oneOf: ["SwapRouter", "SwapRouter02"] } },
    tokens: path,
    fees: { kind: "integers" },
    takesNative: { kind: "boolean", isOptional: true },
  }),
  universalRouterSwap: list(universalRouterSwap, {
    universalRouter: address,
    tokens: path,
    fees: { kind: "integers", isOptional: true },
    native: nativeEnd,
  }),
  unwrapNative: list(unwrapNative, { wrappedNative: address }),
  wrapNative: list(wrapNative, { wrappedNative: address }),
};

/** By exported name (`erc4626Deposit`) or recipe name (`erc4626.deposit`). */
export function findRecipe(name: unknown): ListedRecipe {
  const found = Object.entries(RECIPES).find(([key, { recipe }]) => key === name || recipe.name === name)?.[1];
  if (found !== undefined) return found;
  throw new InvalidInputError({
    field: "recipe",
    value: name,
    reason: "there is no recipe of this name",
    hint: `Name one of ${Object.keys(RECIPES).join(", ")}.`,
  });
}

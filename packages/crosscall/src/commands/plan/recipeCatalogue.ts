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
import * as Type from "typebox";
import type { Abi } from "viem";
import { parseEvmAddress } from "@crosscall/protocol/chains";
import { parseAmount, requireAmount } from "@crosscall/protocol/encoding";
import { findMismatch } from "@crosscall/protocol/schema";

import { readAbi } from "./readAbi.ts";

interface ListedRecipe {
  readonly recipe: AnyRecipe;
  readonly args: ArgumentFields;
}

/** Describes a recipe. The type requires exactly the recipe's arguments. */
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

/** Recipes by their exported names in `@crosscall/sdk/calls`. */
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

/** Finds a recipe by exported name (`erc4626Deposit`) or recipe name (`erc4626.deposit`). */
export function findRecipe(name: unknown): ListedRecipe {
  const found = Object.entries(RECIPES).find(([key, { recipe }]) => key === name || recipe.name === name)?.[1];
  if (found !== undefined) return found;
  throw new InvalidInputError({
    field: "recipe",
    value: name,
    reason: "no recipe has this name",
    hint: `Use one of ${Object.keys(RECIPES).join(", ")}.`,
  });
}

type ArgumentKind =
  | "address"
  | "addresses"
  | "integer"
  | "integers"
  | "amount"
  | "boolean"
  | "text"
  | "abi"
  | "values"
  | { readonly oneOf: readonly string[] }
  | { readonly fields: ArgumentFields };

interface ArgumentField {
  readonly kind: ArgumentKind;
  readonly isOptional?: boolean;
}

const safeInteger = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** Schemas of the kinds that need no conversion. */
const SCHEMAS = {
  integer: safeInteger,
  integers: Type.Array(safeInteger),
  boolean: Type.Boolean(),
  text: Type.String(),
  values: Type.Array(Type.Unknown()),
} satisfies Partial<Record<Extract<ArgumentKind, string>, Type.TSchema>>;

export type ArgumentFields = Readonly<Record<string, ArgumentField>>;

/** @param path path of the arguments, for errors */
export function readArguments(fields: ArgumentFields, value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refuse(path, value, "it is not an object with the recipe's arguments", describeFields(fields));
  }
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    throw refuse(
      `${path}.${unknown}`,
      (value as Record<string, unknown>)[unknown],
      "the recipe has no such argument",
      describeFields(fields),
    );
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { kind, isOptional = false }]) => {
      const given = (value as Record<string, unknown>)[name];
      if (given !== undefined) return [[name, readArgument(kind, given, `${path}.${name}`)]];
      if (isOptional) return [];
      throw refuse(`${path}.${name}`, undefined, `the recipe needs ${describeKind(kind)}`, describeFields(fields));
    }),
  );
}

function readArgument(kind: ArgumentKind, value: unknown, path: string): unknown {
  if (typeof kind === "object") {
    if ("fields" in kind) return readArguments(kind.fields, value, path);
    return kind.oneOf.includes(value as string) ? value : wrong(kind, value, path);
  }
  switch (kind) {
    case "address":
      return parseEvmAddress(value, path);
    case "addresses":
      return Array.isArray(value)
        ? value.map((one, index) => parseEvmAddress(one, `${path}[${index}]`))
        : wrong(kind, value, path);
    case "amount":
      return readAmountField(value, path);
    case "abi":
      return readAbi(value, path) satisfies Abi;
    default:
      return findMismatch(SCHEMAS[kind], value) === undefined ? value : wrong(kind, value, path);
  }
}

/** Reads a decimal string from a file, or a bigint from a module. */
export function readAmountField(value: unknown, path: string): bigint {
  return typeof value === "bigint" ? requireAmount(value, path) : parseAmount(value, path);
}

/** Converts a command-line argument to its form in a plan file. */
export function argumentFromText(kind: ArgumentKind, text: string): unknown {
  switch (kind) {
    case "addresses":
      return text.split(",");
    case "integer":
      return integerFromText(text);
    case "integers":
      return text.split(",").map(integerFromText);
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "abi":
      return [text];
    case "values":
      return jsonFromText(text);
    default:
      return text;
  }
}

export function describeKind(kind: ArgumentKind): string {
  if (typeof kind !== "object") return DESCRIPTIONS[kind];
  return "oneOf" in kind ? kind.oneOf.join(" or ") : `an object with ${Object.keys(kind.fields).join(", ")}`;
}

const DESCRIPTIONS = {
  address: "an address",
  addresses: "a list of addresses",
  integer: "a whole number",
  integers: "a list of whole numbers",
  amount: "an amount",
  boolean: "true or false",
  text: "a text",
  abi: "a list of function signatures or an ABI",
  values: "a list of the function's arguments",
} as const;

function describeFields(fields: ArgumentFields): string {
  const parts = Object.entries(fields).map(([name, { isOptional = false }]) =>
    isOptional ? `${name} (optional)` : name,
  );
  return `Pass ${parts.join(", ")}; \`crosscall plan --recipes\` lists the arguments of all recipes.`;
}

function integerFromText(text: string): unknown {
  return /^-?\d{1,15}$/u.test(text) ? Number(text) : text;
}

function jsonFromText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function wrong(kind: ArgumentKind, value: unknown, path: string): never {
  throw refuse(path, value, `it is not ${describeKind(kind)}`, `Pass ${path} as ${describeKind(kind)}.`);
}

function refuse(field: string, value: unknown, reason: string, hint: string): InvalidInputError {
  return new InvalidInputError({ field, value, reason, hint });
}

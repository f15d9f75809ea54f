import type { AbiFunction, AbiParameter, Address } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Recipe } from "./recipe.ts";

/** Curve's placeholder for native currency. */
const CURVE_NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

interface CurvePool {
  readonly pool: Address;
  /** Whether functions have a receiver, as in newer pools. Otherwise, the output goes to the caller first. */
  readonly hasReceiver: boolean;
}

export interface CurveExchangeArguments extends CurvePool {
  /** Type of coin indexes: `int128` in pools of similar coins, `uint256` in others. */
  readonly indexType: "int128" | "uint256";
  /** Index of the input coin. */
  readonly i: number;
  /** Index of the output coin. */
  readonly j: number;
  /** Coin at index i; zero address for native currency. */
  readonly tokenIn: Address;
  /** Coin at index j; zero address for native currency. */
  readonly tokenOut: Address;
}

export interface CurveAddLiquidityArguments extends CurvePool {
  readonly coins: number;
  /** Index of the only input coin. */
  readonly index: number;
  /** Coin at that index; zero address for native currency. */
  readonly token: Address;
  /** Liquidity token; the pool itself in newer pools. */
  readonly lpToken: Address;
  /** Whether amounts are a dynamic array (stableswap-ng) instead of a fixed-length array. */
  readonly amounts: "dynamic" | "fixed";
}

type CurveRecipe<Args> = Recipe<Args, "EXACT_INPUT" | "EXACT_OUTPUT", "program", "call">;

/** Exchanges one coin of a Curve pool for another. */
export const curveExchange: CurveRecipe<CurveExchangeArguments> = {
  name: "curve.exchange",
  about: "Takes the pool's coin i; the coin j goes to the recipient, through the caller in older pools.",
  argumentNames: { pool: 1, hasReceiver: 1, indexType: 1, i: 1, j: 1, tokenIn: 1, tokenOut: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["program"],
  minimum: "call",
  use: (args, { recipient, minimumOut }) => {
    const { i, j, hasReceiver, indexType } = args;
    const takes = parseCoin(args.tokenIn, "args.tokenIn");
    const isNative = takes === EVM_NATIVE_CURRENCY;
    const abi = [
      makeFunction("exchange", [
        { name: "i", type: indexType },
        { name: "j", type: indexType },
        { name: "dx", type: "uint256" },
        { name: "min_dy", type: "uint256" },
        ...(hasReceiver ? [RECEIVER] : []),
      ]),
    ];
    const indexes = [requireIndex(i, "args.i"), requireIndex(j, "args.j")];
    return {
      takes,
      input: isNative ? "value" : "allowance",
      takesExactly: true,
      credits: {
        kind: "token",
        token: parseCoin(args.tokenOut, "args.tokenOut"),
        to: hasReceiver ? "recipient" : "caller",
      },
      call: (amount) => ({
        target: parseEvmAddress(args.pool, "args.pool"),
        abi,
        functionName: "exchange",
        args: [...indexes, amount, minimumOut, ...(hasReceiver ? [recipient] : [])],
        ...(isNative ? { value: amount } : {}),
      }),
    };
  },
};

/** Adds liquidity in one coin to a Curve pool. */
export const curveAddLiquidity: CurveRecipe<CurveAddLiquidityArguments> = {
  name: "curve.addLiquidity",
  about: "Takes one of the pool's coins; the liquidity token goes to the recipient, through the caller in older pools.",
  argumentNames: { pool: 1, hasReceiver: 1, coins: 1, index: 1, token: 1, lpToken: 1, amounts: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["program"],
  minimum: "call",
  use: (args, { recipient, minimumOut }) => {
    const { coins, hasReceiver } = args;
    const index = Number(requireIndex(args.index, "args.index"));
    if (!Number.isInteger(coins) || index >= coins) {
      throw new InvalidInputError({
        field: "args.index",
        value: index,
        reason: `the pool has ${coins} coins`,
        hint: "Pass an index below the number of coins.",
      });
    }
    const takes = parseCoin(args.token, "args.token");
    const isNative = takes === EVM_NATIVE_CURRENCY;
    const abi = [
      makeFunction("add_liquidity", [
        { name: "amounts", type: args.amounts === "dynamic" ? "uint256[]" : `uint256[${coins}]` },
        { name: "min_mint_amount", type: "uint256" },
        ...(hasReceiver ? [RECEIVER] : []),
      ]),
    ];
    return {
      takes,
      input: isNative ? "value" : "allowance",
      takesExactly: true,
      credits: {
        kind: "token",
        token: parseEvmAddress(args.lpToken, "args.lpToken"),
        to: hasReceiver ? "recipient" : "caller",
      },
      call: (amount) => ({
        target: parseEvmAddress(args.pool, "args.pool"),
        abi,
        functionName: "add_liquidity",
        args: [
          Array.from({ length: coins }, (_, coin) => (coin === index ? amount : 0n)),
          minimumOut,
          ...(hasReceiver ? [recipient] : []),
        ],
        ...(isNative ? { value: amount } : {}),
      }),
    };
  },
};

const RECEIVER = { name: "receiver", type: "address" } as const;

/** Pools differ in parameter types, so there is no common ABI. */
function makeFunction(name: string, inputs: readonly AbiParameter[]): AbiFunction {
  return { type: "function", name, inputs, outputs: [{ name: "", type: "uint256" }], stateMutability: "payable" };
}

function parseCoin(value: Address, field: string): Address {
  const coin = parseEvmAddress(value, field);
  return coin === CURVE_NATIVE ? EVM_NATIVE_CURRENCY : coin;
}

function requireIndex(index: number, field: string): bigint {
  if (Number.isInteger(index) && index >= 0 && index < 8) return BigInt(index);
  throw new InvalidInputError({
    field,
    value: index,
    reason: "an index must be between 0 and 7",
    hint: `Pass ${field} as an integer.`,
  });
}

import type { AbiFunction, AbiParameter, Address } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "../../chains/address.ts";
import { InvalidInputError } from "../../core/errors.ts";
import type { Recipe } from "./recipe.ts";

/** Curve's pools name native so among their coins. */
const CURVE_NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** What both recipes of Curve need to know of a pool. */
interface CurvePool {
  readonly pool: Address;
  /**
   * Whether the pool's functions take a receiver, which newer ones do. Where they do not, what comes goes to the caller
   * and then to the recipient.
   */
  readonly hasReceiver: boolean;
}

/** Arguments of {@link curveExchange}. */
export interface CurveExchangeArguments extends CurvePool {
  /** The type of the pool's indexes: `int128` in pools of like coins, `uint256` in those of unlike ones. */
  readonly indexType: "int128" | "uint256";
  /** Index of the coin that goes in. */
  readonly i: number;
  /** Index of the coin that comes out. */
  readonly j: number;
  /** The coin with index i; the zero address where it is native. */
  readonly tokenIn: Address;
  /** The coin with index j; the zero address where it is native. */
  readonly tokenOut: Address;
}

/** Arguments of {@link curveAddLiquidity}. */
export interface CurveAddLiquidityArguments extends CurvePool {
  /** How many coins the pool has. */
  readonly coins: number;
  /** Index of the coin that goes in; none of the others does. */
  readonly index: number;
  /** The coin with that index; the zero address where it is native. */
  readonly token: Address;
  /** The pool's token of liquidity, which is the pool itself in newer ones. */
  readonly lpToken: Address;
  /** Whether the amounts are a list of any length (stableswap-ng) or of as many as there are coins. */
  readonly amounts: "dynamic" | "fixed";
}

type CurveRecipe<Args> = Recipe<Args, "EXACT_INPUT" | "EXACT_OUTPUT", "program", "call">;

/** Exchanges one coin of a Curve pool for another. */
export const curveExchange: CurveRecipe<CurveExchangeArguments> = {
  name: "curve.exchange",
  about: "Takes the coin i of the pool; the coin j goes to the recipient, by way of the caller in older pools.",
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
  about:
    "Takes one coin of the pool; its token of liquidity goes to the recipient, by way of the caller in older pools.",
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
        hint: "Give an index below the number of coins.",
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

/** Pools differ in the types of their functions, so there is no one ABI. */
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
    reason: "a pool has eight coins at most, counted from zero",
    hint: `Give ${field} as a whole number.`,
  });
}

import { type Account, type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from "viem";
import { readContract } from "viem/actions";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import type { ChainClient } from "./chainClient.ts";
import type { ChainContracts } from "./contracts.ts";
import type { ChainSupply } from "./fundSolver.ts";
import type { OwnTransaction } from "./sendAll.ts";
import { type ChainToken, USD_ONE } from "./chainToken.ts";
import { findToken } from "./tokens.ts";

export interface Pool {
  readonly tokens: readonly [Address, Address];
  /** In millionths. */
  readonly fee: number;
}

/** A pool with initial amounts. Their ratio sets the price, and equals the ratio in the price table. */
interface PlannedPool extends Pool {
  readonly amounts: readonly [bigint, bigint];
}

const POSITIONS_ABI = parseAbi([
  "function multicall(bytes[] data) payable returns (bytes[] results)",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)",
  "function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function refundETH() payable",
]);

const FACTORY_ABI = parseAbi([
  "function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)",
]);

/** Tick spacings by fee. The outermost tick must be a multiple of the tick spacing. */
const TICK_SPACINGS: Readonly<Record<number, number>> = { 500: 10, 3_000: 60, 10_000: 200 };
const MAX_TICK = 887_272;

const MAKE_POOL_GAS = 8_000_000n;
const APPROVE_GAS = 100_000n;

/** In US dollars. */
const DEEP_SIDE = 100_000_000n;
const SIDE = 10_000_000n;

export function localPools(contracts: ChainContracts, tokens: readonly ChainToken[]): readonly Pool[] {
  return plannedPools(contracts, tokens);
}

/** Plans the pools. Tokens worth a dollar trade against the dollar, all others against wrapped native currency. */
function plannedPools(
  { dollar, tether, token, feeToken, wrappedNative }: ChainContracts,
  tokens: readonly ChainToken[],
): readonly PlannedPool[] {
  const pool = (first: Address, second: Address, fee: number, sideUsd: bigint): PlannedPool => ({
    tokens: [first, second],
    fee,
    amounts: [amountFor(tokens, first, sideUsd), amountFor(tokens, second, sideUsd)],
  });
  const pooled = [EVM_NATIVE_CURRENCY, dollar, tether, token, feeToken, wrappedNative];
  const others = tokens.filter(({ address }) => !pooled.some((known) => isSameAddress(known, address)));
  return [
    pool(dollar, wrappedNative, 3_000, DEEP_SIDE),
    pool(tether, dollar, 500, DEEP_SIDE),
    pool(wrappedNative, token, 3_000, SIDE),
    pool(wrappedNative, feeToken, 10_000, SIDE),
    ...others.map(({ address, priceUsdE18 }) =>
      priceUsdE18 === USD_ONE ? pool(address, dollar, 500, SIDE) : pool(wrappedNative, address, 3_000, SIDE),
    ),
  ];
}

function amountFor(tokens: readonly ChainToken[], address: Address, usd: bigint): bigint {
  const token = findToken(tokens, address);
  return token === undefined ? 0n : (usd * USD_ONE * 10n ** BigInt(token.decimals)) / token.priceUsdE18;
}

/** Returns the native currency that the pools need, in wei. */
export function poolNative({ contracts, tokens: priced }: Pick<ChainSupply, "contracts" | "tokens">): bigint {
  const sides = plannedPools(contracts, priced).flatMap(({ tokens, amounts }) =>
    tokens.map((token, index) => (token === contracts.wrappedNative ? (amounts[index] ?? 0n) : 0n)),
  );
  return sides.reduce((sum, amount) => sum + amount, 0n);
}

/** @param isNew a chain without a factory has no pools */
export async function poolTransactions(
  client: ChainClient<Account>,
  supply: ChainSupply,
  isNew: boolean,
): Promise<OwnTransaction[]> {
  const { contracts } = supply;
  const pools = plannedPools(contracts, supply.tokens);
  const known = isNew ? [] : await Promise.all(pools.map((pool) => isMade(client, contracts, pool)));
  const missing = pools.filter((_, index) => known[index] !== true);
  const work: OwnTransaction[] = [];
  for (const pool of missing) work.push(...(await makePool(client.account, supply, pool)));
  return work;
}

async function isMade(
  client: ChainClient<Account>,
  contracts: ChainContracts,
  { tokens, fee }: Pool,
): Promise<boolean> {
  const address = await readContract(client, {
    address: contracts.uniswapFactory,
    abi: FACTORY_ABI,
    functionName: "getPool",
    args: [...tokens, fee],
  });
  return BigInt(address) !== 0n;
}

/** Creates a pool with liquidity over the whole price range, and mints tokens for it. */
async function makePool(
  { address: provider }: Account,
  { contracts, give }: ChainSupply,
  pool: PlannedPool,
): Promise<OwnTransaction[]> {
  const [first, second] = pool.tokens.map((token, index) => ({ token, amount: pool.amounts[index] ?? 0n }));
  if (first === undefined || second === undefined) return [];
  const [side0, side1] = BigInt(first.token) < BigInt(second.token) ? [first, second] : [second, first];
  const spacing = TICK_SPACINGS[pool.fee] ?? 1;
  const tick = Math.floor(MAX_TICK / spacing) * spacing;
  const steps = [
    encodeFunctionData({
      abi: POSITIONS_ABI,
      functionName: "createAndInitializePoolIfNecessary",
      args: [side0.token, side1.token, pool.fee, squareRoot((side1.amount << 192n) / side0.amount)],
    }),
    encodeFunctionData({
      abi: POSITIONS_ABI,
      functionName: "mint",
      args: [
        {
          token0: side0.token,
          token1: side1.token,
          fee: pool.fee,
          tickLower: -tick,
          tickUpper: tick,
          amount0Desired: side0.amount,
          amount1Desired: side1.amount,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: provider,
          deadline: maxUint256,
        },
      ],
    }),
    encodeFunctionData({ abi: POSITIONS_ABI, functionName: "refundETH" }),
  ] satisfies Hex[];
  const wrapped = [side0, side1].find(({ token }) => token === contracts.wrappedNative);
  const tokens = [side0, side1].filter((side) => side !== wrapped);
  const work: OwnTransaction[] = [];
  for (const { token, amount } of tokens) {
    const args = [contracts.uniswapPositions, amount] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args });
    work.push(...(await give(token, provider, amount)), { to: token, data, gas: APPROVE_GAS });
  }
  return [
    ...work,
    {
      to: contracts.uniswapPositions,
      data: encodeFunctionData({ abi: POSITIONS_ABI, functionName: "multicall", args: [steps] }),
      // The position manager wraps the amount that it needs, and returns the rest.
      value: wrapped?.amount ?? 0n,
      gas: MAKE_POOL_GAS,
    },
  ];
}

/** Computes a square root with Newton's method, from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

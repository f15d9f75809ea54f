import { type Address, BaseError, ContractFunctionZeroDataError, erc20Abi, parseAbi } from "viem";
import { readContract } from "viem/actions";

import { hasCode, isSameAddress } from "@crosscall/protocol/chains";
import { ChainError, InvalidInputError } from "@crosscall/protocol/core";
import { saysPruned } from "../../replay/fork/rpcCacheProxy.ts";
import { redactCause } from "../redactUrl.ts";
import { type ChainClient, chainClient } from "./chainClient.ts";
import { USD_ONE } from "./chainToken.ts";
import type { GivenToken } from "./likeMainnet.ts";
import { findLiveChain, type LiveToken } from "./liveChains.ts";

interface Factories {
  readonly v3: Address;
  readonly v2?: Address;
}

/** Uniswap's factories by chain. Source: the deployment pages of its documentation. */
const FACTORIES: Readonly<Record<number, Factories>> = {
  1: { v3: "0x1F98431c8aD98523631AE4a59f267346ea31F984", v2: "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f" },
  10: { v3: "0x1F98431c8aD98523631AE4a59f267346ea31F984", v2: "0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf" },
  56: { v3: "0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7", v2: "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6" },
  130: { v3: "0x1F98400000000000000000000000000000000003", v2: "0x1F98400000000000000000000000000000000002" },
  137: { v3: "0x1F98431c8aD98523631AE4a59f267346ea31F984", v2: "0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C" },
  324: { v3: "0x8FdA5a7a8dCA67BBcDd10F02Fa0649A937215422" },
  8_453: { v3: "0x33128a8fC17869897dcE68Ed026d694621f6FDfD", v2: "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6" },
  42_161: { v3: "0x1F98431c8aD98523631AE4a59f267346ea31F984", v2: "0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9" },
  43_114: { v3: "0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD", v2: "0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C" },
};

/** Fees of v3 pools, in millionths. */
const FEES = [100, 500, 3_000, 10_000];

/** Minimum value of the other token in a pool, in US dollars. */
const MINIMUM_DEPTH = 10_000n;

/** Maximum difference from the price in other pools, and from the price at an earlier block. */
const MAXIMUM_DIFFERENCE_PERCENT = 20n;

/** Nodes without an archive keep the state of more blocks than this. */
const HISTORY_BLOCKS = 50;

const FACTORY_ABI = parseAbi([
  "function getPool(address, address, uint24) view returns (address)",
  "function getPair(address, address) view returns (address)",
]);
const POOL_ABI = parseAbi([
  "function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)",
  "function liquidity() view returns (uint128)",
  "function getReserves() view returns (uint112, uint112, uint32)",
]);

/** Fork whose pools are read. */
export interface ForkedChain {
  readonly id: number;
  readonly client: ChainClient;
  /** Number of the last forked block. */
  readonly forkBlock: number;
  /** URL of the forked chain, for earlier blocks. */
  readonly forkUrl: string;
}

/** Returns whether prices can be read from the pools of a chain. */
export function hasPoolPrices(chainId: number): boolean {
  return FACTORIES[chainId] !== undefined;
}

/**
 * Adds missing prices of tokens from their deepest Uniswap v3 pool on a fork, or from their v2 pool if no v3 pool is
 * deep. The other token of the pools is USDC, wrapped native currency or WETH, at its price in the network.
 *
 * @throws {@link InvalidInputError} if no pool is deep, or the price may be manipulated
 * @throws {@link ChainError} if the forked chain's node fails
 */
export async function withPoolPrices(tokens: readonly GivenToken[], fork?: ForkedChain): Promise<LiveToken[]> {
  const priced: LiveToken[] = [];
  for (const token of tokens) {
    const { priceUsdE18 = await readPoolPrice(token, fork) } = token;
    priced.push({ ...token, priceUsdE18 });
  }
  return priced;
}

/** @throws {@link InvalidInputError} without a reliable price */
async function readPoolPrice(token: GivenToken, fork: ForkedChain | undefined): Promise<bigint> {
  const factories = FACTORIES[fork?.id ?? 0];
  if (fork === undefined || factories === undefined) throw missingPrice(token, "is not known");
  const { id, client, forkBlock } = fork;
  // The node runs calls only on its own blocks.
  const at = { client, blockNumber: BigInt(forkBlock) + 1n };
  let pools = await readDeepPools(at, token, await findPoolsV3(at, factories, id, token));
  if (pools.length === 0) pools = await readDeepPools(at, token, await findPoolsV2(at, factories, id, token));
  const [deepest] = pools;
  if (deepest === undefined) {
    const least = `${MINIMUM_DEPTH} US dollars`;
    throw missingPrice(token, `is not known, and no Uniswap pool on the fork has at least ${least} against it`);
  }
  const isFar = (price: bigint): boolean => isFarFrom(price, deepest.priceUsdE18);
  if (pools.some(({ depth, priceUsdE18 }) => depth * 10n >= deepest.depth && isFar(priceUsdE18))) {
    throw missingPrice(token, "differs between the Uniswap pools on the fork");
  }
  const before = forkBlock < HISTORY_BLOCKS ? undefined : await readEarlier(fork, token, deepest.pool);
  if (before !== undefined && isFar(before.priceUsdE18)) {
    throw missingPrice(
      token,
      `changed by more than ${MAXIMUM_DIFFERENCE_PERCENT}% in the ${HISTORY_BLOCKS} blocks before the fork`,
    );
  }
  return deepest.priceUsdE18;
}

/**
 * Reads a pool's price before the fork; undefined if the pool is younger, or the node does not have the state.
 *
 * @throws {@link ChainError} if the node fails, because the price could then be manipulated
 */
async function readEarlier(
  { id, forkUrl, forkBlock }: ForkedChain,
  token: GivenToken,
  pool: FoundPool,
): Promise<PricedPool | undefined> {
  try {
    const blockNumber = BigInt(forkBlock - HISTORY_BLOCKS);
    return await readPool({ client: chainClient(id, forkUrl), blockNumber }, token, pool);
  } catch (cause) {
    if (cause instanceof BaseError) {
      const isYounger = cause.walk((error) => error instanceof ContractFunctionZeroDataError) !== null;
      if (isYounger || saysPruned(cause.details)) return undefined;
    }
    throw new ChainError({
      message: `the price of ${token.symbol} before the fork of chain ${id} cannot be read`,
      hint: "Try again, or pass the price in US dollars as priceUsd, or with --token.",
      chainId: id,
      cause: redactCause(cause, forkUrl),
    });
  }
}

/** State of a chain at a block. */
interface Place {
  readonly client: ChainClient;
  readonly blockNumber: bigint;
}

interface FoundPool {
  readonly version: 2 | 3;
  readonly address: Address;
  /** The other token. */
  readonly base: LiveToken;
}

function basesOf(chainId: number, token: GivenToken): readonly LiveToken[] {
  const live = findLiveChain(chainId);
  return (live?.tokens ?? []).filter(
    ({ address, symbol }) =>
      !isSameAddress(address, token.address) &&
      (symbol === "WETH" || [live?.dollar, live?.wrappedNative].some((base) => isSameAddress(base ?? "", address))),
  );
}

async function findPoolsV3(place: Place, { v3 }: Factories, chainId: number, token: GivenToken): Promise<FoundPool[]> {
  if (!(await hasCode(place.client, v3))) return [];
  const contract = { address: v3, abi: FACTORY_ABI, functionName: "getPool", blockNumber: place.blockNumber } as const;
  const pools = basesOf(chainId, token).flatMap((base) =>
    FEES.map(async (fee) => {
      const args = [token.address, base.address, fee] as const;
      return { version: 3, base, address: await readContract(place.client, { ...contract, args }) } as const;
    }),
  );
  return (await Promise.all(pools)).filter(({ address }) => BigInt(address) !== 0n);
}

async function findPoolsV2(place: Place, { v2 }: Factories, chainId: number, token: GivenToken): Promise<FoundPool[]> {
  if (v2 === undefined || !(await hasCode(place.client, v2))) return [];
  const contract = { address: v2, abi: FACTORY_ABI, functionName: "getPair", blockNumber: place.blockNumber } as const;
  const pools = basesOf(chainId, token).map(async (base) => {
    const args = [token.address, base.address] as const;
    return { version: 2, base, address: await readContract(place.client, { ...contract, args }) } as const;
  });
  return (await Promise.all(pools)).filter(({ address }) => BigInt(address) !== 0n);
}

interface PricedPool {
  readonly pool: FoundPool;
  /** Value of the other token that can be bought near the price, in US dollars. */
  readonly depth: bigint;
  readonly priceUsdE18: bigint;
}

/** Returns the deep pools, deepest first. */
async function readDeepPools(place: Place, token: GivenToken, pools: readonly FoundPool[]): Promise<PricedPool[]> {
  const read = await Promise.all(pools.map((pool) => readPool(place, token, pool)));
  return read
    .filter((pool) => pool !== undefined)
    .filter(({ depth }) => depth >= MINIMUM_DEPTH)
    .toSorted((a, b) => Number(b.depth - a.depth));
}

/** Reads a pool's price; undefined if the pool is empty. */
async function readPool(place: Place, token: GivenToken, pool: FoundPool): Promise<PricedPool | undefined> {
  const { base, address } = pool;
  const [reserves, held] = await Promise.all([
    readReserves(place, pool),
    readContract(place.client, {
      address: base.address,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [address],
      blockNumber: place.blockNumber,
    }),
  ]);
  const isFirst = BigInt(token.address) < BigInt(base.address);
  const [tokens, bases] = isFirst ? reserves : [reserves[1], reserves[0]];
  if (tokens === 0n || bases === 0n) return undefined;
  const worth = (amount: bigint): bigint => (amount * base.priceUsdE18) / 10n ** BigInt(base.decimals);
  // Liquidity in a narrow range counts only as far as the pool holds the token.
  return {
    pool,
    depth: worth(bases < held ? bases : held) / USD_ONE,
    priceUsdE18: (worth(bases) * 10n ** BigInt(token.decimals)) / tokens,
  };
}

/** Reads the reserves of a pool in the order of its tokens: for v3, those that have the same effect near the price. */
async function readReserves(
  { client, blockNumber }: Place,
  { version, address }: FoundPool,
): Promise<readonly [bigint, bigint]> {
  const contract = { address, abi: POOL_ABI, blockNumber } as const;
  if (version === 2) {
    const [first, second] = await readContract(client, { ...contract, functionName: "getReserves" });
    return [first, second];
  }
  const [[root], liquidity] = await Promise.all([
    readContract(client, { ...contract, functionName: "slot0" }),
    readContract(client, { ...contract, functionName: "liquidity" }),
  ]);
  return root === 0n ? [0n, 0n] : [(liquidity << 96n) / root, (liquidity * root) >> 96n];
}

function isFarFrom(price: bigint, reference: bigint): boolean {
  const difference = price > reference ? price - reference : reference - price;
  return difference * 100n > reference * MAXIMUM_DIFFERENCE_PERCENT;
}

/** Creates the error for a token without a price. */
export function missingPrice({ address, symbol, decimals }: GivenToken, reason: string): InvalidInputError {
  return new InvalidInputError({
    field: "tokens.priceUsd",
    value: undefined,
    reason: `the price of ${symbol} ${reason}`,
    hint: `Pass it in US dollars as priceUsd, on the command line with --token <chain>:${address}=${symbol}:${decimals}:<price>.`,
  });
}

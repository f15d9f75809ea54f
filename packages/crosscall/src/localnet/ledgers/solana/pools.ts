import { createHash } from "node:crypto";

import { mulDiv, mulDivUp } from "@crosscall/protocol/encoding";
import { SVM_SWAP_AGGREGATOR } from "@crosscall/protocol/quote/rules";
import {
  associatedTokenAccount,
  depositoryStateOf,
  programAddress,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  vaultOf,
} from "@crosscall/protocol/vms";
import {
  type SimulatedChain,
  SVM_EXCHANGE,
  SVM_MINOR_TOKEN,
  SVM_POOLS,
  SVM_TETHER,
  SVM_WRAPPED_NATIVE,
  svmAddress,
} from "../../market/simulatedChains.ts";
import { u64 } from "./instructions.ts";
import { type AccountUse, type Instruction, keyBytes } from "./wire.ts";

/** A pool of two tokens. */
export interface Pool {
  readonly address: string;
  /** Name in the swap sources of a request. */
  readonly source: string;
  readonly tokens: readonly [string, string];
  /** Accounts that hold the tokens. */
  readonly vaults: readonly [string, string];
  readonly feeBps: bigint;
  /** Additional accounts that a swap must list, such as price and tick accounts on live exchanges. */
  readonly others: readonly string[];
}

/** A pool in the direction of a swap. */
export interface Hop {
  readonly pool: Pool;
  readonly from: 0 | 1;
}

export const SWAP_SOURCES = [SVM_SWAP_AGGREGATOR, SVM_POOLS] as const;

const DOLLAR = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** Error of a swap that yields less than its minimum. */
export const BELOW_MINIMUM = 6_001;

/** Owner of all vaults. */
export const POOL_AUTHORITY = programAddress([Buffer.from("authority")], SVM_EXCHANGE);

/** Value of each side of a pool in US dollars. */
export const POOL_USD = 1_000_000_000n;

/** Maximum number of pools in a route. */
const MAX_HOPS = 6;

/** Decimals of the tokens between a token and the dollar, each of which is worth one dollar. */
export const BETWEEN_DECIMALS = 6;

/** Fees in bps of a route's last pool by the number of pools: a longer route costs less. */
const EXIT_FEES = [100n, 80n, 60n, 40n, 20n, 5n] as const;
const BETWEEN_FEE = 1n;
const AGGREGATOR_FEE = 120n;
const AGGREGATOR_OTHERS = 5;

/** Number of additional accounts of each pool of a token. */
interface Others {
  readonly own: number;
  /** Accounts in the lookup table, which the token's pools share. */
  readonly listed: number;
  /** Number of listed accounts that a pool with the dollar uses twice. */
  readonly twice: number;
}

/**
 * With these numbers, a deposit after a swap of USDT in five pools takes exactly 1,172 bytes, the limit of quotes, and
 * one after a swap of WSOL in four pools 1,173.
 */
const OTHERS: ReadonlyMap<string, Others> = new Map([
  [SVM_TETHER, { own: 1, listed: 3, twice: 1 }],
  [SVM_WRAPPED_NATIVE, { own: 2, listed: 4, twice: 0 }],
  [SVM_MINOR_TOKEN, { own: 5, listed: 0, twice: 0 }],
]);

const SWAPPED = [...OTHERS.keys()];

/** Returns the tokens between a token and the dollar. */
function betweenOf(token: string): string[] {
  return Array.from({ length: MAX_HOPS - 1 }, (_, index) => svmAddress(`token ${index} before ${token}`));
}

/** Lists the tokens that no chain quotes. */
export const BETWEEN_TOKENS: readonly string[] = SWAPPED.flatMap(betweenOf);

function poolOf(source: string, tokens: Pool["tokens"], feeBps: bigint, others: readonly string[]): Pool {
  const name = `pool ${source} ${tokens.join(" ")}`;
  const vaults = tokens.map((token) => svmAddress(`${name} vault ${token}`)) as [string, string];
  return { address: svmAddress(name), source, tokens, vaults, feeBps, others };
}

function accountsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => svmAddress(`${name} account ${index}`));
}

/**
 * The pools of a token: one of the aggregator, and routes of one to six pools to the dollar. Longer routes have a
 * better price and a larger transaction.
 */
function poolsOf(token: string): Pool[] {
  const { own = 0, listed = 0, twice = 0 } = OTHERS.get(token) ?? {};
  const path = [token, ...betweenOf(token)];
  const others = (name: string): string[] => [...accountsOf(`${name} of ${token}`, own), ...LISTED.slice(0, listed)];
  const aggregated = accountsOf(`${SVM_SWAP_AGGREGATOR} of ${token}`, AGGREGATOR_OTHERS);
  return [
    poolOf(SVM_SWAP_AGGREGATOR, [token, DOLLAR], AGGREGATOR_FEE, aggregated),
    ...path.map((from, index) => {
      const all = [...others(`exit ${index}`), ...LISTED.slice(0, twice)];
      return poolOf(SVM_POOLS, [from, DOLLAR], EXIT_FEES[index] ?? 0n, all);
    }),
    ...path
      .slice(1)
      .map((to, index) => poolOf(SVM_POOLS, [path[index] ?? token, to], BETWEEN_FEE, others(`pool ${index}`))),
  ];
}

/** Accounts of pools in the lookup table. */
const LISTED = accountsOf("listed", 4);

export const POOLS: readonly Pool[] = SWAPPED.flatMap(poolsOf);

/** The lookup table of swaps before deposits, and of the solver's swaps. */
export const LOOKUP_TABLE = svmAddress("lookup table");

export function lookupTableOf({ depository }: SimulatedChain): string[] {
  const vault = vaultOf(depository);
  return [
    depositoryStateOf(depository),
    vault,
    associatedTokenAccount(vault, DOLLAR, TOKEN_PROGRAM),
    DOLLAR,
    TOKEN_PROGRAM,
    SYSTEM_PROGRAM,
    POOL_AUTHORITY,
    ...LISTED,
    ...POOLS.filter(({ source }) => source === SVM_SWAP_AGGREGATOR).flatMap(({ address, vaults, others }) => [
      address,
      ...vaults,
      ...others,
    ]),
  ];
}

/** Encodes the account of a pool. */
export function encodePool({ vaults, feeBps, others }: Pool): Buffer {
  return Buffer.concat([
    selector("account:Pool"),
    ...vaults.map((vault) => keyBytes(vault)),
    u64(feeBps),
    u64(BigInt(others.length)),
    ...others.map((other) => keyBytes(other)),
  ]);
}

function selector(name: string): Buffer {
  return createHash("sha256").update(name).digest().subarray(0, 8);
}

const BPS = 10_000n;

/** Balances of a pool's vaults. */
type Reserves = (pool: Pool) => readonly [bigint, bigint];

/** Returns the output of a route as the program computes it; 0 if a pool is empty. */
export function outputOf(route: readonly Hop[], amountIn: bigint, reservesOf: Reserves): bigint {
  return route.reduce((amount, { pool, from }) => {
    const reserves = reservesOf(pool);
    const [taking, giving] = from === 0 ? reserves : [reserves[1], reserves[0]];
    const net = amount - mulDivUp(amount, pool.feeBps, BPS);
    return net === 0n ? 0n : mulDiv(net, giving, taking + net);
  }, amountIn);
}

/** Returns the smallest input of a route for an output; undefined if the pools hold too little. */
export function inputOf(route: readonly Hop[], amountOut: bigint, reservesOf: Reserves): bigint | undefined {
  return route.reduceRight<bigint | undefined>((amount, { pool, from }) => {
    const reserves = reservesOf(pool);
    const [taking, giving] = from === 0 ? reserves : [reserves[1], reserves[0]];
    if (amount === undefined || amount >= giving) return undefined;
    return mulDivUp(mulDivUp(amount, taking, giving - amount), BPS, BPS - pool.feeBps);
  }, amountOut);
}

/** Lists the routes between two tokens, each through the pools of one source and at most once through a token. */
export function findRoutes(input: string, output: string): Hop[][] {
  const found: Hop[][] = [];
  const extend = (route: readonly Hop[], last: string, seen: readonly string[]): void => {
    for (const pool of POOLS) {
      const from = pool.tokens[0] === last ? 0 : 1;
      const next = pool.tokens[from === 0 ? 1 : 0];
      if (!pool.tokens.includes(last) || seen.includes(next)) continue;
      if (route.some((hop) => hop.pool.source !== pool.source)) continue;
      const longer: Hop[] = [...route, { pool, from }];
      if (next === output) found.push(longer);
      else if (longer.length < MAX_HOPS && next !== DOLLAR) extend(longer, next, [...seen, next]);
    }
  };
  extend([], input, [input]);
  return found;
}

export interface RouteParameters {
  /** Account that pays the input and signs. */
  readonly user: string;
  /** Token account that receives the output. */
  readonly target: string;
  readonly route: readonly Hop[];
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
}

/** Builds the exchange program's swap instruction. */
export function routeInstruction({ user, target, route, amountIn, minimumOut }: RouteParameters): Instruction {
  const use = (pubkey: string, isWritable: boolean, isSigner = false): AccountUse => ({ pubkey, isSigner, isWritable });
  const [first] = route;
  const token = first === undefined ? "" : first.pool.tokens[first.from];
  return {
    programId: SVM_EXCHANGE,
    keys: [
      use(user, true, true),
      use(associatedTokenAccount(user, token, TOKEN_PROGRAM), true),
      use(target, true),
      use(POOL_AUTHORITY, false),
      use(TOKEN_PROGRAM, false),
      ...route.flatMap(({ pool: { address, vaults, others }, from }) => [
        use(address, false),
        use(vaults[from], true),
        use(vaults[from === 0 ? 1 : 0], true),
        ...others.map((other) => use(other, false)),
      ]),
    ],
    data: Buffer.concat([selector("global:route"), u64(amountIn), u64(minimumOut), Buffer.from([route.length])]),
  };
}

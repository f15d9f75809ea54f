import { compileSvmMessage, encodeSvmTransaction, type LookupTable, NO_SIGNATURE } from "@crosscall/sdk/kit";
import { measureSvmTransaction, type SvmTransactionSize } from "@crosscall/protocol/quote/rules";
import { associatedTokenAccount, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "@crosscall/protocol/vms";
import type { LedgerSwapParameters, LedgerSwapSearch } from "../../market/ledger.ts";
import { readTokenAccount } from "./accounts.ts";
import { createTokenAccount, u64, unitLimit } from "./instructions.ts";
import { findRoutes, type Hop, inputOf, outputOf, type Pool, POOLS, routeInstruction } from "./pools.ts";
import type { SolanaChain } from "./solanaChain.ts";
import type { Instruction } from "./wire.ts";

/** Compute units of a deposit after a swap: a base, and those of each pool. */
const UNITS_BASE = 80_000;
const UNITS_PER_POOL = 20_000;

/** Price of a compute unit in millionths of a lamport. */
const UNIT_PRICE = 10_000n;

/**
 * Finds the best route at the current balances of the pools.
 *
 * @param fits whether a transaction with the route fits; by default, each does
 */
export function findSwap(
  chain: SolanaChain,
  { input, output, amountIn, amountOut, maxRouteLength = Infinity, allows }: LedgerSwapParameters,
  fits: (route: readonly Hop[]) => boolean = () => true,
): LedgerSwapSearch {
  const routes = findRoutes(input, output).filter(
    (route) => route.length <= maxRouteLength && allows(sourceOf(route)) && fits(route),
  );
  if (routes.length === 0) return { kind: "no-route" };
  const reserves = reservesOf(chain);
  const swaps = routes.flatMap((route) => {
    const paid = amountOut === undefined ? amountIn : inputOf(route, amountOut, reserves);
    const received = paid === undefined ? 0n : (amountOut ?? outputOf(route, paid, reserves));
    if (paid === undefined || received === 0n) return [];
    const pools = route.map(({ pool }) => pool.address);
    return [{ source: sourceOf(route), amountIn: paid, amountOut: received, pools }];
  });
  const [first, ...others] = swaps;
  if (first === undefined) return { kind: "no-liquidity" };
  const swap = others.reduce(
    (best, other) => (other.amountOut > best.amountOut || other.amountIn < best.amountIn ? other : best),
    first,
  );
  return { kind: "found", swap };
}

function sourceOf([first]: readonly Hop[]): string {
  return first?.pool.source ?? "";
}

function reservesOf(chain: SolanaChain): (pool: Pool) => readonly [bigint, bigint] {
  const balanceOf = (account: string): bigint => readTokenAccount(chain.account(account))?.amount ?? 0n;
  return ({ vaults: [first, second] }) => [balanceOf(first), balanceOf(second)];
}

/** Returns the pools with these addresses, in the direction from the input. */
export function toRoute(addresses: readonly string[], input: string): Hop[] {
  let token = input;
  return addresses.map((address) => {
    const pool = POOLS.find((one) => one.address === address);
    if (pool === undefined) throw new TypeError(`${address} is not a pool`);
    const from = pool.tokens[0] === token ? 0 : 1;
    token = pool.tokens[from === 0 ? 1 : 0];
    return { pool, from };
  });
}

/** Returns the token in which a route ends. */
export function tokenAfter(route: readonly Hop[]): string {
  const last = route.at(-1);
  return last === undefined ? "" : last.pool.tokens[last.from === 0 ? 1 : 0];
}

export interface SwapBeforeDeposit {
  readonly user: string;
  readonly input: string;
  /** Currency of the deposit. */
  readonly output: string;
  readonly pools: readonly string[];
  readonly amountIn: bigint;
  readonly minimumOut: bigint;
}

/** Builds the instructions before a deposit: priority, limit, the account for the output, and the swap. */
export function swapInstructions(swap: SwapBeforeDeposit): Instruction[] {
  const { user, input, output, pools } = swap;
  const target = associatedTokenAccount(user, output, TOKEN_PROGRAM);
  return [
    unitLimit(UNITS_BASE + UNITS_PER_POOL * pools.length),
    unitPrice(UNIT_PRICE),
    createTokenAccount(user, user, output),
    routeInstruction({ ...swap, target, route: toRoute(pools, input) }),
  ];
}

function unitPrice(microLamports: bigint): Instruction {
  const SET_UNIT_PRICE = 3;
  const data = Buffer.concat([Buffer.from([SET_UNIT_PRICE]), u64(microLamports)]);
  return { programId: COMPUTE_BUDGET_PROGRAM, keys: [], data };
}

/** Measures the transaction, including the signatures of the fee payer and all other signers. */
export function measure(
  payer: string,
  instructions: readonly Instruction[],
  tables: readonly LookupTable[],
): SvmTransactionSize {
  const message = compileSvmMessage({ payer, instructions, tables, blockhash: SYSTEM_PROGRAM });
  // The header of a message of version 0 starts with the number of signers.
  const signatures = Array.from({ length: message[1] ?? 0 }, () => NO_SIGNATURE);
  return measureSvmTransaction(encodeSvmTransaction(signatures, message));
}

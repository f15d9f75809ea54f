import type { Address } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import { findBlockHash, readBalances } from "../../devchain/readChain.ts";
import type { AddressBalance, AddressCheck } from "../../market/reports.ts";
import {
  type DepositAddressRow,
  findAddressesInSweep,
  findGasLeft,
  findWatchedAddresses,
  listWatchedAddresses,
  watchDepositAddress,
} from "../../store/depositAddresses.ts";
import { attemptEach } from "../attemptEach.ts";
import type { Head } from "../deposits/readDeposits.ts";
import type { Observer, SolverParts } from "../solverParts.ts";
import { readUnswept, takeFirst, TRANSFER } from "./takeFirst.ts";

/** Maximum number of addresses of a pass to check per scan. */
const PASS_PER_LOOK = 64;

/** Number of most recently quoted, paid or reindexed addresses to check at each new block. */
const RECENT_PER_LOOK = 16;

/** Maximum number of addresses with a payment in progress to check again per scan. */
const AGAIN_PER_LOOK = 64;

/** Maximum number of blocks per request. Many nodes reject ranges of more than about 1,000 blocks. */
const BLOCKS_PER_LOOK = 1_000n;

export interface PaymentLook {
  /** Whether an address has a payment that is in progress or could not be taken. */
  readonly hasLeft: boolean;
  /** Whether some addresses have not been checked since the latest block. */
  readonly hasPass: boolean;
}

interface Pass {
  /** Hash of the latest block. */
  readonly startedAt: string;
  /** Whether the pass reads all currencies, because payments may be in blocks that were not read. */
  readonly isFull: boolean;
  readonly after: DepositAddressRow | undefined;
  readonly isDone: boolean;
}

/**
 * Scans for payments to deposit addresses. The work per scan is bounded regardless of the number of addresses. A scan
 * checks the addresses that appear in new blocks, the most recent addresses, and the next part of a pass over all
 * addresses. A pass finds native currency paid by a contract, which does not appear in blocks.
 *
 * The scan's memory only saves calls. A new scan finds the same payments.
 */
export function createPaymentLook(
  parts: SolverParts,
  chain: DevChain,
): (head: Head, signal: AbortSignal) => Promise<PaymentLook> {
  const { db } = parts.store;
  const currencies = parts.currencies.ofChain(chain.id).map(({ currency }) => currency.address as Address);
  const native = currencies.filter(isEvmNative);
  const tokens = currencies.filter((currency) => !isEvmNative(currency));
  let left = new Set<string>();
  let seen: Head | undefined;
  let pass: Pass | undefined;
  return async (head, signal) => {
    const now = new Date(parts.clock.now());
    const isNew = head.hash !== seen?.hash;
    const unread = isNew ? await findUnreadBlock(chain, seen, head) : head.number + 1n;
    const present = nextPass(pass, head, unread);
    const ofPass = present.isDone
      ? []
      : await listWatchedAddresses(db, { now, after: present.after, limit: PASS_PER_LOOK });
    // A pass starts with the recent addresses, so they are read separately only after the start.
    const recent =
      isNew && present.after !== undefined ? await listWatchedAddresses(db, { now, limit: RECENT_PER_LOOK }) : [];
    const again = [...left].slice(0, AGAIN_PER_LOOK);
    const payees = isNew
      ? await readPayees(chain, tokens, { fromBlock: unread ?? head.number, toBlock: head.number })
      : [];
    const named = [...again, ...payees];
    const found = named.length === 0 ? [] : await findWatchedAddresses(db, named, now);

    const inFull = new Map([...found, ...(present.isFull ? ofPass : [])].map((row) => [row.address, row]));
    const inNative = new Map([...recent, ...ofPass].map((row) => [row.address, row]));
    for (const address of inFull.keys()) inNative.delete(address);
    const rows = [...inFull.values(), ...inNative.values()];
    const inSweep = await findInSweep(rows);
    const isFree = ({ address }: DepositAddressRow): boolean => !inSweep.has(address);
    const payments = [
      ...(await findPayments(parts, chain, [...inFull.values()].filter(isFree), currencies)),
      ...(await findPayments(parts, chain, [...inNative.values()].filter(isFree), native)),
    ];
    await attemptEach(parts, payments, {
      what: "take a payment to a deposit address",
      facts: ({ row: { address, request_id } }) => ({ requestId: request_id, chainId: chain.id, address }),
      attempt: ({ row, balances }) => takeFirst(parts, chain, row, balances),
      signal,
    });

    for (const address of again) left.delete(address);
    // Checks these addresses again, because they may have another payment.
    left = new Set([...left, ...inSweep, ...payments.map(({ row }) => row.address)]);
    const isDone = present.isDone || ofPass.length < PASS_PER_LOOK;
    pass = { ...present, after: ofPass.at(-1) ?? present.after, isDone };
    seen = head;
    return { hasLeft: left.size > 0, hasPass: !isDone || pass.startedAt !== head.hash };
  };

  async function findInSweep(rows: readonly DepositAddressRow[]): Promise<ReadonlySet<string>> {
    if (rows.length === 0) return new Set();
    return findAddressesInSweep(
      db,
      chain.id,
      rows.map(({ address }) => address),
    );
  }
}

/** Returns the first unread block, or undefined after a reorg or if there are too many unread blocks. */
async function findUnreadBlock(chain: DevChain, seen: Head | undefined, head: Head): Promise<bigint | undefined> {
  if (seen === undefined || head.number - seen.number > BLOCKS_PER_LOOK) return undefined;
  const follows = head.parentHash === seen.hash || (await findBlockHash(chain, seen.number)) === seen.hash;
  return follows ? seen.number + 1n : undefined;
}

/**
 * Returns the next pass. A new block does not restart the pass over all addresses. Otherwise, the pass would never end.
 */
function nextPass(pass: Pass | undefined, head: Head, unread: bigint | undefined): Pass {
  const isFull = unread === undefined;
  const isOver = pass?.isDone === true && pass.startedAt !== head.hash;
  return pass === undefined || isFull || isOver
    ? { startedAt: head.hash, isFull, after: undefined, isDone: false }
    : pass;
}

export interface PaidAddress {
  readonly row: DepositAddressRow;
  /** Not empty. */
  readonly balances: readonly AddressBalance[];
}

/** Returns the given addresses that hold more than the solver's unused gas money. */
async function findPayments(
  { log, store }: Observer,
  chain: DevChain,
  rows: readonly DepositAddressRow[],
  currencies: readonly Address[],
): Promise<PaidAddress[]> {
  if (rows.length === 0) return [];
  const addresses = rows.map(({ address }) => address as Address);
  const held = await readBalances(chain, addresses, currencies);
  const unreadable = currencies.filter((_, at) => held.some((balances) => balances[at] === undefined));
  if (unreadable.length > 0) log.warn({ chainId: chain.id, currencies: unreadable }, "could not read some balances");
  const native = currencies.findIndex(isEvmNative);
  const withNative = addresses.filter((_, index) => (held[index]?.[native] ?? 0n) > 0n);
  const gasLeft: ReadonlyMap<string, bigint> =
    withNative.length === 0 ? new Map() : await findGasLeft(store.db, chain.id, withNative);
  return rows.flatMap((row, index) => {
    const balances = currencies.flatMap((currency, at) => {
      const balance = held[index]?.[at] ?? 0n;
      const left = isEvmNative(currency) ? (gasLeft.get(row.address) ?? 0n) : 0n;
      return balance > left ? [{ currency, amount: balance - left }] : [];
    });
    return balances.length === 0 ? [] : [{ row, balances }];
  });
}

/** Maximum number of blocks with transactions to read. Each of these blocks takes one RPC request. */
const BLOCKS_WITH_TRANSACTIONS = 20n;

/**
 * Finds the recipients of token transfers in a range of blocks, and of transactions in the last blocks of the range.
 * Does not find native currency paid by a contract.
 *
 * @returns addresses in lower case
 */
async function readPayees(
  { client }: Pick<DevChain, "client">,
  tokens: readonly Address[],
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<string[]> {
  const logs = await client.getLogs({ address: [...tokens], event: TRANSFER, fromBlock, toBlock, strict: true });
  const payees = new Set(logs.map(({ args }) => args.to.toLowerCase()));
  const first = toBlock - BLOCKS_WITH_TRANSACTIONS + 1n;
  for (let blockNumber = fromBlock > first ? fromBlock : first; blockNumber <= toBlock; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const { to, value } of transactions) if (to !== null && value > 0n) payees.add(to.toLowerCase());
  }
  return [...payees];
}

/**
 * Checks one address immediately, and watches it again if it expired. A balance can change without a block, or in a
 * missed block.
 */
export async function checkDepositAddress(
  parts: SolverParts,
  chain: DevChain,
  row: DepositAddressRow,
  currencies: readonly string[],
): Promise<AddressCheck> {
  const { db } = parts.store;
  await watchDepositAddress(db, row.address, new Date(parts.clock.now() + parts.depositAddressTtlMs));
  const read = await Promise.allSettled(
    currencies.map(async (currency) => ({
      currency,
      amount: await readUnswept(db, chain, currency, row.address as Address),
    })),
  );
  const found = read.flatMap((one) => (one.status === "fulfilled" && one.value.amount > 0n ? [one.value] : []));
  const errors = read.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  // The sweep of the first payment creates the blocks that announce the other payments.
  const isInSweep = (await findAddressesInSweep(db, chain.id, [row.address])).has(row.address);
  if (found.length === 0 || isInSweep) return { found, errors };
  const all = parts.currencies.ofChain(chain.id).map(({ currency }) => currency.address as Address);
  for (const { balances } of await findPayments(parts, chain, [row], all)) await takeFirst(parts, chain, row, balances);
  return { found, errors };
}

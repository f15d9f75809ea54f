import type { Address } from "viem";

import { isEvmNative } from "@crosscall/sdk/internal/chains/address";
import type { DevChain } from "../../devchain/devChain.ts";
import {
  type DepositAddressRow,
  findAddressesInSweep,
  findWatchedAddresses,
  listWatchedAddresses,
} from "../../store/depositAddresses.ts";
import { attemptEach } from "../attemptEach.ts";
import type { Head } from "../deposits/head.ts";
import type { SolverParts } from "../solverParts.ts";
import { findPayments } from "./findPayments.ts";
import { type BlockRange, readRecipients } from "./readRecipients.ts";
import { takeFirst } from "./takeFirst.ts";

/** Addresses of a pass that one look checks. */
const PASS_PER_LOOK = 64;

/** Addresses that were quoted, paid or reindexed last, which each new block checks. */
const RECENT_PER_LOOK = 32;

/** Addresses with a payment in progress that one look checks again. */
const AGAIN_PER_LOOK = 64;

/** A pass finds who was paid in earlier blocks. */
const BLOCKS_PER_LOOK = 20n;

export interface PaymentLook {
  /** Whether an address has a payment in progress, or one that could not be taken. */
  readonly hasLeft: boolean;
  /** Whether addresses were not checked since the last pass began. */
  readonly hasPass: boolean;
}

interface Pass {
  /** Hash of the head. */
  readonly startedAt: string;
  readonly after: DepositAddressRow | undefined;
  readonly isDone: boolean;
}

/**
 * Looks for payments to deposit addresses. One look takes bounded work, whatever the number of addresses: it checks those
 * that new blocks name, some with recent activity, and the next part of a pass over all of them. The passes find what
 * no block names: native currency that a contract paid.
 *
 * Its memory only saves calls: another one finds the same.
 */
export function createPaymentLook(
  parts: SolverParts,
  chain: DevChain,
): (head: Head, signal: AbortSignal) => Promise<PaymentLook> {
  const { db } = parts.store;
  const currencies = parts.currencies.ofChain(chain.id).map(({ currency }) => currency.address as Address);
  const tokens = currencies.filter((currency) => !isEvmNative(currency));
  let left = new Set<string>();
  let seen: Head | undefined;
  let pass: Pass | undefined;
  return async (head, signal) => {
    const now = new Date(parts.clock.now());
    const isNew = head.hash !== seen?.hash;
    const isStart = pass === undefined || (pass.isDone && pass.startedAt !== head.hash);
    const present = isStart || pass === undefined ? { startedAt: head.hash, after: undefined, isDone: false } : pass;
    const ofPass = present.isDone
      ? []
      : await listWatchedAddresses(db, { now, after: present.after, limit: PASS_PER_LOOK });
    // A pass starts with the recent ones.
    const recent = isNew && !isStart ? await listWatchedAddresses(db, { now, limit: RECENT_PER_LOOK }) : [];
    const rows = new Map([...recent, ...ofPass].map((row) => [row.address, row]));
    const again = [...left].slice(0, AGAIN_PER_LOOK);
    const named = isNew ? await readRecipients(chain, tokens, unreadBlocks(seen, head)) : [];
    const unknown = [...again, ...named].filter((address) => !rows.has(address));
    const found = unknown.length === 0 ? [] : await findWatchedAddresses(db, unknown, now);
    for (const row of found) rows.set(row.address, row);

    const addresses = [...rows.keys()];
    const inSweep = addresses.length === 0 ? new Set() : await findAddressesInSweep(db, chain.id, addresses);
    const free = [...rows.values()].filter(({ address }) => !inSweep.has(address));
    const payments = await findPayments(parts, chain, free, currencies);
    await attemptEach(parts, payments, {
      what: "take a payment to a deposit address",
      facts: ({ row: { address, request_id } }) => ({ requestId: request_id, chainId: chain.id, address }),
      attempt: ({ row, balances }) => takeFirst(parts, chain, row, balances),
      signal,
    });

    const isChecked = new Set(again);
    left = new Set([
      ...[...left].filter((address) => !isChecked.has(address)),
      ...addresses.filter((address) => inSweep.has(address)),
      // The address may have another payment.
      ...payments.map(({ row }) => row.address),
    ]);
    const isDone = present.isDone || ofPass.length < PASS_PER_LOOK;
    pass = { ...present, after: ofPass.at(-1) ?? present.after, isDone };
    seen = head;
    return { hasLeft: left.size > 0, hasPass: !isDone || pass.startedAt !== head.hash };
  };
}

function unreadBlocks(seen: Head | undefined, { number: toBlock }: Head): BlockRange {
  const next = seen === undefined || seen.number >= toBlock ? toBlock : seen.number + 1n;
  const first = toBlock - BLOCKS_PER_LOOK + 1n;
  return { fromBlock: next > first ? next : first, toBlock };
}

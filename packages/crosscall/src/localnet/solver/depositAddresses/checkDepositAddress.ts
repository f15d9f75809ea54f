import type { Address } from "viem";

import type { DevChain } from "../../devchain/devChain.ts";
import type { AddressCheck } from "../../market/reports.ts";
import { type DepositAddressRow, findAddressesInSweep, watchDepositAddress } from "../../store/depositAddresses.ts";
import type { SolverParts } from "../solverParts.ts";
import { findPayments } from "./findPayments.ts";
import { readUnswept, takeFirst } from "./takeFirst.ts";

/**
 * Checks one address at once, and watches it again if it expired: a balance may change without a block, or in one that
 * was missed.
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
  // The sweep of the first payment brings the blocks that announce the others.
  const isInSweep = (await findAddressesInSweep(db, chain.id, [row.address])).has(row.address);
  if (found.length === 0 || isInSweep) return { found, errors };
  const all = parts.currencies.ofChain(chain.id).map(({ currency }) => currency.address as Address);
  for (const { balances } of await findPayments(parts, chain, [row], all)) await takeFirst(parts, chain, row, balances);
  return { found, errors };
}

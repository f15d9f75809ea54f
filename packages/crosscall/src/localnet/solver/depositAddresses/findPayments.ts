import type { Address } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import type { DevChain } from "../../devchain/devChain.ts";
import { readBalances } from "../../devchain/readBalances.ts";
import type { AddressBalance } from "../../market/reports.ts";
import { type DepositAddressRow, findGasLeft } from "../../store/depositAddresses.ts";
import type { SolverParts } from "../solverParts.ts";

export interface PaidAddress {
  readonly row: DepositAddressRow;
  /** Not empty. */
  readonly balances: readonly AddressBalance[];
}

/** Those of the addresses that hold more than what is left of the solver's gas money. */
export async function findPayments(
  { log, store }: Pick<SolverParts, "log" | "store">,
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

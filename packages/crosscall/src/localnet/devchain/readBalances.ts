import { type Address, maxUint256 } from "viem";

import { localBalancesAbi, localBalancesCode } from "../../abi/localBalances.generated.ts";
import type { DevChain } from "./devChain.ts";

/** Nodes limit the gas of a call. */
const BALANCES_PER_CALL = 500;

/** Without an account. */
export const BALANCE_READER: Address = "0x00000000000000000000000000000000000ba1a4";

/**
 * Reads the balance of each account in each currency, many in one call. A token that fails spoils no other balance.
 *
 * @param currencies the zero address is native currency
 * @returns in the smallest unit, in the order of the accounts, and of the currencies for each; undefined for a token
 *   that fails
 */
export async function readBalances(
  { client }: Pick<DevChain, "client">,
  accounts: readonly Address[],
  currencies: readonly Address[],
): Promise<(bigint | undefined)[][]> {
  const perCall = Math.max(1, Math.floor(BALANCES_PER_CALL / currencies.length));
  const found: (bigint | undefined)[][] = [];
  for (let first = 0; first < accounts.length; first += perCall) {
    const balances = await client.readContract({
      address: BALANCE_READER,
      abi: localBalancesAbi,
      functionName: "read",
      args: [accounts.slice(first, first + perCall), currencies],
      stateOverride: [{ address: BALANCE_READER, code: localBalancesCode }],
    });
    const readable = balances.map((balance) => (balance === maxUint256 ? undefined : balance));
    for (let at = 0; at < readable.length; at += currencies.length)
      found.push(readable.slice(at, at + currencies.length));
  }
  return found;
}

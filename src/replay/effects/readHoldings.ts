import type { Fork } from "../fork/fork.ts";
import { readAllowance, readBalance } from "../state/readToken.ts";
import type { Touched } from "./listTouched.ts";

/** What accounts hold, and what they let others take; undefined where no token answers. Ordered as asked. */
export interface Holdings {
  readonly balances: readonly (bigint | undefined)[];
  readonly allowances: readonly (bigint | undefined)[];
}

/** Reads what those have whom a fill touches, from the fork's present state. */
export async function readHoldings(fork: Fork, { balances, allowances }: Touched): Promise<Holdings> {
  return {
    balances: await Promise.all(balances.map(({ account, currency }) => readBalance(fork, currency, account))),
    allowances: await Promise.all(allowances.map((allowance) => readAllowance(fork, allowance))),
  };
}

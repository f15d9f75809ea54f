import type { Fork } from "../fork/fork.ts";
import { readAllowance, readBalance } from "../state/readToken.ts";
import type { Touched } from "./listTouched.ts";

/** In the order of the query; undefined if the token does not respond. */
export interface Holdings {
  readonly balances: readonly (bigint | undefined)[];
  readonly allowances: readonly (bigint | undefined)[];
}

/** From the fork's present state. */
export async function readHoldings(fork: Fork, { balances, allowances }: Touched): Promise<Holdings> {
  return {
    balances: await Promise.all(balances.map(({ account, currency }) => readBalance(fork, currency, account))),
    allowances: await Promise.all(allowances.map((allowance) => readAllowance(fork, allowance))),
  };
}

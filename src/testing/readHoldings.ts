import type { Effects } from "../replay/effects/measureEffects.ts";
import type { Touched } from "../replay/effects/listTouched.ts";
import type { Fork } from "../replay/fork/fork.ts";
import { readAllowance, readBalance } from "../replay/state/readToken.ts";

/** What watched accounts hold, and what they let others take; undefined where no token answers. Ordered as watched. */
export interface Holdings {
  readonly balances: readonly (bigint | undefined)[];
  readonly allowances: readonly (bigint | undefined)[];
}

/** Reads what is watched, from the latest state. */
export async function readHoldings(fork: Fork, { balances, allowances }: Touched): Promise<Holdings> {
  return {
    balances: await Promise.all(balances.map(({ account, currency }) => readBalance(fork, currency, account))),
    allowances: await Promise.all(allowances.map((allowance) => readAllowance(fork, allowance))),
  };
}

/** What is other between two readings, and what is not: that nothing was spent must be seen, too. */
export function compareHoldings(watched: Touched, before: Holdings, after: Holdings): Effects {
  return {
    balances: pair(watched.balances, before.balances, after.balances),
    allowances: pair(watched.allowances, before.allowances, after.allowances),
  };
}

function pair<Watched extends object>(
  watched: readonly Watched[],
  before: readonly (bigint | undefined)[],
  after: readonly (bigint | undefined)[],
): (Watched & { readonly before: bigint; readonly after: bigint })[] {
  return watched.flatMap((each, index) => {
    const [was, is] = [before[index], after[index]];
    return was === undefined || is === undefined ? [] : [{ ...each, before: was, after: is }];
  });
}

import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../../chains/address.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import type { PreparedFill } from "../prepare/preparedFill.ts";
import type { AllowanceChange, BalanceChange } from "../replayReport.ts";
import { readAllowance, readBalance } from "../state/readToken.ts";
import { listTransfers } from "../trace/listTransfers.ts";
import { listTouched, type Touched } from "./listTouched.ts";

/** What a fill left as it is or changed: whoever it touched, before it and after it. */
export interface Effects {
  readonly balances: readonly BalanceChange[];
  readonly allowances: readonly AllowanceChange[];
}

/** What {@link measureEffects} takes. */
export interface MeasureEffectsParameters {
  readonly prepared: PreparedFill;
  readonly plan: FillPlan;
  /** Contracts of the integrator that must end with nothing, as the kit's proxies do. */
  readonly proxies?: readonly Address[];
}

/**
 * Reads what router, proxies, user, solver and all whom a fill touches have before it and after it, and what they let
 * others take. What the solver pays for gas is left out. A fill that fails changes nothing.
 */
export async function measureEffects({ prepared, plan, proxies = [] }: MeasureEffectsParameters): Promise<Effects> {
  const { fork, execution } = prepared;
  if (!execution.success) return { balances: [], allowances: [] };
  const touched = listTouched(execution.frame, plan, proxies);
  const before = await prepared.before(() => readTouched(fork, touched));
  const after = await prepared.after(() => readTouched(fork, touched));
  const sender = execution.frame.from;
  // Its balance has the price of the gas in it.
  const sent = listTransfers(execution.frame, plan).reduce((sum, { currency, from, to, amount }) => {
    if (!isSameAddress(currency, EVM_NATIVE_CURRENCY)) return sum;
    return sum + (isSameAddress(to, sender) ? amount : 0n) - (isSameAddress(from, sender) ? amount : 0n);
  }, 0n);
  return {
    balances: touched.balances.flatMap((each, index) => {
      const had = before.balances[index];
      const isOfSender = isSameAddress(each.account, sender) && isSameAddress(each.currency, EVM_NATIVE_CURRENCY);
      const has = isOfSender && had !== undefined ? had + sent : after.balances[index];
      return had === undefined || has === undefined ? [] : [{ ...each, before: had, after: has }];
    }),
    allowances: touched.allowances.flatMap((each, index) => {
      const had = before.allowances[index];
      const has = after.allowances[index];
      return had === undefined || has === undefined ? [] : [{ ...each, before: had, after: has }];
    }),
  };
}

interface Amounts {
  readonly balances: readonly (bigint | undefined)[];
  readonly allowances: readonly (bigint | undefined)[];
}

async function readTouched(fork: Fork, { balances, allowances }: Touched): Promise<Amounts> {
  return {
    balances: await Promise.all(balances.map(({ account, currency }) => readBalance(fork, currency, account))),
    allowances: await Promise.all(allowances.map((each) => readAllowance(fork, each))),
  };
}

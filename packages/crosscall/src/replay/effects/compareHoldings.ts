import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { CallFrame } from "../callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { AllowanceChange, BalanceChange } from "../replayReport.ts";
import { listTransfers } from "../trace/listTransfers.ts";
import type { Touched } from "./listTouched.ts";
import type { Holdings } from "./readHoldings.ts";

export interface Effects {
  readonly balances: readonly BalanceChange[];
  readonly allowances: readonly AllowanceChange[];
}

export interface CompareHoldingsParameters {
  readonly touched: Touched;
  readonly before: Holdings;
  readonly after: Holdings;
  /** The fill's transaction, between both readings. */
  readonly root: CallFrame;
  readonly plan: FillPlan;
}

/** Without the sender's gas payment. */
export function compareHoldings({ touched, before, after, root, plan }: CompareHoldingsParameters): Effects {
  const sender = root.from;
  const sent = listTransfers(root, plan).reduce((sum, { currency, from, to, amount }) => {
    if (!isEvmNative(currency)) return sum;
    return sum + (isSameAddress(to, sender) ? amount : 0n) - (isSameAddress(from, sender) ? amount : 0n);
  }, 0n);
  const has = touched.balances.map(({ account, currency }, index) => {
    const isOfSender = isSameAddress(account, sender) && isEvmNative(currency);
    const had = before.balances[index];
    return isOfSender && had !== undefined ? had + sent : after.balances[index];
  });
  return {
    balances: pair(touched.balances, before.balances, has),
    allowances: pair(touched.allowances, before.allowances, after.allowances),
  };
}

function pair<Each extends object>(
  touched: readonly Each[],
  before: readonly (bigint | undefined)[],
  after: readonly (bigint | undefined)[],
): (Each & { readonly before: bigint; readonly after: bigint })[] {
  return touched.flatMap((each, index) => {
    const [had, has] = [before[index], after[index]];
    return had === undefined || has === undefined ? [] : [{ ...each, before: had, after: has }];
  });
}

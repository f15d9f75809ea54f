import type { Address } from "viem";

import type { FillPlan } from "../fillPlan.ts";
import type { PreparedFill } from "../prepare/preparedFill.ts";
import { compareHoldings, type Effects } from "./compareHoldings.ts";
import { listTouched } from "./listTouched.ts";
import { readHoldings } from "./readHoldings.ts";

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
  const before = await prepared.before(() => readHoldings(fork, touched));
  const after = await prepared.after(() => readHoldings(fork, touched));
  return compareHoldings({ touched, before, after, root: execution.frame, plan });
}

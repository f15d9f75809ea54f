import type { Address } from "viem";

import type { FillPlan } from "./fillPlan.ts";

/** Whom a fill touches for sure. */
export function accountsOfPlan({ router, solver, currency, recipient, calls }: FillPlan): Address[] {
  return [router, solver, currency, recipient, ...calls.map(({ to }) => to)];
}

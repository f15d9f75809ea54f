import type { PlanDescription } from "./planDescription.ts";
import type { BuiltPlan } from "./buildPlan.ts";

/** A finished plan as `plan.json`: the quote request, and the contracts that a check of it should know. */
export function toPlanFile({ request, contracts }: BuiltPlan): PlanDescription {
  const { router, routerVersion, proxies, ...others } = contracts;
  return {
    ...request,
    router,
    ...(routerVersion === undefined ? {} : { routerVersion }),
    contracts: {
      ...(proxies === undefined ? {} : { proxies: [...proxies] }),
      ...copyLists(others),
    },
  };
}

function copyLists({ trusted, anyCallers, ...accounts }: Omit<BuiltPlan["contracts"], "router" | "proxies">) {
  const { pushExecutor, livePuller } = accounts;
  return {
    ...(pushExecutor === undefined ? {} : { pushExecutor }),
    ...(livePuller === undefined ? {} : { livePuller }),
    ...(trusted === undefined ? {} : { trusted: [...trusted] }),
    ...(anyCallers === undefined ? {} : { anyCallers: [...anyCallers] }),
  };
}

import { buildContext } from "./buildContext.ts";
import type { CallFinding } from "./finding.ts";
import type { CheckCallsParameters } from "./parameters.ts";
import { type FindingCode, RULES } from "./rules.ts";

/**
 * Checks the calls of a request: approvals, amounts, order, recipients, leftovers and the traps of the router (spec 2,
 * call execution rules; `docs/checks.md` lists the rules). It knows the functions that `decodeCalls` knows; of other
 * calls it checks the target only. It does not access the network: pass chain data as `facts`.
 *
 * @returns what is wrong: what concerns the whole request, then by entry of `txs`; empty when nothing is
 */
export function checkCalls(parameters: CheckCallsParameters): CallFinding[] {
  const context = buildContext(parameters);
  const codes = Object.keys(RULES) as FindingCode[];
  return codes
    .flatMap((code) => {
      const { severity, hint: defaultHint, find } = RULES[code];
      return find(context).map(({ index, reason, hint = defaultHint }) => ({ code, severity, index, reason, hint }));
    })
    .toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1));
}

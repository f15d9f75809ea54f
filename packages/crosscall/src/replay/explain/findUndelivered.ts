import { isSameAddress } from "@crosscall/protocol/chains";
import type { CallFrame } from "../callFrame.ts";
import type { Effects } from "../effects/compareHoldings.ts";
import { walkCalls } from "../effects/walkCalls.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../finding.ts";

/** A fill that works while the recipient receives nothing: no balance of theirs changes, and no event names them. */
export function findUndelivered(root: CallFrame, plan: FillPlan, { balances }: Effects): ReplayFinding[] {
  const word = plan.recipient.slice(2).toLowerCase();
  const isNamed = walkCalls(root, new Map()).some(({ frame }) =>
    frame.logs.some(
      (log) =>
        // The router's own events repeat its calls.
        !isSameAddress(log.address, plan.router) &&
        [...log.topics, log.data].some((part) => part.toLowerCase().includes(word)),
    ),
  );
  if (
    isNamed ||
    balances.some(({ account, before, after }) => before !== after && isSameAddress(account, plan.recipient))
  )
    return [];
  return [
    {
      code: "NOTHING_DELIVERED",
      severity: "warning",
      txIndex: undefined,
      reason: `no balance of ${plan.recipient} changes, and no event names it`,
      hint: "Name the user as the recipient in the call that brings the output, or sweep it to the user.",
    },
  ];
}

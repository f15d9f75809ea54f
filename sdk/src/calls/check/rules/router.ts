import type { DecodedCall, DecodedFunctionCall } from "../../decode/decodedCall.ts";
import { nameToken } from "../nameToken.ts";
import type { Rules } from "../rule.ts";

/** Spec 4, section 3. */
export const routerRules = {
  UNTRUSTED_AFTER_SELF_CALL: {
    severity: "warning",
    meaning:
      "Every call of the router to itself clears its reentrancy guard, and a later target is unknown: it can reenter the router and take its funds.",
    hint: "Make the unknown call first, sweep everything before it, or list the target as a trusted contract.",
    find: ({ calls, holdings, isTrusted }) => {
      const first = holdings.calls.find(({ operation }) => operation.isSelf && operation.call.kind !== "empty");
      return holdings.calls.flatMap(({ operation: { index, call }, held }) => {
        const isAfter = first !== undefined && index > first.operation.index;
        if (!isAfter || held.length === 0 || isInViaCall(call, calls[index])) return [];
        const unknown = reachedBy(call).find((account) => !isTrusted(account));
        if (unknown === undefined) return [];
        const funds = held.map(nameToken).join(", ");
        return [
          {
            index,
            reason: `txs[${first.operation.index}] clears the router's guard, and ${unknown} is called while the router may hold ${funds}`,
          },
        ];
      });
    },
  },
  ROUTER_CALL_UNKNOWN: {
    severity: "error",
    meaning: "A call uses a router function that this router version does not have.",
    hint: "Encode the call for the router's version, or set routerVersion.",
    find: (context) =>
      context.holdings.calls.flatMap(({ operation: { index, call, isSelf } }) => {
        if (!isSelf || call.kind === "empty" || call.kind === "malformed") return [];
        const { routerVersion = "v3" } = context.contracts;
        const families = ["router", routerVersion === "v3" ? "router v3" : "router v2"];
        if (call.kind === "function" && families.includes(call.family ?? "")) return [];
        const name = call.kind === "function" ? call.signature : call.data.slice(0, 10);
        return [{ index, reason: `a router ${routerVersion} does not have ${name}` }];
      }),
  },
  ROUTER_CALL_ELSEWHERE: {
    severity: "error",
    meaning: "A cleanup is sent to a contract other than the router.",
    hint: "Send it to the router of the destination chain.",
    find: ({ holdings, contracts }) =>
      holdings.calls.flatMap(({ operation: { index, call, isSelf } }) =>
        !isSelf && call.kind === "function" && isCleanup(call)
          ? [{ index, reason: `${call.name} goes to ${call.to}, and the router is ${contracts.router}` }]
          : [],
      ),
  },
} as const satisfies Rules;

/** The guard holds for these: while the router calls itself, no other account may enter. */
function isInViaCall(call: DecodedCall, outer: DecodedCall | undefined): boolean {
  return outer !== call && outer?.kind === "function" && outer.family === "router";
}

/** Includes targets of programs. */
function reachedBy(call: DecodedCall): string[] {
  const steps = call.kind === "function" ? (call.program?.steps ?? []) : [];
  return [call.to, ...steps.map(({ target }) => target)];
}

function isCleanup({ family, name }: DecodedFunctionCall): boolean {
  return family?.startsWith("router") === true && name.startsWith("cleanup");
}

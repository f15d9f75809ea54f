import { type KnownChain, VM_TYPE_BY_CHAIN_ID } from "@crosscall/protocol/chains";
import { compact } from "@crosscall/protocol/core";
import type { Call } from "@crosscall/protocol/common";
import { routerGenerationOf } from "@crosscall/protocol/generations";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { findQuoteProblem } from "@crosscall/protocol/quote/rules";
import type { DecodedCall, DecodedFunctionCall } from "../../decode/decodedCall.ts";
import { nameToken } from "../operation.ts";
import { type CheckContext, distinct, type Rules, type Violation } from "../rule.ts";
import { findFormProblems } from "./form.ts";

/** Rules about the router and its reentrancy guard (spec 4, section 3). */
export const routerRules = {
  UNTRUSTED_AFTER_SELF_CALL: {
    severity: "warning",
    meaning:
      "Each self-call of a router before 3.1 clears its reentrancy guard, so a later unknown target can reenter the router and take its funds.",
    hint: "Put the unknown call first, sweep everything before it, or list its target as a trusted contract.",
    find: ({ calls, holdings, contracts, isTrusted }) => {
      if (routerGenerationOf(contracts.router)?.keepsGuard === true) return [];
      const first = holdings.calls.find(({ operation }) => operation.isSelf && operation.call.kind !== "empty");
      const violations = holdings.calls.flatMap(({ operation: { index, call }, held }) => {
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
      return distinct(violations);
    },
  },
  ROUTER_CALL_UNKNOWN: {
    severity: "error",
    meaning: "A call uses a router function that this router version does not have.",
    hint: "Encode the call for the router's version, or set routerVersion.",
    find: (context) =>
      context.holdings.calls.flatMap(({ operation: { index, call, isSelf } }) => {
        if (!isSelf || call.kind === "empty" || call.kind === "malformed") return [];
        const { router, routerVersion = "v3" } = context.contracts;
        const version = routerGenerationOf(router)?.version ?? routerVersion.slice(1);
        const families = ["router", version.startsWith("3") ? "router v3" : "router v2"];
        if (call.kind === "function" && families.includes(call.family ?? "")) return [];
        const name = call.kind === "function" ? call.signature : call.data.slice(0, 10);
        return [{ index, reason: `router ${version} does not have ${name}` }];
      }),
  },
  ROUTER_CALL_ELSEWHERE: {
    severity: "error",
    meaning: "A call sends a cleanup to a contract other than the router.",
    hint: "Send it to the destination chain's router.",
    find: ({ holdings, contracts }) =>
      holdings.calls.flatMap(({ operation: { index, call, isSelf } }) =>
        !isSelf && call.kind === "function" && isCleanup(call)
          ? [{ index, reason: `${call.name} goes to ${call.to}, but the router is ${contracts.router}` }]
          : [],
      ),
  },
} as const satisfies Rules;

/** Whether the guard protects the call: while the router calls itself, no other account can enter. */
function isInViaCall(call: DecodedCall, outer: DecodedCall | undefined): boolean {
  return outer !== call && outer?.kind === "function" && outer.family === "router";
}

/** Lists the accounts that a call reaches, including targets of programs. */
function reachedBy(call: DecodedCall): string[] {
  const steps = call.kind === "function" ? (call.program?.steps ?? []) : [];
  return [call.to, ...steps.map(({ target }) => target)];
}

function isCleanup({ family, name }: DecodedFunctionCall): boolean {
  return family?.startsWith("router") === true && name.startsWith("cleanup");
}

export const requestRules = {
  INVALID_REQUEST: {
    severity: "error",
    meaning: "A field of the request other than the calls is invalid.",
    hint: "Correct the field.",
    find: ({ request }) => {
      const { txs: _txs, ...terms } = request;
      return violationsOf(findQuoteProblem(terms, routerChains(terms)));
    },
  },
  CALLS_NOT_SUPPORTED: {
    severity: "error",
    meaning: "The trade type or the destination chain does not support calls.",
    hint: "Use EXACT_INPUT or EXACT_OUTPUT and an EVM destination, or omit txs.",
    find: (context) => callProblems(context).flatMap((problem) => selectBy(problem, "EXTRA_TXS_NOT_SUPPORTED")),
  },
  AMOUNT_NOT_SUM_OF_VALUES: {
    severity: "error",
    meaning: "With EXACT_OUTPUT of the native currency, the amount is not the sum of all values.",
    hint: "Set amount to the sum of the values.",
    find: (context) =>
      callProblems(context).flatMap((problem) => (problem.field === "amount" ? violationsOf(problem) : [])),
  },
  VALUE_WITHOUT_NATIVE: {
    severity: "error",
    meaning: "With EXACT_OUTPUT of a token, a call sends native currency that the router does not have.",
    hint: 'Set the value to "0", or request the native currency.',
    find: (context) =>
      callProblems(context).flatMap((problem) =>
        problem.field.endsWith(".value") ? violationsOf(problem, indexOf(problem)) : [],
      ),
  },
  REFUND_TO_MISSING: {
    severity: "note",
    meaning: "The request has no refundTo, so refunds go to the depositor.",
    hint: "Set refundTo, especially if a contract deposits for the user.",
    find: ({ request, txs }) =>
      txs.length > 0 && request.refundTo === undefined ? [{ reason: "refundTo is not given" }] : [],
  },
} as const satisfies Rules;

/** Lists all problems at once; the service reports one at a time. */
function callProblems({ request, txs }: CheckContext): QuoteProblem[] {
  const { txs: _txs, ...terms } = request;
  // Invalid terms and malformed calls have their own rules.
  const chains = routerChains(terms);
  if (findQuoteProblem(terms, chains) !== undefined || txs.some((call) => findFormProblems(call).length > 0)) return [];
  const problems: QuoteProblem[] = [];
  let left = [...txs];
  for (;;) {
    const problem = findQuoteProblem({ ...terms, txs: left }, chains);
    if (problem === undefined) return problems;
    problems.push(problem);
    const index = indexOf(problem);
    if (index === undefined) return problems;
    left = left.with(index, { ...left[index], value: "0" } as Call);
  }
}

/** Returns an undocumented destination as an EVM chain, because only EVM chains have a router. */
function routerChains({ destinationChainId: id }: CheckContext["request"]): KnownChain[] {
  return VM_TYPE_BY_CHAIN_ID.has(id) ? [] : [{ id, vmType: "evm" }];
}

function selectBy(problem: QuoteProblem, errorCode: QuoteProblem["errorCode"]): Violation[] {
  return problem.errorCode === errorCode ? violationsOf(problem) : [];
}

function violationsOf(problem: QuoteProblem | undefined, index?: number): Violation[] {
  if (problem === undefined) return [];
  const { field, value, reason, hint } = problem;
  const seen = value === undefined ? "is missing" : `is ${JSON.stringify(value)}`;
  return [compact({ reason: `${field} ${seen}: ${reason}`, hint, index })];
}

function indexOf({ field }: QuoteProblem): number | undefined {
  const place = /^txs\[(\d+)\]/u.exec(field)?.[1];
  return place === undefined ? undefined : Number(place);
}

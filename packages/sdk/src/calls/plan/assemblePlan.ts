import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type Call, sumCallValues } from "@crosscall/protocol/common";
import { routerGenerationOf } from "@crosscall/protocol/generations";
import { requireSoundCalls } from "../check/checkCalls.ts";
import { namePublicAccount } from "../check/findPublicCredits.ts";
import type { KnownProxy } from "../check/parameters.ts";
import { cleanupErc20s, cleanupNative } from "../cleanups.ts";
import { resetAllowance } from "../approve.ts";
import type { PlanFragment } from "./fragment.ts";
import type { ProgramRunner } from "./planProgram.ts";
import type { PlannedCalls, PlanTerms } from "./planTerms.ts";

export interface PlanContracts {
  readonly proxies: readonly KnownProxy[];
  readonly programs: ProgramRunner | undefined;
}

/**
 * Joins the fragments, then empties the router: sweeps the currencies that can remain to the recipient, then resets
 * allowances, except those that may remain.
 */
export function assemblePlan(
  terms: PlanTerms,
  fragments: readonly PlanFragment[],
  contracts: PlanContracts,
): PlannedCalls {
  requireGuard(terms, fragments);
  requireOwnRecipient(terms, contracts);
  const { router, routerVersion = "v3", recipient, destinationCurrency } = terms;
  const allowances = fragments.flatMap((fragment) => fragment.allowances);
  const left = currenciesLeft(destinationCurrency, fragments);
  const tokens = left.filter((currency) => !isEvmNative(currency));
  const txs = [
    ...fragments.flatMap(({ calls }) => calls),
    ...(tokens.length === 0
      ? []
      : [cleanupErc20s({ router, routerVersion, cleanups: tokens.map((token) => ({ token, recipient })) })]),
    ...(left.some(isEvmNative) ? [cleanupNative({ router, routerVersion, recipient })] : []),
    ...allowances.filter(({ mayRemain }) => mayRemain !== true).map(resetAllowance),
  ];
  const planned = { txs, amount: amountOfPlan(terms, txs).toString(), tradeType: terms.tradeType };
  requireSoundCalls({ ...planned, ...knownOf(terms, fragments, contracts) }, terms.accepts);
  return planned;
}

function knownOf(
  { router, routerVersion = "v3", recipient, destinationCurrency }: PlanTerms,
  fragments: readonly PlanFragment[],
  { proxies, programs }: PlanContracts,
) {
  const allowances = fragments.flatMap((fragment) => fragment.allowances);
  const runner = programs === undefined ? {} : { pushExecutor: programs.executor, livePuller: programs.livePuller };
  return {
    destinationCurrency,
    recipient,
    // The quote request sets the refund recipient.
    refundTo: recipient,
    contracts: { router, routerVersion, proxies, ...runner },
    facts: {
      tokens: allowances.map(({ token: address }) => ({
        address,
        // One action may state what the others leave unknown.
        refusesAllowanceChange: !allowances.some(
          ({ token, facts }) => facts.refusesChange === false && isSameAddress(token, address),
        ),
      })),
      allowances: allowances.flatMap(({ token, spender, facts: { standing } }) =>
        standing === undefined ? [] : [{ token, spender, amount: standing }],
      ),
    },
  };
}

/** Rejects recipients from which anyone could take the funds, except the router, which the checker reports. */
function requireOwnRecipient({ router, recipient }: PlanTerms, { programs }: PlanContracts): void {
  if (programs === undefined || isSameAddress(recipient, router)) return;
  const { executor, livePuller } = programs;
  const who = namePublicAccount(recipient, { router, pushExecutor: executor, livePuller });
  if (who === undefined) return;
  throw new InvalidInputError({
    field: "recipient",
    value: recipient,
    reason: `it is ${who}, from which anyone can take the remaining funds`,
    hint: "Pass the user's own account.",
  });
}

/** Rejects plans in which others could take the router's funds during the fill. */
function requireGuard({ router, destinationCurrency }: PlanTerms, fragments: readonly PlanFragment[]): void {
  if (routerGenerationOf(router)?.keepsGuard === true) return;
  for (const [index, { guard, takes }] of fragments.entries()) {
    if (guard !== "releasesFirst") continue;
    const held = currenciesLeft(destinationCurrency, fragments.slice(0, index));
    const [other] = held.filter((currency) => !takes.some((taken) => isSameAddress(taken, currency)));
    if (other === undefined) continue;
    throw new InvalidInputError({
      field: `actions[${index}]`,
      value: other,
      reason: "the push clears the router's guard while the router can hold this currency, which others could take",
      hint: 'Declare the currency as a token of the program, or use a single token with programs: { by: "pull" }.',
    });
  }
  const end = fragments.findIndex(({ guard }) => guard === "releases" || guard === "releasesFirst");
  if (end === -1) return;
  const isExposed = ({ guard }: PlanFragment): boolean =>
    fragments[end]?.guard === "releasesFirst" || guard === "requires" || guard === "releasesFirst";
  const exposed = fragments.findIndex((fragment, index) => index > end && isExposed(fragment));
  if (exposed === -1) return;
  throw new InvalidInputError({
    field: `actions[${exposed}]`,
    value: `behind actions[${end}]`,
    reason: `actions[${end}] makes the router call itself, which clears its guard: others could take its remaining funds`,
    hint: `Put actions[${end}] last, or combine both in one program.`,
  });
}

/** Returns the currencies that the router can hold after the calls. The solver delivers `destinationCurrency` first. */
function currenciesLeft(destinationCurrency: Address, fragments: readonly PlanFragment[]): Address[] {
  const named = fragments.flatMap(({ takes, leaves }) => [...takes, ...leaves]);
  const left = fragments.reduce<readonly Address[]>(
    (before, { takes, leaves, isOpaque = false }) => [
      ...before.filter((currency) => !takes.some((taken) => isSameAddress(taken, currency))),
      ...leaves,
      ...(isOpaque ? [...named, destinationCurrency, EVM_NATIVE_CURRENCY] : []),
    ],
    [destinationCurrency],
  );
  return left.filter((address, index) => left.findIndex((other) => isSameAddress(other, address)) === index);
}

/** Returns the request's amount in the smallest unit (spec 2, call rule 1). */
function amountOfPlan({ tradeType, destinationCurrency, amount }: PlanTerms, txs: readonly Call[]): bigint {
  if (tradeType === "EXACT_OUTPUT" && isEvmNative(destinationCurrency)) {
    const sum = sumCallValues(txs);
    if (sum > 0n && (amount === undefined || amount === sum)) return sum;
    throw new InvalidInputError({
      field: "amount",
      value: amount,
      reason: `with EXACT_OUTPUT of the native currency it must be the sum of all values, ${sum}, which must be above zero`,
      hint: "Omit amount, and set the values that the calls need.",
    });
  }
  if (amount !== undefined && amount > 0n) return amount;
  throw new InvalidInputError({
    field: "amount",
    value: amount,
    reason:
      tradeType === "EXACT_INPUT"
        ? "with EXACT_INPUT it must be the amount that the user sends, above zero"
        : "with EXACT_OUTPUT of a token it must be the amount that the calls need, above zero",
    hint: "Pass amount in the smallest unit.",
  });
}

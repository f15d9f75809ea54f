import { mostInput, readTerms } from "@crosscall/sdk/kit";
import type { Address } from "viem";

import { minimumOutput } from "@crosscall/protocol/quote/rules";
import { SYSTEM_PROGRAM } from "@crosscall/protocol/vms";
import type { AllowanceChange, BalanceChange } from "../replayReport.ts";
import { isSameChain, originFinding } from "./originFindings.ts";
import type { PreflightFinding, PreflightSubject } from "./preflightReport.ts";
import type { SvmStates, SvmTokenState } from "./svmAccounts.ts";

/** Effects of a transaction on the accounts that it can change. */
export interface SvmOriginFacts extends PreflightSubject {
  /** Account that pays the fee. */
  readonly payer: string;
  /** Fee of the transaction, in the smallest unit. */
  readonly fee: bigint;
  /** Rent of token accounts that the transaction creates, in the smallest unit. */
  readonly rent: bigint;
  readonly before: SvmStates;
  readonly after: SvmStates;
}

/** Finds effects of a transaction beyond the request. */
export function judgeSvmOrigin(facts: SvmOriginFacts): PreflightFinding[] {
  return [...findLosses(facts), ...findTaken(facts), ...findAllowances(facts), ...findOutput(facts)];
}

/** Returns the balances and allowances that a transaction changes, including the recipient's on the same chain. */
export function svmChangesOf(facts: SvmOriginFacts): {
  readonly balances: readonly BalanceChange[];
  readonly allowances: readonly AllowanceChange[];
} {
  const { request, payer, before, after } = facts;
  const { user, recipient = user } = request;
  const accounts = new Set([user, payer, ...(isSameChain(request) ? [recipient] : [])]);
  const changes = [...accounts].flatMap((account) =>
    currenciesOf(facts, account).map((currency) => ({
      account: account as Address,
      currency: currency as Address,
      before: balanceOf(before, account, currency),
      after: balanceOf(after, account, currency),
    })),
  );
  return {
    balances: changes.filter((change) => change.before !== change.after),
    allowances: permissionsOf(facts).flatMap(({ was, left, token, spender }) =>
      was === left ? [] : [{ token, owner: user as Address, spender, before: was, after: left }],
    ),
  };
}

function findLosses(facts: SvmOriginFacts): PreflightFinding[] {
  const { request, payer, fee, rent, before, after } = facts;
  const { user, originCurrency } = request;
  const most = mostInput(readTerms({ ...facts, now: 0 }));
  const accounts = [...new Set([user, payer])];
  return accounts.flatMap((account) =>
    currenciesOf(facts, account).flatMap((currency) => {
      const isInput = account === user && currency === originCurrency;
      const isNative = currency === SYSTEM_PROGRAM;
      const allowed = isInput ? most : 0n;
      const costs = isNative ? rent + (account === payer ? fee : 0n) : 0n;
      const lost = balanceOf(before, account, currency) - balanceOf(after, account, currency);
      if (lost <= allowed + costs) return [];
      const besides = isNative ? " in addition to fee and rent" : "";
      const reason = `${lost - costs} of ${currency} leave ${account}${besides}; the request allows ${allowed}`;
      return [originFinding(isInput ? "INPUT_EXCEEDED" : "OTHER_FUNDS_LEFT", reason)];
    }),
  );
}

/** Finds accounts of the user that belong to another account or program afterwards. */
function findTaken({ request, payer, before, after }: SvmOriginFacts): PreflightFinding[] {
  const own = [...before].flatMap(([address, { owner, token }]) => {
    const next = after.get(address);
    if ([request.user, payer].includes(address))
      return next === undefined ? [] : [[address, owner, next.owner] as const];
    const isOwn = token?.owner === request.user && next?.token !== undefined;
    return isOwn ? [[address, token.owner, next.token.owner] as const] : [];
  });
  return own.flatMap(([address, was, is]) =>
    was === is ? [] : [originFinding("OTHER_FUNDS_LEFT", `account ${address} belongs to ${is} afterwards`)],
  );
}

function findAllowances(facts: SvmOriginFacts): PreflightFinding[] {
  return permissionsOf(facts).flatMap(({ was, left, token, spender, closes }) => {
    if (closes) return [originFinding("ALLOWANCE_LEFT", `${spender} can close an account of ${token} afterwards`)];
    if (left <= was) return [];
    return [originFinding("ALLOWANCE_LEFT", `${spender} can still take ${left} of ${token} afterwards`)];
  });
}

/** Checks the output on the same chain. Other deposits are recorded by the depository's program, which is pinned. */
function findOutput({ request, quote, payer, fee, rent, before, after }: SvmOriginFacts): PreflightFinding[] {
  const { user, recipient = user, destinationCurrency } = request;
  if (!isSameChain(request)) return [];
  const least = minimumOutput(quote);
  const isNative = destinationCurrency === SYSTEM_PROGRAM;
  const costs = isNative && recipient === user ? rent + (payer === user ? fee : 0n) : 0n;
  const gained =
    balanceOf(after, recipient, destinationCurrency) - balanceOf(before, recipient, destinationCurrency) + costs;
  if (gained >= least) return [];
  return [originFinding("OUTPUT_MISSING", `the recipient gains ${gained}, which is less than ${least}`)];
}

/** Lists the permissions for the user's token accounts that are new or changed. */
function permissionsOf({ request, before, after }: SvmOriginFacts) {
  return [...after].flatMap(([address, { token }]) => {
    if (token === undefined || token.owner !== request.user) return [];
    const earlier = before.get(address)?.token;
    const { mint, delegate, delegated, closer } = token;
    const was = earlier !== undefined && earlier.delegate === delegate ? earlier.delegated : 0n;
    const permission = { token: mint as Address, was, left: delegated, closes: false };
    return [
      ...(delegate === undefined ? [] : [{ ...permission, spender: delegate as Address }]),
      ...(closer === undefined || closer === request.user || closer === earlier?.closer
        ? []
        : [{ ...permission, was: 0n, left: 0n, spender: closer as Address, closes: true }]),
    ];
  });
}

/** Lists the native currency, and the tokens in the accounts that the transaction can change. */
function currenciesOf({ before, after }: SvmOriginFacts, owner: string): string[] {
  const mints = [before, after].flatMap((states) => tokensOf(states, owner).map(({ mint }) => mint));
  return [...new Set([SYSTEM_PROGRAM, ...mints])];
}

function balanceOf(states: SvmStates, owner: string, currency: string): bigint {
  if (currency === SYSTEM_PROGRAM) return states.get(owner)?.lamports ?? 0n;
  return tokensOf(states, owner)
    .filter(({ mint }) => mint === currency)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

function tokensOf(states: SvmStates, owner: string): SvmTokenState[] {
  return [...states.values()].flatMap(({ token }) => (token?.owner === owner ? [token] : []));
}

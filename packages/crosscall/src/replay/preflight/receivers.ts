import { type AccountCodes, type AccountSubject, findAccountProblems, isContract, isTrusted } from "@crosscall/sdk/kit";
import { type Address, zeroAddress } from "viem";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { ServiceTrust } from "@crosscall/sdk/verify";

import type { PreflightFinding } from "./preflightReport.ts";
import type { Fork } from "../fork/fork.ts";
import { readCode } from "../fork/readState.ts";
import type { Transfer } from "../replayReport.ts";

/** Warns about accounts with different code on the two chains. */
export function findMissingAccounts(
  subject: AccountSubject,
  codes: { readonly origin: AccountCodes; readonly destination: AccountCodes },
): readonly PreflightFinding[] {
  return findAccountProblems(subject, codes).map(({ kind, codeChain, account, role, leg, chain }): PreflightFinding => {
    const at = `${role} ${account}`;
    if (kind === "missing") {
      return {
        code: "ACCOUNT_MISSING",
        leg,
        severity: "warning",
        reason: `${at} is a contract on the ${codeChain} chain, but has no code on the ${chain} chain, where it receives`,
        hint: `Pass an account that you control on the ${chain} chain, or deploy the contract there first.`,
      };
    }
    return {
      code: "ACCOUNT_DELEGATES",
      leg,
      severity: "warning",
      reason: `${at} delegates to a contract (EIP-7702) only on the ${codeChain} chain`,
      hint: "Check that the account can receive and spend on both chains without the delegate.",
    };
  });
}

/** Matches the code of an account that delegates to a contract (EIP-7702). */

/**
 * Lists payments to accounts, other than contracts, that are not in the request or the pinned addresses. A swap
 * pays pools and the recipient: within the slippage, no balance shows that it pays another account.
 */
export async function findStrangers(
  fork: Fork,
  { request, trust }: { readonly request: QuoteRequest; readonly trust: ServiceTrust },
  movements: readonly Transfer[],
): Promise<readonly Transfer[]> {
  const { user, recipient = user, appFees = [], useDepositAddress } = request;
  // The service chooses the deposit address.
  if (useDepositAddress === true) return [];
  const chain = trust[request.originChainId];
  const { solvers = [], depositories = [], spenders = [], routers = [], payees = [] } = chain ?? {};
  const named = [user, recipient, ...appFees.map((fee) => fee.recipient), ...solvers, ...depositories];
  const known = [...named, ...spenders, ...routers, ...payees, zeroAddress];
  const strangers: Transfer[] = [];
  const contracts = new Map<Address, boolean>();
  for (const movement of movements) {
    // The user's own calls may pay any account.
    const isOwn = movement.txIndex !== undefined;
    if (isOwn || movement.amount === 0n || isTrusted(known, movement.to)) continue;
    const hasCode = contracts.get(movement.to) ?? isContract(await readCode(fork, movement.to));
    contracts.set(movement.to, hasCode);
    if (!hasCode) strangers.push(movement);
  }
  return strangers;
}

import { type AccountCodes, type AccountSubject, findAccountProblems } from "@crosscall/sdk/kit";
import type { PreflightFinding } from "./preflightReport.ts";

/** Warns of accounts whose code differs between the chains. */
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
        reason: `${at} is a contract on the ${codeChain} chain and has no code on the ${chain} chain, where it receives`,
        hint: `Pass an account that you control on the ${chain} chain, or deploy the contract there first.`,
      };
    }
    return {
      code: "ACCOUNT_DELEGATES",
      leg,
      severity: "warning",
      reason: `${at} delegates to a contract (EIP-7702) on the ${codeChain} chain only`,
      hint: "Check that the account can receive and spend on both chains without the delegate.",
    };
  });
}

import { type Address, getAddress, type Hex, isAddress } from "viem";

import { chainFamilyOf } from "@crosscall/sdk/internal/chains/families/chainFamilyOf";
import type { Quote } from "@crosscall/sdk/internal/protocol/quote/quote";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import type { Fork } from "../replay/fork/fork.ts";
import { DELEGATION, isContract, readCode } from "./findStrangers.ts";
import type { PreflightFinding, PreflightLeg } from "./preflightReport.ts";

/** Code of accounts on one chain. */
export type AccountCodes = ReadonlyMap<Address, Hex>;

/** An account that receives on one chain of a request. */
interface Receiver {
  readonly account: Address;
  readonly role: string;
  readonly leg: PreflightLeg;
  readonly chain: "origin" | "destination";
}

/** Accounts of the request and its order that receive something on either chain. */
function receiversOf({ user, recipient = user, refundTo = user }: QuoteRequest, quote: Quote): readonly Receiver[] {
  const { inputs = [], output } = quote.protocol?.v2?.orderData ?? {};
  const refunds = (inputs?.[0]?.refunds ?? []).filter(({ chainId }) => chainId === output?.chainId);
  const all: readonly (Omit<Receiver, "account"> & { readonly account: string })[] = [
    { account: recipient, role: "the recipient", leg: "destination", chain: "destination" },
    { account: refundTo, role: "the refund address", leg: "refund", chain: "origin" },
    ...refunds.map(({ recipient: account }) => ({
      account: account ?? "",
      role: "the refund address of the order",
      leg: "refund" as const,
      chain: "destination" as const,
    })),
  ];
  const receivers = all.flatMap((one) =>
    isAddress(one.account, { strict: false }) ? [{ ...one, account: getAddress(one.account) }] : [],
  );
  return [...new Map(receivers.toReversed().map((one) => [`${one.chain} ${one.account}`, one])).values()].toReversed();
}

/** Code of all receivers on the fork's chain. */
export async function readCodes(
  fork: Fork,
  { request, quote }: { readonly request: QuoteRequest; readonly quote: Quote },
): Promise<AccountCodes> {
  const accounts = [...new Set(receiversOf(request, quote).map(({ account }) => account))];
  const codes = await Promise.all(accounts.map((account) => readCode(fork, account)));
  return new Map(accounts.map((account, index) => [account, codes[index] ?? "0x"]));
}

/**
 * An account that is a contract on one chain may not exist on the other: what it receives there cannot be moved, unless
 * the same contract can be deployed at the address.
 */
export function findMissingAccounts(
  { request, quote }: { readonly request: QuoteRequest; readonly quote: Quote },
  codes: { readonly origin: AccountCodes; readonly destination: AccountCodes },
): readonly PreflightFinding[] {
  if ([request.originChainId, request.destinationChainId].some((id) => chainFamilyOf(id).name !== "evm")) return [];
  return receiversOf(request, quote).flatMap(({ account, role, leg, chain }): PreflightFinding[] => {
    const other = chain === "origin" ? "destination" : "origin";
    const [here, there] = [codes[chain].get(account) ?? "0x", codes[other].get(account) ?? "0x"];
    const at = `${role} ${account}`;
    if (here === "0x" && isContract(there)) {
      return [
        {
          code: "ACCOUNT_MISSING",
          leg,
          severity: "warning",
          reason: `${at} is a contract on the ${other} chain and has no code on the ${chain} chain, where it receives`,
          hint: `Pass an account that you control on the ${chain} chain, or deploy the contract there first.`,
        },
      ];
    }
    if (isDelegated(here) === isDelegated(there)) return [];
    return [
      {
        code: "ACCOUNT_DELEGATES",
        leg,
        severity: "warning",
        reason: `${at} delegates to a contract (EIP-7702) on the ${isDelegated(here) ? chain : other} chain only`,
        hint: "Check that the account can receive and spend on both chains without the delegate.",
      },
    ];
  });
}

function isDelegated(code: Hex): boolean {
  return code.startsWith(DELEGATION);
}

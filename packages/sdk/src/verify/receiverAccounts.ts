import { type Address, getAddress, type Hex, isAddress } from "viem";

import { chainFamilyOf, DELEGATION_PREFIX } from "@crosscall/protocol/chains";
import type { Quote } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";

export interface AccountSubject {
  readonly request: QuoteRequest;
  readonly quote: Quote;
}

/** Code of accounts on one chain. */
export type AccountCodes = ReadonlyMap<Address, Hex>;

/** Account that receives on one chain of a request. */
export interface Receiver {
  readonly account: Address;
  readonly role: string;
  readonly leg: "destination" | "refund";
  readonly chain: "origin" | "destination";
}

/** Lists accounts of the request and its order that receive on either chain. */
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

/** Reads the code of all receiving accounts on one chain. */
export async function readCodes(
  { request, quote }: AccountSubject,
  readCode: (account: Address) => Promise<Hex | undefined>,
): Promise<AccountCodes> {
  const accounts = [...new Set(receiversOf(request, quote).map(({ account }) => account))];
  const codes = await Promise.all(accounts.map(readCode));
  return new Map(accounts.map((account, index) => [account, codes[index] ?? "0x"]));
}

/** Account with different code on the two chains. */
export interface AccountProblem extends Receiver {
  readonly kind: "missing" | "delegates";
  /** The chain where the account has code, or delegates. */
  readonly codeChain: "origin" | "destination";
}

/**
 * Lists accounts that differ between the chains. A contract account on one chain does not necessarily exist on the
 * other. Funds that it receives there are stuck, unless the same contract can be deployed at the address. An account
 * that delegates (EIP-7702) on only one chain behaves differently on the other.
 */
export function findAccountProblems(
  { request, quote }: AccountSubject,
  codes: { readonly origin: AccountCodes; readonly destination: AccountCodes },
): readonly AccountProblem[] {
  if ([request.originChainId, request.destinationChainId].some((id) => chainFamilyOf(id).name !== "evm")) return [];
  return receiversOf(request, quote).flatMap((receiver): AccountProblem[] => {
    const { account, chain } = receiver;
    const other = chain === "origin" ? "destination" : "origin";
    const [here, there] = [codes[chain].get(account) ?? "0x", codes[other].get(account) ?? "0x"];
    if (here === "0x" && isContract(there)) return [{ ...receiver, kind: "missing", codeChain: other }];
    if (isDelegated(here) === isDelegated(there)) return [];
    return [{ ...receiver, kind: "delegates", codeChain: isDelegated(here) ? chain : other }];
  });
}

/** Whether code belongs to a contract. A delegating account is not a contract. */
export function isContract(code: Hex): boolean {
  return code !== "0x" && !isDelegated(code);
}

function isDelegated(code: Hex): boolean {
  return code.startsWith(DELEGATION_PREFIX);
}

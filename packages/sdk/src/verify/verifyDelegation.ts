import { isObject } from "@crosscall/protocol/schema";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { type QuoteReport, ReportDraft } from "./quoteReport.ts";
import { amountOf, type QuoteTerms } from "./terms.ts";
import { isTrusted, serviceTrust, type ServiceTrust } from "./trust.ts";

/** Checks an EIP-7702 authorization, with which anyone can set the delegate's code on the user's account. */
export function verifyDelegation(
  draft: ReportDraft,
  { request, origin }: Pick<QuoteTerms, "request" | "origin">,
  authorization: unknown,
  path: string,
): void {
  const fields = isObject(authorization) ? authorization : {};
  // Wallets call it `contractAddress`.
  const { chainId, nonce, address = fields.contractAddress } = fields;
  const { delegates = [] } = origin ?? {};
  const isPinned = typeof address === "string" && isTrusted(delegates, address);
  const isOneAddress = !("address" in fields && "contractAddress" in fields);
  draft.check("AUTHORIZATION_DELEGATE", `${path}.address`, isPinned && isOneAddress, delegates, address);
  // Chain 0 means every chain.
  const isOnChain = chainId === request.originChainId;
  draft.check("AUTHORIZATION_CHAIN", `${path}.chainId`, isOnChain, request.originChainId, chainId);
  const isNonce = (Number.isSafeInteger(nonce) && Number(nonce) >= 0) || amountOf(String(nonce)) !== undefined;
  draft.check("AUTHORIZATION_NONCE", `${path}.nonce`, isNonce, "a whole number", nonce);
}

/** Checks an authorization before the caller signs it. */
export function reportDelegation(
  request: QuoteRequest,
  trust: ServiceTrust | undefined,
  authorization: unknown,
): QuoteReport {
  const draft = new ReportDraft();
  verifyDelegation(
    draft,
    { request, origin: (trust ?? serviceTrust)[request.originChainId] },
    authorization,
    "authorizationList[0]",
  );
  return draft.report();
}

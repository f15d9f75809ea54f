import { isSameAddress } from "@crosscall/protocol/chains";
import type { PlannedSignature } from "@crosscall/protocol/quote/rules";
import { isObject } from "@crosscall/protocol/schema";
import { type EffectPart, type ReportDraft, textOf } from "./quoteReport.ts";
import { amountOf, isSameChain, type QuoteTerms } from "./terms.ts";
import { readPermit } from "./readPermit.ts";
import { isPermit2, isTrusted, spendersOf } from "./trust.ts";
import type { ItemEffect } from "./transactionParts.ts";
import { verifyDelegation } from "./verifyDelegation.ts";

/** Endpoints that accept permits. */
const PERMIT_ENDPOINTS: readonly string[] = ["/execute/permits", "/execute/permits/v2"];

/** Lifetime of the service's permits, in seconds. */
const PERMIT_LIFETIME = 600;

/** Tolerance for differing clocks, in seconds. */
const CLOCK_TOLERANCE = 300;

export interface SignatureContext {
  readonly draft: ReportDraft;
  readonly terms: QuoteTerms;
  readonly signature: PlannedSignature;
  /** JSON path of the item's data. */
  readonly path: string;
}

/** Checks one signature of a step. Only documented permits are ever signed. */
export function verifySignatureItem(context: SignatureContext): ItemEffect {
  const { draft, terms, signature, path } = context;
  const { sign } = signature;
  const authorization = authorizationOf(sign);
  if (authorization !== undefined) {
    checkPost(context);
    verifyDelegation(draft, terms, authorization, `${path}.sign`);
    return { effect: ["signs an authorization (EIP-7702)"], isBound: true, isPayment: false };
  }
  const { permit, typedData, problems } = readPermit(signature);
  const seen = sign.signatureKind === "eip712" ? sign.primaryType : `${sign.signatureKind} of ${textOf(sign.message)}`;
  if (problems.length === 0) draft.check("PERMIT_TYPES", `${path}.sign`, true, "a documented permit", seen);
  for (const problem of problems) {
    const at = problem.path === "" ? "" : `.${problem.path}`;
    draft.check(problem.code, `${path}.sign${at}`, false, problem.expected, problem.seen);
  }
  checkPost(context);
  const { usePermit } = terms.request;
  draft.check("PERMIT_ASKED", `${path}.sign`, usePermit === true, "usePermit in the request", usePermit);
  if (permit === undefined) return { effect: [`signs ${seen}`], isBound: false, isPayment: true };
  const value = typedData?.value ?? (isObject(sign.value) ? sign.value : {});
  const domain = typedData?.domain ?? (isObject(sign.domain) ? sign.domain : {});
  const checks = { ...context, value, domain };
  switch (permit.primaryType) {
    case "TransferWithAuthorization":
      return verifyAuthorization(checks);
    case "Permit":
      return verifyPermit(checks);
    default:
      return verifyBatch(checks);
  }
}

/**
 * Returns the fields of an EIP-7702 authorization in a signature that is neither text nor typed data, or undefined if
 * there are none.
 */
function authorizationOf(sign: PlannedSignature["sign"]): Readonly<Record<string, unknown>> | undefined {
  if (sign.signatureKind === "eip191" || sign.signatureKind === "eip712") return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...sign };
  const nested = [fields.authorization, fields.value, fields.message].find(isObject);
  const authorization = nested ?? fields;
  return "address" in authorization || "contractAddress" in authorization ? authorization : undefined;
}

function checkPost({ draft, terms, signature: { post }, path }: SignatureContext): void {
  const body = isObject(post.body) ? post.body : {};
  const isPosted =
    PERMIT_ENDPOINTS.includes(post.endpoint) && post.method === "POST" && textOf(body.requestId) === terms.requestId;
  draft.check(
    "PERMIT_POST",
    `${path}.post`,
    isPosted,
    `POST ${PERMIT_ENDPOINTS.join(" or ")} for request ${terms.requestId}`,
    `${post.method} ${post.endpoint} for request ${textOf(body.requestId)}`,
  );
}

interface PermitContext extends SignatureContext {
  readonly value: Readonly<Record<string, unknown>>;
  readonly domain: Readonly<Record<string, unknown>>;
}

function checkDomain({ draft, terms, domain, path }: PermitContext, contract: string): void {
  const isMet =
    numberOf(domain.chainId) === BigInt(terms.request.originChainId) &&
    typeof domain.verifyingContract === "string" &&
    isSameAddress(domain.verifyingContract, contract);
  const expected = `${contract} of chain ${terms.request.originChainId}`;
  draft.check("PERMIT_DOMAIN", `${path}.sign.domain`, isMet, expected, domain);
}

/** Reads the amount and times of permits, which are JSON numbers or decimal strings. */
function numberOf(value: unknown): bigint | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : amountOf(value as string);
}

function checkDeadline({ draft, terms, path }: PermitContext, name: string, value: unknown): void {
  const { now, request } = terms;
  const latest = now + (request.permitExpiry ?? PERMIT_LIFETIME) + CLOCK_TOLERANCE;
  const seen = numberOf(value);
  const isMet = seen !== undefined && seen > BigInt(now) && seen <= BigInt(latest);
  draft.check("PERMIT_DEADLINE", `${path}.sign.value.${name}`, isMet, `from ${now} to ${latest}`, value);
}

function checkOne(
  { draft, path }: PermitContext,
  code: "PERMIT_OWNER" | "PERMIT_SPENDER" | "PERMIT_TOKEN" | "PERMIT_WITNESS",
  name: string,
  value: unknown,
  allowed: readonly string[],
): void {
  const isMet = typeof value === "string" && isTrusted(allowed, value);
  draft.check(code, `${path}.sign.value.${name}`, isMet, allowed, value);
}

function checkAmount({ draft, terms, path }: PermitContext, name: string, value: unknown): void {
  const isMet = numberOf(value) === terms.inputAmount;
  draft.check("PERMIT_AMOUNT", `${path}.sign.value.${name}`, isMet, terms.inputAmount, value);
}

function verifyAuthorization(context: PermitContext): ItemEffect {
  const { draft, terms, value, path } = context;
  const { request, origin, now } = terms;
  checkDomain(context, request.originCurrency);
  checkOne(context, "PERMIT_OWNER", "from", value.from, [request.user]);
  checkOne(context, "PERMIT_SPENDER", "to", value.to, [...(origin?.solvers ?? []), ...(origin?.depositories ?? [])]);
  checkAmount(context, "value", value.value);
  const after = numberOf(value.validAfter);
  draft.check(
    "PERMIT_DEADLINE",
    `${path}.sign.value.validAfter`,
    after !== undefined && after <= BigInt(now),
    `at most ${now}`,
    value.validAfter,
  );
  checkDeadline(context, "validBefore", value.validBefore);
  return {
    effect: [
      "authorizes a transfer of ",
      { amount: textOf(value.value), currency: request.originCurrency },
      " to ",
      { account: textOf(value.to) },
    ],
    isBound: true,
    isPayment: true,
  };
}

function verifyPermit(context: PermitContext): ItemEffect {
  const { terms, value } = context;
  const { request, origin } = terms;
  checkDomain(context, request.originCurrency);
  checkOne(context, "PERMIT_OWNER", "owner", value.owner, [request.user]);
  checkOne(context, "PERMIT_SPENDER", "spender", value.spender, origin === undefined ? [] : spendersOf(origin));
  checkAmount(context, "value", value.value);
  checkDeadline(context, "deadline", value.deadline);
  return {
    effect: permitOf(value.spender, value.value, request.originCurrency),
    isBound: true,
    isPayment: true,
  };
}

function verifyBatch(context: PermitContext): ItemEffect {
  const { draft, terms, value, domain, path } = context;
  const { request, origin, recipient } = terms;
  const contract = textOf(domain.verifyingContract);
  checkDomain(context, isPermit2(contract) ? contract : "Permit2");
  const permitted: unknown[] = Array.isArray(value.permitted) ? value.permitted : [];
  const [first] = permitted;
  const one = isObject(first) && permitted.length === 1 ? first : {};
  checkOne(context, "PERMIT_TOKEN", "permitted[0].token", one.token, [request.originCurrency]);
  checkAmount(context, "permitted[0].amount", one.amount);
  checkOne(context, "PERMIT_SPENDER", "spender", value.spender, origin?.spenders ?? []);
  checkDeadline(context, "deadline", value.deadline);
  const witness = isObject(value.witness) ? value.witness : {};
  checkOne(context, "PERMIT_WITNESS", "witness.relayer", witness.relayer, origin?.solvers ?? []);
  const hasCalls = "call3Values" in witness;
  if (hasCalls) {
    const owners = [request.user, recipient];
    checkOne(context, "PERMIT_WITNESS", "witness.refundTo", witness.refundTo, owners);
    checkOne(context, "PERMIT_WITNESS", "witness.nftRecipient", witness.nftRecipient, owners);
  }
  draft.check(
    "PERMIT_WITNESS",
    `${path}.sign.value.witness`,
    hasCalls === isSameChain(terms),
    isSameChain(terms) ? "the calls on the same chain" : "no calls",
    hasCalls ? "calls" : "no calls",
  );
  return {
    effect: permitOf(value.spender, one.amount, request.originCurrency),
    // The message does not show how the calls use the input.
    isBound: !hasCalls,
    isPayment: true,
  };
}

function permitOf(spender: unknown, amount: unknown, currency: string): readonly EffectPart[] {
  return ["permits ", { account: textOf(spender) }, " to take ", { amount: textOf(amount), currency }];
}

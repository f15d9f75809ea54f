import { BaseError, type Client } from "viem";
import { getCode } from "viem/actions";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { ChainError, type Clock, MalformedDataError, systemClock, unixSeconds } from "@crosscall/protocol/core";
import {
  type PlannedBatch,
  type PlannedStep,
  planSteps,
  type QuoteRequest,
  type QuoteV3,
  readAnyQuote,
} from "@crosscall/protocol/quote/rules";
import { type Quote, type Step, StepSchema } from "@crosscall/protocol/quote";
import { isPresent, readResponse, type WithUnreadable } from "@crosscall/protocol/schema";
import { type QuoteReport, ReportDraft } from "./quoteReport.ts";
import { type AccountCodes, type AccountSubject, findAccountProblems, readCodes } from "./receiverAccounts.ts";
import { type QuoteLimits, type QuoteTerms, readTerms } from "./terms.ts";
import { serviceTrust, type ServiceTrust } from "./trust.ts";
import { verifyDetails } from "./verifyDetails.ts";
import { type OrderTerms, verifyOrder } from "./verifyOrder.ts";
import { verifyExchangeAction } from "./verifyOtherItem.ts";
import { verifyShown } from "./verifyShown.ts";
import { verifySignatureItem } from "./verifySignatureItem.ts";
import type { ItemEffect } from "./transactionParts.ts";
import { verifyTransaction } from "./verifyTransaction.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Parameters of `verifyQuote`. */
export interface VerifyQuoteParameters {
  /** Quote request, from the caller instead of the service. */
  readonly request: QuoteRequest;
  /** Of any version. */
  readonly quote: Quote | QuoteV3;
  /** Pinned addresses of the service. Defaults to `serviceTrust`. */
  readonly trust?: ServiceTrust;
  readonly limits?: QuoteLimits;
  /** Steps that the service added later, for example after a signature. */
  readonly laterSteps?: readonly Step[];
  /** Request ids of earlier quotes, which the service must not reuse. */
  readonly knownRequestIds?: readonly string[];
  /**
   * Clients for both chains. If set, `warnings` lists receiving accounts that are contracts, or delegate (EIP-7702), on
   * only one of the chains.
   */
  readonly clients?: { readonly origin: Client; readonly destination: Client };
  /** For deadlines. */
  readonly clock?: Clock;
}

/**
 * Checks that the steps of a quote do exactly what was requested, using only the request and pinned addresses: the
 * order and its id, the deposit, approvals, permits, recipients, refunds, calls and minimum output. Sends no requests
 * to the service, and reads chains only with `clients`.
 *
 * @throws {@link MalformedDataError} when a step cannot be read
 * @throws {@link ChainError} when a node of `clients` does not respond
 * @throws {@link UnsupportedStepError} when a step's kind is not supported
 * @throws {@link InvalidInputError} when an amount of the request or a limit is invalid, or a fee limit has an unknown
 * name
 */
export async function verifyQuote(parameters: VerifyQuoteParameters): Promise<QuoteReport> {
  rejectUnknownOptions(parameters, {
    request: 1,
    quote: 1,
    trust: 1,
    limits: 1,
    laterSteps: 1,
    knownRequestIds: 1,
    clients: 1,
    clock: 1,
  });
  return (await checkQuote(parameters)).report;
}

export interface CheckedQuote {
  readonly report: QuoteReport;
  /** Checked actions of the quote's steps, then of `laterSteps`. */
  readonly steps: readonly PlannedStep[];
}

/** Checks a copy, so that the result cannot change. Throws like {@link verifyQuote}. */
export async function checkQuote(parameters: VerifyQuoteParameters): Promise<CheckedQuote> {
  const { request, trust = serviceTrust, limits = {}, clock = systemClock } = parameters;
  const quote = readSafely(parameters.quote, readAnyQuote);
  const later = readSafely({ steps: parameters.laterSteps ?? [] }, (copy) => readResponse(LaterSteps, copy));
  const terms = readTerms({ request, quote, trust, limits, now: unixSeconds(clock) });
  const draft = new ReportDraft();
  const steps = [...(quote.steps ?? []), ...(later.steps ?? [])];
  verifyRequestId(draft, terms, steps, parameters.knownRequestIds ?? []);
  verifyDetails(draft, terms);
  verifyShown(draft, terms);
  if (parameters.clients !== undefined) await verifyAccounts(draft, { request, quote }, parameters.clients);
  const order = await verifyOrder(draft, terms);
  const payments: string[] = [];
  const planned = planSteps(steps, request.originChainId);
  for (const action of planned) {
    const [stepIndex = 0, itemIndex = 0] = action.position.split(".").map(Number);
    const path = `steps[${stepIndex}].items[${itemIndex}]`;
    await draft.item(action.stepId, path, async () => {
      const effect = await verifyItem({ draft, terms, order, action, step: steps[stepIndex], path: `${path}.data` });
      if (effect.isPayment) payments.push(path);
      return effect;
    });
  }
  draft.check("PAYMENT_COUNT", "steps", payments.length === 1, "one payment", payments.length);
  return { report: draft.report(), steps: planned };
}

const LaterSteps = T.Object({ steps: T.Array(StepSchema) });

/** Reads a quote, which can come from a file, or have any content from a service. */
function readSafely<Read extends WithUnreadable>(value: unknown, parse: (copy: unknown) => Read): Read {
  const malformed = (path: string, reason: string, cause?: unknown): MalformedDataError =>
    new MalformedDataError({ what: "the quote", path, reason, cause });
  let copy: unknown;
  try {
    // Unlike `structuredClone`, also copies objects that a user interface wraps in proxies.
    copy = JSON.parse(JSON.stringify(value));
  } catch (cause) {
    throw malformed("", "it is not JSON", cause);
  }
  const read = parse(copy);
  const wrong = read.unreadable?.fields.find(({ path }) => path === "" || path.startsWith("steps"));
  if (wrong !== undefined) throw malformed(wrong.path, wrong.reason);
  return read;
}

/** Reports accounts that differ between the chains as warnings, because the user can intend the difference. */
async function verifyAccounts(
  draft: ReportDraft,
  subject: AccountSubject,
  { origin, destination }: NonNullable<VerifyQuoteParameters["clients"]>,
): Promise<void> {
  const { originChainId, destinationChainId } = subject.request;
  const codes = {
    origin: await codesOn(origin, originChainId, subject),
    destination: await codesOn(destination, destinationChainId, subject),
  };
  for (const { kind, chain, codeChain, account, leg } of findAccountProblems(subject, codes)) {
    const path = leg === "destination" ? "request.recipient" : "request.refundTo";
    if (kind === "missing") {
      const seen = `${account} has code on the ${codeChain} chain, but not on the ${chain} chain`;
      draft.warn("ACCOUNT_EXISTS", path, false, `code on the receiving ${chain} chain`, seen);
    } else {
      const seen = `${account} delegates only on the ${codeChain} chain`;
      draft.warn("ACCOUNT_SAME", path, false, "the same kind of account on both chains", seen);
    }
  }
}

async function codesOn(client: Client, chainId: number, subject: AccountSubject): Promise<AccountCodes> {
  try {
    return await readCodes(subject, (address) => getCode(client, { address }));
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    throw new ChainError({
      message: `the node of chain ${chainId} did not return the code of accounts: ${cause.shortMessage}`,
      hint: "Check the node, or verify without `clients`.",
      chainId,
      cause,
    });
  }
}

function verifyRequestId(
  draft: ReportDraft,
  { requestId }: QuoteTerms,
  steps: readonly Step[],
  known: readonly string[],
): void {
  const isId = /^0x[0-9a-f]{64}$/iu.test(requestId);
  draft.check("REQUEST_ID", "steps[0].requestId", isId, "32 bytes as hex", requestId);
  const isNew = !known.some((one) => one.toLowerCase() === requestId.toLowerCase());
  draft.check("REQUEST_NEW", "steps[0].requestId", isNew, "a new id", requestId);
  steps.forEach((step, index) => {
    const at = `steps[${index}]`;
    if (isPresent(step.requestId)) {
      draft.check("REQUEST_ID", `${at}.requestId`, step.requestId === requestId, requestId, step.requestId);
    }
    step.items?.forEach(({ check }, item) => {
      if (!isPresent(check?.endpoint)) return;
      const seen = /[?&]requestId=([^&]*)/u.exec(check.endpoint)?.[1];
      draft.check("REQUEST_ID", `${at}.items[${item}].check.endpoint`, seen === requestId, requestId, check.endpoint);
    });
  });
}

interface ItemParameters {
  readonly draft: ReportDraft;
  readonly terms: QuoteTerms;
  readonly order: OrderTerms | undefined;
  readonly action: PlannedStep;
  readonly step: Step | undefined;
  readonly path: string;
}

async function verifyItem({ draft, terms, order, action, step, path }: ItemParameters): Promise<ItemEffect> {
  switch (action.kind) {
    case "transaction": {
      const depositAddress = step?.depositAddress ?? "";
      return verifyTransaction({ draft, terms, order, transaction: action, path, depositAddress });
    }
    case "batch":
      return verifyBatch(draft, action, path);
    case "signature":
      return verifySignatureItem({ draft, terms, signature: action, path });
    case "exchangeAction":
      return verifyExchangeAction(draft, terms, order, action, path);
    case "svmTransaction": {
      const { verifySvmTransaction } = await import("./verifySvmTransaction.ts");
      return verifySvmTransaction(draft, terms, order, action, path);
    }
    default:
      return action satisfies never;
  }
}

function verifyBatch(draft: ReportDraft, { calls }: PlannedBatch, path: string): ItemEffect {
  draft.check("TRANSACTION_BATCH", `${path}.calls`, false, "one transaction", `${calls.length} calls`);
  return { effect: [`makes ${calls.length} calls`], isBound: false, isPayment: true };
}

import { type Clock, systemClock, unixSeconds } from "../core/clock.ts";
import { compact } from "../core/compact.ts";
import { originChainIdOf, type PlannedBatch, type PlannedStep, planSteps } from "../protocol/quote/planSteps.ts";
import type { Quote } from "../protocol/quote/quote.ts";
import type { QuoteRequest } from "../protocol/quote/quoteRequest.ts";
import type { Step } from "../protocol/quote/step.ts";
import { isPresent } from "../protocol/schema/readResponse.ts";
import { type QuoteReport, ReportDraft } from "./quoteReport.ts";
import { type QuoteLimits, type QuoteTerms, readTerms } from "./terms.ts";
import { serviceTrust, type ServiceTrust } from "./trust.ts";
import { verifyDetails } from "./verifyDetails.ts";
import { type OrderTerms, verifyOrder } from "./verifyOrder.ts";
import { verifyExchangeAction, verifySvmTransaction } from "./verifyOtherItem.ts";
import { verifySignatureItem } from "./verifySignatureItem.ts";
import type { ItemEffect } from "./transactionParts.ts";
import { verifyTransaction } from "./verifyTransaction.ts";

/** Parameters of `verifyQuote`. */
export interface VerifyQuoteParameters {
  /** What the caller asked for, from the caller and not from the service. */
  readonly request: QuoteRequest;
  readonly quote: Quote;
  /** Pinned addresses of the service; `serviceTrust` by default. */
  readonly trust?: ServiceTrust;
  readonly limits?: QuoteLimits;
  /** Steps that the service added since, such as after a signature. */
  readonly laterSteps?: readonly Step[];
  /** Request ids of earlier quotes: the service must not use one again. */
  readonly knownRequestIds?: readonly string[];
  /** For deadlines. */
  readonly clock?: Clock;
}

/**
 * Checks that the steps of a quote do what was asked for and nothing else, from the request and pinned addresses alone:
 * the order and its id, the deposit, approvals, permits, recipients, refunds, calls and minimum output. It reads no
 * chain and asks no service.
 *
 * @throws {@link MalformedDataError} when a step cannot be read
 * @throws {@link UnsupportedStepError} when a step is of a kind that is not supported
 * @throws {@link InvalidInputError} when an amount of the request or a limit is not one, or a fee limit has another name
 */
export async function verifyQuote(parameters: VerifyQuoteParameters): Promise<QuoteReport> {
  const { request, quote, trust = serviceTrust, limits = {}, clock = systemClock } = parameters;
  const terms = readTerms({ request, quote, trust, limits, now: unixSeconds(clock) });
  const draft = new ReportDraft();
  const steps = [...(quote.steps ?? []), ...(parameters.laterSteps ?? [])];
  verifyRequestId(draft, terms, steps, parameters.knownRequestIds ?? []);
  verifyDetails(draft, terms);
  const order = await verifyOrder(draft, terms);
  const payments: string[] = [];
  for (const action of planSteps(steps, originChainIdOf(compact({ ...quote, quotedRequest: request }) as Quote))) {
    const [stepIndex = 0, itemIndex = 0] = action.position.split(".").map(Number);
    const path = `steps[${stepIndex}].items[${itemIndex}]`;
    draft.item(action.stepId, path, () => {
      const effect = verifyItem({ draft, terms, order, action, step: steps[stepIndex], path: `${path}.data` });
      if (effect.isPayment) payments.push(path);
      return effect;
    });
  }
  draft.check("PAYMENT_COUNT", "steps", payments.length === 1, "one payment", payments.length);
  return draft.report();
}

function verifyRequestId(
  draft: ReportDraft,
  { requestId }: QuoteTerms,
  steps: readonly Step[],
  known: readonly string[],
): void {
  const isId = /^0x[0-9a-f]{64}$/iu.test(requestId);
  draft.check("REQUEST_ID", "steps[0].requestId", isId, "32 bytes as hex", requestId);
  draft.check("REQUEST_NEW", "steps[0].requestId", !known.includes(requestId), "a new id", requestId);
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

function verifyItem({ draft, terms, order, action, step, path }: ItemParameters): ItemEffect {
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
      return verifyExchangeAction(draft, terms, action, path);
    case "svmTransaction":
      return verifySvmTransaction(draft, terms, order, action, path);
    default:
      return action satisfies never;
  }
}

function verifyBatch(draft: ReportDraft, { calls }: PlannedBatch, path: string): ItemEffect {
  draft.check("TRANSACTION_BATCH", `${path}.calls`, false, "one transaction", `${calls.length} calls`);
  return { effect: `makes ${calls.length} calls`, isBound: false, isPayment: true };
}

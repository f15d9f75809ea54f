import { CrosscallError } from "@crosscall/protocol/core";
import type { QuoteClaim, QuoteClaimCode, QuoteReport } from "./quoteReport.ts";

const HINTS: Partial<Readonly<Record<QuoteClaimCode, string>>> = {
  AUTHORIZATION_DELEGATE: "To allow this delegate, check its code and add it to the chain's `delegates` in `trust`.",
  REQUEST_NEW: "Follow a payment of this order with `watchRequest`. For another one, request a new quote.",
};

/**
 * The steps of a quote do something that you did not request, or decoding does not show their effects. Nothing was
 * signed.
 */
export class QuoteRefusedError extends CrosscallError {
  readonly code = "QUOTE_REFUSED";
  /** Id of the quote's request. */
  declare readonly requestId: string;
  /** Verdict of the whole quote. */
  declare readonly verdict: QuoteReport["verdict"];
  /** Unmet claims; empty if the quote requires a simulation. */
  declare readonly unmet: readonly QuoteClaim[];

  constructor({ requestId, report }: { readonly requestId: string; readonly report: QuoteReport }) {
    const unmet = report.claims.filter(({ isMet }) => !isMet);
    const [first] = unmet;
    const open = report.items.find(({ verdict }) => verdict === "needsSimulation");
    super(
      first === undefined
        ? {
            message: `request ${requestId} must be simulated before it is signed: ${open?.path} ${open?.effect}`,
            hint: 'Pass `preflight`, which simulates the steps, or `trust: "service"` to sign it unverified.',
          }
        : {
            message: `request ${requestId} does not do what you requested: ${describe(first)}${others(unmet.length - 1)}`,
            hint: `Do not sign this quote. ${HINTS[first.code] ?? "If an address is new, check it, and add it to `trust`."}`,
          },
      { requestId, verdict: report.verdict, unmet },
    );
  }
}

function describe({ code, path, expected, seen }: QuoteClaim): string {
  return `${code}: ${path} is ${shorten(seen)} instead of ${shorten(expected)}`;
}

function others(count: number): string {
  return count === 0 ? "" : `, and ${count} more`;
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

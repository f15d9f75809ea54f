import { CrosscallError } from "@crosscall/protocol/core";
import type { QuoteClaim, QuoteClaimCode, QuoteReport } from "./quoteReport.ts";

const HINTS: Partial<Readonly<Record<QuoteClaimCode, string>>> = {
  AUTHORIZATION_DELEGATE:
    "If the account may delegate to this contract, check its code and add it to `delegates` of the chain in `trust`.",
  REQUEST_NEW: "If you paid this order, follow it with `watchRequest`. To pay another one, request a new quote.",
};

/** The steps of a quote do something that you did not request, or decoding does not show what they do. Nothing was signed. */
export class QuoteRefusedError extends CrosscallError {
  readonly code = "QUOTE_REFUSED";
  /** The request of the quote. */
  declare readonly requestId: string;
  /** Verdict of the whole quote. */
  declare readonly verdict: QuoteReport["verdict"];
  /** The unmet claims; empty if the quote needs a simulation. */
  declare readonly unmet: readonly QuoteClaim[];

  constructor({ requestId, report }: { readonly requestId: string; readonly report: QuoteReport }) {
    const unmet = report.claims.filter(({ isMet }) => !isMet);
    const [first] = unmet;
    const open = report.items.find(({ verdict }) => verdict === "needsSimulation");
    super(
      first === undefined
        ? {
            message: `request ${requestId} needs a simulation before it is signed: ${open?.path} ${open?.effect}`,
            hint: 'Pass `preflight`, which simulates the steps, or `trust: "service"` to sign everything that the service requests.',
          }
        : {
            message: `request ${requestId} does not do what you requested: ${describe(first)}${others(unmet.length - 1)}`,
            hint: `Sign nothing of this quote. ${HINTS[first.code] ?? "If an address is new, check it with the service's publisher and add it to `trust`."}`,
          },
      { requestId, verdict: report.verdict, unmet },
    );
  }
}

function describe({ code, path, expected, seen }: QuoteClaim): string {
  return `${code} at ${path} expected ${shorten(expected)}, but it is ${shorten(seen)}`;
}

function others(count: number): string {
  return count === 0 ? "" : `, and ${count} more`;
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

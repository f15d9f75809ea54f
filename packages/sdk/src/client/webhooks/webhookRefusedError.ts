import { CrosscallError } from "@crosscall/protocol/core";

export type WebhookFlaw =
  | "body-missing"
  | "body-parsed"
  | "timestamp-missing"
  | "timestamp-old"
  | "timestamp-ahead"
  | "signature-missing"
  | "signature-wrong";

const RAW_BODY =
  "Pass the raw body, which the signature covers: register the webhook before the body parser, or use a raw parser for its route.";

const HINTS: Readonly<Record<WebhookFlaw, string>> = {
  "body-missing": RAW_BODY,
  "body-parsed": RAW_BODY,
  "timestamp-missing": "Hand over all headers of the call, X-Signature-Timestamp among them.",
  "timestamp-old": "Check the clock; a delivery that is held up for longer needs a wider toleranceMs.",
  "timestamp-ahead": "Check the clock.",
  "signature-missing": "Hand over all headers of the call, X-Signature-SHA256 among them.",
  "signature-wrong": "Check the API key, and that the body is handed over as it came, not parsed and written anew.",
};

/** A webhook is not signed by the service with this key for this time. Ignore its content. */
export class WebhookRefusedError extends CrosscallError {
  readonly code = "WEBHOOK_REFUSED";
  /** What is wrong with the delivery. */
  readonly flaw: WebhookFlaw;

  constructor(flaw: WebhookFlaw) {
    const needed = HINTS[flaw] === RAW_BODY ? ", the raw body is needed" : "";
    super({ message: `the webhook was rejected: ${flaw}${needed}`, hint: HINTS[flaw] });
    this.flaw = flaw;
  }
}

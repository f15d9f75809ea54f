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
  "Pass the raw body, which the signature covers: register the webhook before the body parser, or use a raw parser for the webhook's route.";

const HINTS: Readonly<Record<WebhookFlaw, string>> = {
  "body-missing": RAW_BODY,
  "body-parsed": RAW_BODY,
  "timestamp-missing": "Pass all headers of the request, including X-Signature-Timestamp.",
  "timestamp-old": "Check the clock, or increase toleranceMs for slow deliveries.",
  "timestamp-ahead": "Check the clock.",
  "signature-missing": "Pass all headers of the request, including X-Signature-SHA256.",
  "signature-wrong": "Check the API key, and pass the raw body, not a serialized copy.",
};

/** The service did not sign the webhook with this key for this time. Ignore its content. */
export class WebhookRefusedError extends CrosscallError {
  readonly code = "WEBHOOK_REFUSED";
  /** Why the delivery is invalid. */
  readonly flaw: WebhookFlaw;

  constructor(flaw: WebhookFlaw) {
    const needed = HINTS[flaw] === RAW_BODY ? "; the raw body is required" : "";
    super({ message: `the webhook was rejected: ${flaw}${needed}`, hint: HINTS[flaw] });
    this.flaw = flaw;
  }
}

import { abortable } from "@crosscall/protocol/core";
import { type QuoteRequest, requestIdOf } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import type { QuoteLimits } from "../verify/terms.ts";
import { PreflightFailedError, type PreflightFinding } from "./preflightFailedError.ts";

/** A quote that is about to be signed. */
export interface Preflight {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  /** False if others may pay the gas of the user's transactions, as in a batch; true by default. */
  readonly paysGas?: boolean;
  readonly limits?: QuoteLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a preflight, as far as it decides. */
export interface PreflightResult {
  readonly verdict: "passed" | "failed";
  readonly findings: readonly PreflightFinding[];
}

/** Simulates a quote before it is signed. */
export type RunPreflight = (subject: Preflight) => Promise<PreflightResult>;

/** @throws {@link PreflightFailedError} when it fails */
export async function requirePreflight(run: RunPreflight, subject: Preflight): Promise<void> {
  const { verdict, findings } = await abortable(run(subject), subject.signal, "the preflight");
  if (verdict === "passed") return;
  const requestId = requestIdOf(subject.quote);
  throw new PreflightFailedError({ requestId, findings: findings.filter(({ severity }) => severity === "error") });
}

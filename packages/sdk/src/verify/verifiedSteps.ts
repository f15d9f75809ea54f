import { type AccountBatch, toBatchTypedData } from "@crosscall/protocol/chains";
import type { PlannedSignature, PlannedStep, PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { QuoteReport } from "./quoteReport.ts";
import { readPermit, type VerifiedTypedData } from "./readPermit.ts";
import { checkQuote, type VerifyQuoteParameters } from "./verifyQuote.ts";

declare const VERIFIED: unique symbol;

interface Brand {
  readonly [VERIFIED]: true;
}

/** Verified value. Only this module creates it. */
export type Verified<Value> = Value & Brand;

/** Verified, deeply frozen step. Only this module creates it. */
export type VerifiedStep<Step extends PlannedStep = PlannedStep> = Step extends PlannedSignature
  ? Step &
      Brand & {
        /** Permit to sign, in crosscall's own types. Undefined for other or unverified signatures. */
        readonly typedData: VerifiedTypedData | undefined;
      }
  : Step & Brand;

/** Result of `verifySteps`. */
export type Verification =
  | {
      readonly verdict: "bound" | "needsSimulation";
      readonly report: QuoteReport;
      /** Verified steps in order, with positions counted across the quote's steps and `laterSteps`. */
      readonly steps: readonly VerifiedStep[];
    }
  | { readonly verdict: "refused"; readonly report: QuoteReport };

/** Verifies a quote like `verifyQuote`, and returns the checked steps. Throws the same errors. */
export async function verifySteps(parameters: VerifyQuoteParameters): Promise<Verification> {
  const { report, steps } = await checkQuote(parameters);
  const { verdict } = report;
  if (verdict === "refused") return { verdict, report };
  return { verdict, report, steps: steps.map((step) => brand(step, (signature) => readPermit(signature).typedData)) };
}

/** Accepts steps without verification, for callers that pass `trust: "service"`. */
export function acceptUnverified(steps: readonly PlannedStep[]): readonly VerifiedStep[] {
  return structuredClone(steps).map((step) => brand(step, () => undefined));
}

/**
 * Returns the typed data of a signature step.
 *
 * @param own data from the service, for callers that pass `trust: "service"`
 */
export function typedDataOf<Own>(
  { typedData }: VerifiedStep<PlannedSignature>,
  own: () => Own,
): Verified<VerifiedTypedData | Own> {
  return (typedData ?? own()) as Verified<VerifiedTypedData | Own>;
}

/** Returns the typed data of a batch of verified calls. */
export function batchDataOf(batch: AccountBatch & { readonly calls: readonly VerifiedStep<PlannedTransaction>[] }) {
  const { domain, types, primaryType, message } = toBatchTypedData(batch);
  const data = { domain: { ...domain }, types, primaryType, value: { ...message } };
  return data as Verified<typeof data>;
}

function brand(
  step: PlannedStep,
  typedDataOf: (step: PlannedSignature) => VerifiedTypedData | undefined,
): VerifiedStep {
  const complete = step.kind === "signature" ? { ...step, typedData: typedDataOf(step) } : step;
  return deepFreeze(complete) as VerifiedStep;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}

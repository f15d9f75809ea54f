import { InvalidInputError } from "../core/errors.ts";
import type { KitServiceErrorCode, ServiceErrorCode } from "../errors/serviceError.ts";

/** Rule that a quote request breaks, with the service's error as data. */
export interface QuoteProblem {
  readonly errorCode: ServiceErrorCode | KitServiceErrorCode;
  /** Path: `txs[1].value`. */
  readonly field: string;
  /** `undefined` if the field is missing. */
  readonly value: unknown;
  /** Reason why the value is invalid, without field and value. */
  readonly reason: string;
  /** Instruction for fixing the request. */
  readonly hint: string;
}

/**
 * Returns a problem if a rule is broken.
 *
 * @param given the field and its value
 */
export function problemIf(
  isBroken: boolean,
  errorCode: QuoteProblem["errorCode"],
  given: Readonly<Record<string, unknown>>,
  reason: string,
  hint: string,
): QuoteProblem[] {
  if (!isBroken) return [];
  return Object.entries(given).map(([field, value]) => ({ errorCode, field, value, reason, hint }));
}

/** Converts a parser's error to a problem with the given code. */
export function parseProblems(
  errorCode: QuoteProblem["errorCode"],
  value: string,
  field: string,
  parse: (value: string, field: string) => unknown,
): QuoteProblem[] {
  try {
    parse(value, field);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return [{ errorCode, field, value, reason: error.reason, hint: error.hint }];
  }
}

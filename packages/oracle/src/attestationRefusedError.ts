import { CrosscallError } from "@crosscall/protocol/core";

/**
 * Thrown if a condition for the attestation is not met. The response is 400 with this message, which is the same as the
 * public oracle's, because callers compare it.
 */
export class AttestationRefusedError extends CrosscallError {
  readonly code = "ATTESTATION_REFUSED";

  constructor(message: string) {
    super({ message, hint: "Correct the request to match the chain, or retry after the chain has the transaction." });
  }
}

/** Thrown for a payment or a reference to an order that has two possible meanings. */
export class AmbiguousPaymentError extends AttestationRefusedError {
  readonly payment: string;
  readonly meanings: readonly [string, string];

  constructor(payment: string, meanings: readonly [string, string]) {
    super(`Ambiguous ${payment}: it could be ${meanings[0]} or ${meanings[1]}, and counts once`);
    this.payment = payment;
    this.meanings = meanings;
  }
}

/** @throws {@link AttestationRefusedError} with this message if `holds` is false */
export function requireAttested(holds: boolean, message: string): asserts holds {
  if (!holds) throw new AttestationRefusedError(message);
}

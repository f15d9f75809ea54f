import { CrosscallError } from "@crosscall/protocol/core";

/**
 * Thrown if a condition for the attestation does not hold. The response is 400 with this message, which matches the
 * public oracle's, since callers compare it (spec 5, section 4).
 */
export class AttestationRefusedError extends CrosscallError {
  readonly code = "ATTESTATION_REFUSED";

  constructor(message: string) {
    super({ message, hint: "Correct the request to match the chain, or retry when the chain shows the transaction." });
  }
}

/** Thrown for a payment, or a reference to an order, that has two possible meanings. */
export class AmbiguousPaymentError extends AttestationRefusedError {
  readonly payment: string;
  readonly meanings: readonly [string, string];

  constructor(payment: string, meanings: readonly [string, string]) {
    super(`Ambiguous ${payment}: it could be ${meanings[0]} or ${meanings[1]}, and counts once`);
    this.payment = payment;
    this.meanings = meanings;
  }
}

/** @throws {@link AttestationRefusedError} with this message, unless `holds` */
export function requireAttested(holds: boolean, message: string): asserts holds {
  if (!holds) throw new AttestationRefusedError(message);
}

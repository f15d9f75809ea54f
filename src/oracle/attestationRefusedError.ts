import { CrosscallError } from "@crosscall/sdk/internal/core/errors";

/**
 * The oracle does not attest what it was asked to: answered with 400 and this message, in the words of the public oracle
 * (spec 5, section 4), since callers know it by them.
 */
export class AttestationRefusedError extends CrosscallError {
  readonly code = "ATTESTATION_REFUSED";

  constructor(message: string) {
    super({ message, hint: "Ask again with what the chain shows, or when it shows it." });
  }
}

/** @throws {@link AttestationRefusedError} with this message, unless `holds` */
export function requireAttested(holds: boolean, message: string): asserts holds {
  if (!holds) throw new AttestationRefusedError(message);
}

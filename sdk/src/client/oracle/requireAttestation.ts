import { CrosscallError } from "../../core/errors.ts";
import type { AttestationFault, Attested } from "./verification/attested.ts";
import {
  type AttestationVerification,
  verifyAttestation,
  type VerifyAttestationParameters,
} from "./verifyAttestation.ts";

/** An oracle's response is not a valid attestation. */
export class AttestationInvalidError extends CrosscallError {
  readonly code = "ATTESTATION_INVALID";
  /** The kind of attestation. */
  readonly kind: Attested["kind"];
  /** All faults, each with the failed check. */
  readonly faults: readonly [AttestationFault, ...AttestationFault[]];

  constructor({ kind, faults }: Pick<AttestationInvalidError, "kind" | "faults">) {
    const [{ check, path, expected, seen }] = faults;
    super({
      message: `the attestation (${kind}) does not hold: ${path} is ${seen} and not ${expected} (${check}), ${faults.length} faults in all`,
      hint: "Do not act on it. Check the trusted signers, hub and chains that were given, and ask another oracle.",
    });
    this.kind = kind;
    this.faults = faults;
  }
}

/**
 * Like `verifyAttestation`, but throws if the attestation is not valid.
 *
 * @throws {@link AttestationInvalidError} with all that is wrong, each with the check that failed
 */
export async function requireAttestation(parameters: VerifyAttestationParameters): Promise<AttestationVerification> {
  const verification = await verifyAttestation(parameters);
  const [first, ...others] = verification.faults;
  if (first === undefined) return verification;
  throw new AttestationInvalidError({ kind: parameters.attested.kind, faults: [first, ...others] });
}

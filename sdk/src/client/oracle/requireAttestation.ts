import { AttestationInvalidError } from "./attestationInvalidError.ts";
import {
  type AttestationVerification,
  verifyAttestation,
  type VerifyAttestationParameters,
} from "./verifyAttestation.ts";

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

import type { Address, Hex } from "viem";

import { isSameAddress } from "../chains/address.ts";
import type { Execution } from "./execution.ts";
import type { SignedExecution } from "./messages/execution.ts";

export interface VerifierSignature {
  readonly signer: Address;
  readonly signature: Hex;
}

/**
 * Returns the arguments of `AttestationVerifier.verify` for an execution in an oracle's response: each signer once, in
 * ascending order.
 *
 * @param signers the verifier's own signers; signatures of others are left out, since it refuses them. All are kept when
 * left out.
 */
export function toVerifierCall(
  { idempotencyKey, actions, signatures }: SignedExecution,
  signers?: readonly Address[],
): readonly [execution: Execution, signatures: readonly VerifierSignature[]] {
  const bySigner = new Map<string, VerifierSignature>();
  for (const { oracleSigner, signature } of signatures) {
    if (signers?.some((signer) => isSameAddress(signer, oracleSigner)) === false) continue;
    const signer = oracleSigner.toLowerCase() as Address;
    if (!bySigner.has(signer)) bySigner.set(signer, { signer, signature: signature as Hex });
  }
  const ascending = [...bySigner.values()].sort((a, b) => (a.signer < b.signer ? -1 : 1));
  return [{ idempotencyKey: idempotencyKey as Hex, actions: actions as Hex[] }, ascending];
}

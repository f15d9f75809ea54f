import { matchesSchema } from "../../protocol/listSchemaErrors.ts";
import type { OracleContext } from "../oracleContext.ts";
import { type SignedExecution, SignedExecutionSchema } from "../../protocol/attestation/messages/execution.ts";
import { judgeSignatures } from "./judgeSignatures.ts";
import type { Verdict } from "./peers.ts";

type ExecutionSignature = SignedExecution["signatures"][number];

/**
 * What a peer's execution comes to beside our own: it must be the same to the letter, and each signature must be for our
 * hub and recover to the signer that it names, who is not us (ORACLE-FACTS, section 5).
 */
export async function judgeExecution(
  context: OracleContext,
  own: SignedExecution,
  theirs: unknown,
): Promise<Verdict<ExecutionSignature>> {
  if (!matchesSchema(SignedExecutionSchema, theirs)) return { isAgreed: false, failure: "disagreeing" };
  const { idempotencyKey, actions, signatures } = theirs as SignedExecution;
  const isSame =
    idempotencyKey === own.idempotencyKey &&
    actions.length === own.actions.length &&
    actions.every((action, index) => action === own.actions[index]);
  if (!isSame) return { isAgreed: false, failure: "disagreeing" };

  const { hub } = context;
  const ofOurHub = signatures.filter(
    ({ oracleChainId, oracleContract }) =>
      oracleChainId === hub.evmChainId.toString() && oracleContract.toLowerCase() === hub.oracleAddress.toLowerCase(),
  );
  const digest = context.hashExecution({
    idempotencyKey: own.idempotencyKey as `0x${string}`,
    actions: own.actions as `0x${string}`[],
  });
  return judgeSignatures(digest, ofOurHub, context.signer.address);
}

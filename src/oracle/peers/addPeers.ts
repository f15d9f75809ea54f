import type { OracleContext } from "../oracleContext.ts";
import type { SignedExecution } from "../../protocol/attestation/messages/execution.ts";
import type { EntryAttestation } from "../../protocol/attestation/messages/genericMapping.ts";
import { judgeEntry } from "./judgeEntry.ts";
import { judgeExecution } from "./judgeExecution.ts";
import type { PeerCall } from "./peers.ts";

/** Adds what peers sign of the execution of an answer; one without execution stays as it is. */
export async function addPeersToExecution<Answer extends { readonly execution?: SignedExecution }>(
  context: OracleContext,
  call: PeerCall,
  answer: Answer,
): Promise<Answer> {
  const { execution } = answer;
  if (execution === undefined) return answer;
  const signatures = await context.peers.collect(call, (theirs) =>
    judgeExecution(context, execution, fieldOf(theirs, "execution")),
  );
  return { ...answer, execution: { ...execution, signatures: [...execution.signatures, ...signatures] } };
}

/** Adds what peers sign of an entry of the generic mapping. */
export async function addPeersToEntry(
  context: OracleContext,
  call: PeerCall,
  { genericMapping: entry }: EntryAttestation,
): Promise<EntryAttestation> {
  const signatures = await context.peers.collect(call, (theirs) =>
    judgeEntry(context, entry, fieldOf(theirs, "genericMapping")),
  );
  return { genericMapping: { ...entry, signatures: [...entry.signatures, ...signatures] } };
}

function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === "object" && answer !== null ? (Reflect.get(answer, name) as unknown) : undefined;
}

import type { Hex } from "viem";

import { matchesSchema } from "../../protocol/listSchemaErrors.ts";
import type { MappingEntry } from "../../protocol/attestation/genericMapping.ts";
import { hashEntry } from "../attest/genericMapping.ts";
import type { OracleContext } from "../oracleContext.ts";
import { type SignedEntry, SignedEntrySchema } from "../../protocol/attestation/messages/genericMapping.ts";
import { judgeSignatures } from "./judgeSignatures.ts";
import type { Verdict } from "./peers.ts";

/** What a peer's entry of the generic mapping comes to beside our own (ORACLE-FACTS, section 5). */
export async function judgeEntry(
  context: OracleContext,
  own: SignedEntry,
  theirs: unknown,
): Promise<Verdict<SignedEntry["signatures"][number]>> {
  if (!matchesSchema(SignedEntrySchema, theirs)) return { isAgreed: false, failure: "disagreeing" };
  const entry = theirs as SignedEntry;
  const isSame = (["user", "id", "data", "nonce"] as const).every((field) => entry[field] === own[field]);
  if (!isSame) return { isAgreed: false, failure: "disagreeing" };
  const [ours] = own.signatures;
  const ofOurHub = entry.signatures.filter(
    ({ genericMappingChainId, genericMappingContract }) =>
      genericMappingChainId === ours?.genericMappingChainId &&
      genericMappingContract.toLowerCase() === ours.genericMappingContract.toLowerCase(),
  );
  const message: MappingEntry = {
    ...{ user: own.user as Hex, id: own.id as Hex, data: own.data as Hex, nonce: own.nonce as Hex },
  };
  return judgeSignatures(hashEntry(context, message), ofOurHub, context.signer.address);
}

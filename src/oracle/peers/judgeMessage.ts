import { isDeepStrictEqual } from "node:util";

import type { TSchema } from "typebox";
import type { Hex } from "viem";

import { matchesSchema } from "@crosscall/sdk/internal/protocol/schema/listSchemaErrors";
import { judgeSignatures } from "./judgeSignatures.ts";
import type { PeerSignature, PeerVerdict } from "./peers.ts";

/** A message with signatures of oracles. */
export interface SignedMessage {
  readonly signatures: readonly (PeerSignature & { readonly signature: string })[];
}

/** What a peer's message is held to. */
export interface Judgement<Message extends SignedMessage> {
  readonly schema: TSchema;
  /** Ours, signed by us first. */
  readonly own: Message;
  /** What we sign of it. */
  readonly digest: Hex;
  /** Our own address, in lower case. */
  readonly ownSigner: string;
}

/**
 * What a peer's message comes to beside our own: it must say the same, and each signature must be for our contracts and
 * recover to the signer that it names, who is not us (spec 5, section 5). What it signs is never taken from the
 * peer's word.
 */
export async function judgeMessage<Message extends SignedMessage>(
  { schema, own, digest, ownSigner }: Judgement<Message>,
  theirs: unknown,
): Promise<PeerVerdict<Message["signatures"][number]>> {
  if (!matchesSchema(schema, theirs)) return { isAgreed: false, failure: "disagreeing" };
  const message = theirs as Message;
  if (!saysTheSame(own, message, UNSAID)) return { isAgreed: false, failure: "disagreeing" };
  const [ours] = own.signatures;
  const ofOurContract = message.signatures.filter((signature) => saysTheSame(ours ?? {}, signature, PERSONAL));
  return judgeSignatures(digest, ofOurContract, ownSigner);
}

/** Signatures are judged one by one, and metadata is not signed. */
const UNSAID: readonly string[] = ["signatures", "metadata"];

/** What differs between signers; the rest of a signature says which contract it is for. */
const PERSONAL: readonly string[] = ["oracleSigner", "signature"];

/** Whether the fields of one object have the same values in another; hex is compared without its case. */
function saysTheSame(own: object, theirs: object, ignored: readonly string[]): boolean {
  return Object.entries(own).every(([name, value]: [string, unknown]) => {
    const other: unknown = Reflect.get(theirs, name);
    return ignored.includes(name) || isDeepStrictEqual(withoutCase(value), withoutCase(other));
  });
}

function withoutCase(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("0x") ? value.toLowerCase() : value;
}

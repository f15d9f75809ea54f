import { isDeepStrictEqual } from "node:util";

import type { TSchema } from "typebox";
import type { Hex } from "viem";

import { matchesSchema } from "@crosscall/protocol/schema";
import { judgeSignatures } from "./judgeSignatures.ts";
import type { PeerSignature, PeerVerdict } from "./peers.ts";

export interface SignedMessage {
  readonly signatures: readonly (PeerSignature & { readonly signature: string })[];
}

export interface Judgement<Message extends SignedMessage> {
  readonly schema: TSchema;
  /** Our message, with our signature first. */
  readonly own: Message;
  readonly digest: Hex;
  /** In lower case. */
  readonly ownSigner: string;
}

/**
 * A peer's message must equal ours, and each signature must be for our contracts and recover to the signer that it
 * names, who is not us (spec 5, section 5). Never trusts the peer's statement of what was signed.
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

/** Fields that differ by signer; the others identify the contract. */
const PERSONAL: readonly string[] = ["oracleSigner", "signature"];

/** Compares the fields of one object with another's; hex ignores case. */
function saysTheSame(own: object, theirs: object, ignored: readonly string[]): boolean {
  return Object.entries(own).every(([name, value]: [string, unknown]) => {
    const other: unknown = Reflect.get(theirs, name);
    return ignored.includes(name) || isDeepStrictEqual(withoutCase(value), withoutCase(other));
  });
}

function withoutCase(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("0x") ? value.toLowerCase() : value;
}

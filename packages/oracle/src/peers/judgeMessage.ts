import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "typebox";
import { type Hex, isHex, recoverAddress } from "viem";

import { matchesSchema } from "@crosscall/protocol/schema";
import type { PeerSignature, PeerVerdict } from "./peers.ts";

export interface SignedMessage {
  readonly signatures: readonly (PeerSignature & { readonly signature: string })[];
}

interface Judgement<Message extends SignedMessage> {
  readonly schema: TSchema;
  /** This oracle's message, with its own signature first. */
  readonly own: Message;
  readonly digest: Hex;
  /** In lower case. */
  readonly ownSigner: string;
}

/**
 * Requires that a peer's message equals our own, and that each signature is for our contracts and recovers to its
 * stated signer, which must not be ourselves. Never trusts the peer's own digest.
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

/**
 * Fields to exclude from the comparison: signatures, which are checked separately, and metadata, which is not signed.
 */
const UNSAID: readonly string[] = ["signatures", "metadata"];

/** Fields of a signature that differ by signer. The other fields identify the contract. */
const PERSONAL: readonly string[] = ["oracleSigner", "signature"];

/** Compares the fields of an object with those of another. Ignores the case of hex. */
function saysTheSame(own: object, theirs: object, ignored: readonly string[]): boolean {
  return Object.entries(own).every(([name, value]: [string, unknown]) => {
    const other: unknown = Reflect.get(theirs, name);
    return ignored.includes(name) || isDeepStrictEqual(withoutCase(value), withoutCase(other));
  });
}

function withoutCase(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("0x") ? value.toLowerCase() : value;
}

/** Maximum number of signers, because each recovery takes about a millisecond. */
const SIGNERS_MAX = 16;

/**
 * Keeps signatures that recover to their stated signer, except this oracle's own. Keeps only the first signature of
 * each signer, up to the maximum number of signers.
 *
 * @param digest own digest, never the peer's
 * @param signatures signatures for our hub
 * @param ownSigner own signer in lower case
 */
async function judgeSignatures<Signature extends PeerSignature & { readonly signature: string }>(
  digest: Hex,
  signatures: readonly Signature[],
  ownSigner: string,
): Promise<PeerVerdict<Signature>> {
  if (signatures.length === 0) return { isAgreed: false, failure: "foreign-domain" };
  const bySigner = new Map<string, Signature>();
  for (const signature of signatures) {
    const signer = signature.oracleSigner.toLowerCase();
    if (!bySigner.has(signer)) bySigner.set(signer, signature);
  }
  const genuine: Signature[] = [];
  for (const signature of [...bySigner.values()].slice(0, SIGNERS_MAX)) {
    const recovered = await recover(digest, signature.signature);
    if (recovered === signature.oracleSigner.toLowerCase() && recovered !== ownSigner) genuine.push(signature);
  }
  return genuine.length === 0 ? { isAgreed: false, failure: "forged" } : { isAgreed: true, signatures: genuine };
}

async function recover(digest: Hex, signature: string): Promise<string | undefined> {
  if (!isHex(signature)) return undefined;
  try {
    return (await recoverAddress({ hash: digest, signature })).toLowerCase();
  } catch {
    return undefined;
  }
}

import { type Hex, isHex, recoverAddress } from "viem";

import type { PeerSignature, PeerVerdict } from "./peers.ts";

/** Recovery takes about a millisecond, so a peer must not make us do more. */
const SIGNERS_MAX = 16;

/**
 * Each signature must recover to the signer that it names, who is not us. Only the first of a signer counts, and only
 * the first signers.
 *
 * @param digest ours, never the peer's
 * @param signatures those for our hub
 * @param ownSigner in lower case
 */
export async function judgeSignatures<Signature extends PeerSignature & { readonly signature: string }>(
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

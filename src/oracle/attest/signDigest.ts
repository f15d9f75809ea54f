import type { Hex } from "viem";

import type { OracleContext } from "../oracleContext.ts";

/** The instance's own signature of a digest. */
export interface OwnSignature {
  readonly oracleSigner: string;
  readonly signature: string;
}

/** Signs a digest with the instance's own key. */
export async function signDigest({ signer }: OracleContext, digest: Hex): Promise<OwnSignature> {
  return { oracleSigner: signer.address, signature: await signer.sign(digest) };
}

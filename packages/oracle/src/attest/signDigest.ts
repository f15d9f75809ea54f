import type { Hex } from "viem";

import type { OracleContext } from "../oracleContext.ts";

export interface OwnSignature {
  readonly oracleSigner: string;
  readonly signature: string;
}

export async function signDigest({ signer }: OracleContext, digest: Hex): Promise<OwnSignature> {
  return { oracleSigner: signer.address, signature: await signer.sign(digest) };
}

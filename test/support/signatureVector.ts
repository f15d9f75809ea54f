import { readFileSync } from "node:fs";

import type { SignedRequestData } from "../../packages/protocol/src/request/requestSignature.ts";

/** Signed request in the vectors' format. */
export interface SignatureVector {
  readonly signer: string;
  readonly requestId: string;
  readonly requestData: SignedRequestData;
  readonly signature: string;
}

/** Signature from the live service. */
export const liveSignature = JSON.parse(
  readFileSync(new URL("../vectors/request-signature.json", import.meta.url), "utf8"),
) as SignatureVector;

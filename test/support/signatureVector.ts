import { readFileSync } from "node:fs";

import type { SignedRequestData } from "../../packages/protocol/src/request/requestSignature.ts";

/** Signed request in the format of the vectors. */
export interface SignatureVector {
  readonly signer: string;
  readonly requestId: string;
  readonly requestData: SignedRequestData;
  readonly signature: string;
}

/** Signature of the live service. */
export const liveSignature = JSON.parse(
  readFileSync(new URL("../vectors/request-signature.json", import.meta.url), "utf8"),
) as SignatureVector;

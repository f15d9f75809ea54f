import {
  type CompleteRequestSignatureV2,
  recoverRequestSignerV2,
  type RequestSignatureV2,
  requireSignatureV2,
  type SignedRequestDataV2,
} from "@crosscall/protocol/request/signature";
import type { ServiceClient } from "./client.ts";
import { getSignatureV2 } from "./getSignatureV2.ts";
import {
  checkSigner,
  compareFields,
  type DataDifference,
  type OffChainCheck,
  type SignatureParameters,
} from "./verifySignature.ts";

/** Parameters of `verifySignatureV2`. */
export interface VerifySignatureV2Parameters extends SignatureParameters {
  /** The signature to verify; requested from the service by default. */
  readonly signed?: RequestSignatureV2;
  /** Known fields of the request, such as from its quote, to compare with the signed ones. */
  readonly expected?: Partial<SignedRequestDataV2>;
}

/** Result of verifying a signature of the second version. */
export interface SignatureVerificationV2 {
  /** An expected signer signed, and no field differs. */
  readonly isValid: boolean;
  readonly requestId: string;
  readonly signed: CompleteRequestSignatureV2;
  readonly offChain: OffChainCheck;
  readonly differences: readonly DataDifference<keyof SignedRequestDataV2>[];
}

/**
 * Verifies the second version of the service's signature over a request, with the output currency instead of the input
 * amount: that a pinned solver wallet signed this data, and that the data is what the caller expects. A failed check is
 * a result, not an error.
 *
 * @throws {@link MalformedDataError} when the service left out a signed field or the signature
 * @throws {@link InvalidInputError} when an id, address or word cannot be encoded
 * @throws {@link InvalidStateError} when no solver is pinned for the request's chains
 */
export async function verifySignatureV2(
  client: ServiceClient,
  parameters: VerifySignatureV2Parameters,
): Promise<SignatureVerificationV2> {
  const { requestId, words, signal } = parameters;
  const signed = requireSignatureV2(parameters.signed ?? (await getSignatureV2(client, { requestId, signal })));
  const offChain = await checkSigner(client, parameters, signed.requestData, () =>
    recoverRequestSignerV2({ requestId, words, ...signed }),
  );
  const differences = compareFields(parameters.expected ?? {}, signed.requestData);
  return { isValid: offChain.isPassed && differences.length === 0, requestId, signed, offChain, differences };
}

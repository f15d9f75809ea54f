import type { Static } from "typebox";
import { type Hex, encodeAbiParameters, keccak256 } from "viem";

import {
  encodeSignedWord,
  type RequestSignatureV2Schema,
} from "@crosscall/sdk/internal/protocol/request/requestSignature";

export type SignedRequestDataV2 = Static<typeof RequestSignatureV2Schema>["requestData"];

const SIGNED_WORDS = [
  { name: "requestId", type: "bytes32" },
  { name: "originChainId", type: "uint256" },
  { name: "originUser", type: "bytes32" },
  { name: "originCurrency", type: "bytes32" },
  { name: "destinationChainId", type: "uint256" },
  { name: "destinationUser", type: "bytes32" },
  { name: "destinationCurrency", type: "bytes32" },
] as const;

/** The live service does not publish what it signs here; this is the first version with the fields of the second. */
export function hashRequestV2(requestId: string, requestData: SignedRequestDataV2): Hex {
  return keccak256(
    encodeAbiParameters(SIGNED_WORDS, [
      requestId as Hex,
      BigInt(requestData.originChainId),
      encodeSignedWord(requestData.originChainId, requestData.originUser, "requestData.originUser"),
      encodeSignedWord(requestData.originChainId, requestData.originCurrency, "requestData.originCurrency"),
      BigInt(requestData.destinationChainId),
      encodeSignedWord(requestData.destinationChainId, requestData.destinationUser, "requestData.destinationUser"),
      encodeSignedWord(
        requestData.destinationChainId,
        requestData.destinationCurrency,
        "requestData.destinationCurrency",
      ),
    ]),
  );
}

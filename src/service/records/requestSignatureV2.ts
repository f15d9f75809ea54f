import * as Type from "typebox";
import { type Hex, encodeAbiParameters, keccak256 } from "viem";

import { encodeSignedWord } from "@crosscall/sdk/internal/protocol/request/requestSignature";
import { hexText } from "@crosscall/sdk/internal/protocol/schema/schemaParts";

const SignedRequestDataV2Schema = Type.Object(
  {
    originChainId: Type.Integer({ minimum: 0 }),
    originUser: Type.String({ description: "Address on the origin chain." }),
    originCurrency: Type.String({ description: "Currency address on the origin chain." }),
    destinationChainId: Type.Integer({ minimum: 0 }),
    destinationUser: Type.String({ description: "Address on the destination chain." }),
    destinationCurrency: Type.String({ description: "Currency address on the destination chain." }),
  },
  { description: "Signed fields of a request, in addition to its id." },
);

export type SignedRequestDataV2 = Type.Static<typeof SignedRequestDataV2Schema>;

export const RequestSignatureV2Schema = Type.Object({
  requestData: SignedRequestDataV2Schema,
  signature: hexText("EIP-191 signature of the solver wallet, 65 bytes.", 65),
});

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

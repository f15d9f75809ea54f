import { doc } from "#doc";
import type * as Type from "typebox";
import { type Address, type Hex, encodeAbiParameters, isHex, keccak256, pad, recoverMessageAddress } from "viem";

import { encodeAddressWord } from "../../chains/address.ts";
import { EXCHANGE_CHAIN_ID } from "../../chains/chainIds.ts";
import { parseAmount } from "../../core/amounts.ts";
import { InvalidInputError } from "../../core/errors.ts";
import { type ReadResponse, requireField } from "../schema/readResponse.ts";
import { amountText, hexText } from "../schema/schemaParts.ts";
import { LIGHTER_CODEC } from "../vms/lighter.ts";
import * as T from "../schema/type.ts";

/** Spec 1, section 4.4. */
export const SignedRequestDataSchema = T.Object(
  {
    originChainId: T.Integer({ minimum: 0 }),
    originUser: T.String({ description: doc("Address on the origin chain.") }),
    originCurrency: T.String({ description: doc("Currency address on the origin chain.") }),
    originAmount: amountText(doc("In the smallest unit of the origin currency.")),
    destinationChainId: T.Integer({ minimum: 0 }),
    destinationUser: T.String({ description: doc("Address on the destination chain.") }),
  },
  { description: doc("Signed fields of a request, in addition to its id.") },
);

/** The fields that the service signs, besides the request id. */
export type SignedRequestData = Type.Static<typeof SignedRequestDataSchema>;

/** `GET /requests/{requestId}/signature` (spec 1, section 4.4). */
export const RequestSignatureSchema = T.Object(
  {
    requestData: SignedRequestDataSchema,
    signature: hexText(doc("EIP-191 signature of the solver wallet, 65 bytes."), 65),
  },
  { description: doc("A request's data, signed by the service.") },
);

/** A request's data with the service's signature, as the service sends it. */
export type RequestSignature = ReadResponse<typeof RequestSignatureSchema>;

/** With every signed field. */
export type CompleteRequestSignature = Type.Static<typeof RequestSignatureSchema>;

const { originAmount: _, ...sharedFields } = SignedRequestDataSchema.properties;

/** `GET /requests/{requestId}/signature/v2`: the output currency instead of the input amount. */
export const RequestSignatureV2Schema = T.Object({
  ...RequestSignatureSchema.properties,
  requestData: T.Object({
    ...sharedFields,
    destinationCurrency: T.String({ description: doc("Currency address on the destination chain.") }),
  }),
});

/** The second version of a request's signature, as the service sends it. */
export type RequestSignatureV2 = ReadResponse<typeof RequestSignatureV2Schema>;

const SIGNATURE = "the request signature";

/**
 * Returns the signature and the six signed fields of a response, or throws.
 *
 * @throws {@link MalformedDataError} naming the field that is missing
 */
export function requireSignature({ requestData, signature }: RequestSignature): CompleteRequestSignature {
  const data = requireField(requestData, SIGNATURE, "requestData");
  return {
    requestData: {
      originChainId: requireField(data.originChainId, SIGNATURE, "requestData.originChainId"),
      originUser: requireField(data.originUser, SIGNATURE, "requestData.originUser"),
      originCurrency: requireField(data.originCurrency, SIGNATURE, "requestData.originCurrency"),
      originAmount: requireField(data.originAmount, SIGNATURE, "requestData.originAmount"),
      destinationChainId: requireField(data.destinationChainId, SIGNATURE, "requestData.destinationChainId"),
      destinationUser: requireField(data.destinationUser, SIGNATURE, "requestData.destinationUser"),
    },
    signature: requireField(signature, SIGNATURE, "signature"),
  };
}

const SIGNED_WORDS = [
  { name: "requestId", type: "bytes32" },
  { name: "originChainId", type: "uint256" },
  { name: "originUser", type: "bytes32" },
  { name: "originCurrency", type: "bytes32" },
  { name: "originAmount", type: "uint256" },
  { name: "destinationChainId", type: "uint256" },
  { name: "destinationUser", type: "bytes32" },
] as const;

/**
 * Returns the digest of a request: keccak256 of its seven words (spec 1, section 4.4; padding: spec 4, section 1). The
 * service signs it as an EIP-191 personal message of 32 bytes.
 *
 * @param requestId 32 bytes
 * @throws {@link InvalidInputError} naming the field that cannot be encoded
 */
export function hashRequest(requestId: string, requestData: SignedRequestData): Hex {
  return keccak256(
    encodeAbiParameters(SIGNED_WORDS, [
      parseBytes(requestId, 32, "requestId"),
      BigInt(requestData.originChainId),
      encodeSignedWord(requestData.originChainId, requestData.originUser, "requestData.originUser"),
      encodeSignedWord(requestData.originChainId, requestData.originCurrency, "requestData.originCurrency"),
      parseAmount(requestData.originAmount, "requestData.originAmount"),
      BigInt(requestData.destinationChainId),
      encodeSignedWord(requestData.destinationChainId, requestData.destinationUser, "requestData.destinationUser"),
    ]),
  );
}

/**
 * An account or currency as a word of the signature. An index of the exchange chain is the number itself, which is an
 * assumption: the live service does not document it.
 *
 * @throws {@link InvalidInputError} naming the field that cannot be encoded
 */
export function encodeSignedWord(chainId: number, value: string, field: string): Hex {
  if (chainId !== EXCHANGE_CHAIN_ID) return encodeAddressWord(value, field);
  return pad(LIGHTER_CODEC.encodeAddress(value, field), { size: 32 });
}

/**
 * Recovers the signer of a request. Compare it with the service's solver wallet: every well-formed signature recovers
 * to some address.
 *
 * @throws {@link InvalidInputError} when a field cannot be encoded or the signature is invalid
 * @throws {@link MalformedDataError} when a signed field is missing
 */
export async function recoverRequestSigner(signed: RequestSignature & { requestId: string }): Promise<Address> {
  const complete = requireSignature(signed);
  const digest = hashRequest(signed.requestId, complete.requestData);
  const signature = parseBytes(complete.signature, 65, "signature");
  try {
    return await recoverMessageAddress({ message: { raw: digest }, signature });
  } catch (cause) {
    throw new InvalidInputError({
      field: "signature",
      value: signature,
      reason: "it is not a point on the curve",
      hint: "Fetch the signature again.",
      cause,
    });
  }
}

function parseBytes(value: string, byteLength: number, field: string): Hex {
  if (isHex(value) && value.length === 2 + 2 * byteLength) return value;
  throw new InvalidInputError({
    field,
    value,
    reason: `it is not ${byteLength} bytes of hex`,
    hint: `Pass ${field} as 0x and ${2 * byteLength} hexadecimal digits.`,
  });
}

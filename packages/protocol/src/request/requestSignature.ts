import { doc } from "#doc";
import type * as Type from "typebox";
import { type Address, type Hex, concat, isHex, keccak256, numberToHex, pad, recoverMessageAddress, size } from "viem";

import { encodeAddress, encodeAddressWord } from "../chains/address.ts";
import { type ChainVmType, VM_TYPE_BY_CHAIN_ID } from "../chains/families/vmTypes.ts";
import { parseAmount } from "../encoding/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import { type ReadResponse, requireField } from "../schema/readResponse.ts";
import { amountText, hexText } from "../schema/schemaParts.ts";
import { LIGHTER_CODEC } from "../vms/lighter.ts";
import * as T from "../schema/type.ts";

/** Schema of the data that the service signs (spec 1, section 4.4). */
export const SignedRequestDataSchema = T.Object(
  {
    originChainId: T.Integer({ minimum: 0 }),
    originUser: T.String({ description: doc("Address on the origin chain.") }),
    originCurrency: T.String({ description: doc("Currency address on the origin chain.") }),
    originAmount: amountText(doc("Amount in the smallest unit of the origin currency.")),
    destinationChainId: T.Integer({ minimum: 0 }),
    destinationUser: T.String({ description: doc("Address on the destination chain.") }),
  },
  { description: doc("Signed fields of a request, in addition to its id.") },
);

/** Fields that the service signs, in addition to the request id. */
export type SignedRequestData = Type.Static<typeof SignedRequestDataSchema>;

/** Schema of the response of `GET /requests/{requestId}/signature` (spec 1, section 4.4). */
export const RequestSignatureSchema = T.Object(
  {
    requestData: SignedRequestDataSchema,
    signature: hexText(doc("EIP-191 signature by the solver wallet, 65 bytes."), 65),
  },
  { description: doc("A request's data, signed by the service.") },
);

/** A request's data with the service's signature, as the service sends it. */
export type RequestSignature = ReadResponse<typeof RequestSignatureSchema>;

/** Signature response with all signed fields required. */
export type CompleteRequestSignature = Type.Static<typeof RequestSignatureSchema>;

const { originAmount: _, ...sharedFields } = SignedRequestDataSchema.properties;

/** Like `SignedRequestDataSchema`, with the output currency instead of the input amount. */
const SignedRequestDataV2Schema = T.Object({
  ...sharedFields,
  destinationCurrency: T.String({ description: doc("Currency address on the destination chain.") }),
});

/** Fields that the service signs in the second version, in addition to the request id. */
export type SignedRequestDataV2 = Type.Static<typeof SignedRequestDataV2Schema>;

/** `GET /requests/{requestId}/signature/v2`. */
export const RequestSignatureV2Schema = T.Object({
  ...RequestSignatureSchema.properties,
  requestData: SignedRequestDataV2Schema,
});

/** Signature response with all signed fields required. */
export type CompleteRequestSignatureV2 = Type.Static<typeof RequestSignatureV2Schema>;

/** The second version of a request's signature, as the service sends it. */
export type RequestSignatureV2 = ReadResponse<typeof RequestSignatureV2Schema>;

const SIGNATURE = "the request signature";

/**
 * Returns the signature and the six signed fields of a response, or throws.
 *
 * @throws {@link MalformedDataError} when a field is missing
 */
export function requireSignature({ requestData, signature }: RequestSignature): CompleteRequestSignature {
  const data = requireField(requestData, SIGNATURE, "requestData");
  return {
    requestData: {
      ...requireOrigin(data),
      originAmount: requireField(data.originAmount, SIGNATURE, "requestData.originAmount"),
      ...requireDestination(data),
    },
    signature: requireField(signature, SIGNATURE, "signature"),
  };
}

/**
 * Like `requireSignature`, for the second version.
 *
 * @throws {@link MalformedDataError} when a field is missing
 */
export function requireSignatureV2({ requestData, signature }: RequestSignatureV2): CompleteRequestSignatureV2 {
  const data = requireField(requestData, SIGNATURE, "requestData");
  return {
    requestData: {
      ...requireOrigin(data),
      ...requireDestination(data),
      destinationCurrency: requireField(data.destinationCurrency, SIGNATURE, "requestData.destinationCurrency"),
    },
    signature: requireField(signature, SIGNATURE, "signature"),
  };
}

type SharedFields = Omit<SignedRequestDataV2, "destinationCurrency">;

/** Signed fields, as the service sends them. */
type SentFields = { readonly [Field in keyof SharedFields]?: SharedFields[Field] | null | undefined };

function requireOrigin(data: SentFields) {
  return {
    originChainId: requireField(data.originChainId, SIGNATURE, "requestData.originChainId"),
    originUser: requireField(data.originUser, SIGNATURE, "requestData.originUser"),
    originCurrency: requireField(data.originCurrency, SIGNATURE, "requestData.originCurrency"),
  };
}

function requireDestination(data: SentFields) {
  return {
    destinationChainId: requireField(data.destinationChainId, SIGNATURE, "requestData.destinationChainId"),
    destinationUser: requireField(data.destinationUser, SIGNATURE, "requestData.destinationUser"),
  };
}

/**
 * 32-byte words to use instead of the encoded fields. Required for chains with undocumented words: Bitcoin, Tron, TON
 * and the XRP Ledger.
 */
export type SignedWords = Readonly<
  Partial<Record<"originUser" | "originCurrency" | "destinationUser" | "destinationCurrency", Hex | undefined>>
>;

/** Words of the first version, in the form of the contracts' `RequestSignature.Request`. */
export interface EncodedRequest {
  readonly requestId: Hex;
  readonly originChainId: bigint;
  readonly originUser: Hex;
  readonly originCurrency: Hex;
  readonly originAmount: bigint;
  readonly destinationChainId: bigint;
  readonly destinationUser: Hex;
}

/** Words of the second version, in the form of the contracts' `RequestSignature.RequestV2` and `Fill`. */
export interface EncodedRequestV2 {
  readonly requestId: Hex;
  readonly originChainId: bigint;
  readonly originUser: Hex;
  readonly originCurrency: Hex;
  readonly destinationChainId: bigint;
  readonly destinationUser: Hex;
  readonly destinationCurrency: Hex;
}

/**
 * Encodes the words of the first version, for a contract that verifies the signature.
 *
 * @param requestId 32 bytes
 * @throws {@link InvalidInputError} when a field cannot be encoded
 */
export function encodeRequest(
  requestId: string,
  requestData: SignedRequestData,
  words: SignedWords = {},
): EncodedRequest {
  return {
    ...encodeOrigin(requestId, requestData, words),
    originAmount: parseAmount(requestData.originAmount, "requestData.originAmount"),
    ...encodeDestination(requestData, words),
  };
}

/**
 * Encodes the words of the second version, for a contract that verifies the signature.
 *
 * @param requestId 32 bytes
 * @throws {@link InvalidInputError} when a field cannot be encoded
 */
export function encodeRequestV2(
  requestId: string,
  requestData: SignedRequestDataV2,
  words: SignedWords = {},
): EncodedRequestV2 {
  return {
    ...encodeOrigin(requestId, requestData, words),
    ...encodeDestination(requestData, words),
    destinationCurrency: encodeWord(requestData, "destination", "Currency", words),
  };
}

function encodeOrigin(requestId: string, requestData: SharedFields, words: SignedWords) {
  return {
    requestId: parseBytes(requestId, 32, "requestId"),
    originChainId: parseChainId(requestData.originChainId, "requestData.originChainId"),
    originUser: encodeWord(requestData, "origin", "User", words),
    originCurrency: encodeWord(requestData, "origin", "Currency", words),
  };
}

function encodeDestination(requestData: SharedFields, words: SignedWords) {
  return {
    destinationChainId: parseChainId(requestData.destinationChainId, "requestData.destinationChainId"),
    destinationUser: encodeWord(requestData, "destination", "User", words),
  };
}

/**
 * Returns the digest of a request: keccak256 of its seven words (spec 1, section 4.4; padding: spec 4, section 1). The
 * service signs it as an EIP-191 personal message of 32 bytes.
 *
 * @param requestId 32 bytes
 * @throws {@link InvalidInputError} when a field cannot be encoded
 */
export function hashRequest(requestId: string, requestData: SignedRequestData, words?: SignedWords): Hex {
  return hashWords(encodeRequest(requestId, requestData, words));
}

/**
 * Like `hashRequest`, for the second version, which has the output currency instead of the input amount.
 *
 * @param requestId 32 bytes
 * @throws {@link InvalidInputError} when a field cannot be encoded
 */
export function hashRequestV2(requestId: string, requestData: SignedRequestDataV2, words?: SignedWords): Hex {
  return hashWords(encodeRequestV2(requestId, requestData, words));
}

/** Hashes the words in the order of their fields. */
function hashWords(request: EncodedRequest | EncodedRequestV2): Hex {
  const words = Object.values(request) as readonly (bigint | Hex)[];
  return keccak256(concat(words.map((word) => (typeof word === "bigint" ? numberToHex(word, { size: 32 }) : word))));
}

/** Families whose words the service does not document. */
const UNDOCUMENTED: ReadonlySet<ChainVmType | undefined> = new Set(["bvm", "tonvm", "tvm", "xrpvm"] as const);

/** Lengths of EVM and SVM addresses. Currencies of other families have other lengths. */
const ADDRESS_BYTES: readonly number[] = [20, 32];

function encodeWord(
  requestData: SharedFields & { readonly destinationCurrency?: string },
  side: "origin" | "destination",
  what: "User" | "Currency",
  words: SignedWords,
): Hex {
  const name = `${side}${what}` as const;
  const given = words[name];
  if (given !== undefined) return parseBytes(given, 32, `words.${name}`);

  const field = `requestData.${name}`;
  const value: unknown = requestData[name];
  const chainId = requestData[`${side}ChainId`];
  const family = VM_TYPE_BY_CHAIN_ID.get(chainId);
  const isText = typeof value === "string";
  if (isText && !UNDOCUMENTED.has(family)) {
    // Encodes an index as a number, which is an assumption: the live service does not document these words.
    if (family === "lvm") return pad(LIGHTER_CODEC.encodeAddress(value, field), { size: 32 });
    const word = encodeAddressWord(value, field);
    const isFixed = family === "evm" || family === "svm";
    if (!isFixed || ADDRESS_BYTES.includes(size(encodeAddress(value, field)))) return word;
  }
  throw new InvalidInputError({
    field,
    value,
    reason: UNDOCUMENTED.has(family)
      ? `the service does not document the words of chain ${chainId}`
      : `it is not an address of chain ${chainId}`,
    hint: `Pass the 32 bytes as words.${name}${UNDOCUMENTED.has(family) ? "" : `, or write ${field} as its chain does`}.`,
  });
}

/**
 * Recovers the signer of a request. Compare it with the service's solver wallet: every well-formed signature recovers
 * to some address.
 *
 * @throws {@link InvalidInputError} when a field cannot be encoded or the signature is invalid
 * @throws {@link MalformedDataError} when a signed field is missing
 */
export async function recoverRequestSigner(
  signed: RequestSignature & { requestId: string; words?: SignedWords | undefined },
): Promise<Address> {
  return await recoverSigner(requireSignature(signed), (requestData) =>
    hashRequest(signed.requestId, requestData, signed.words),
  );
}

/**
 * Like `recoverRequestSigner`, for the second version.
 *
 * @throws {@link InvalidInputError} when a field cannot be encoded or the signature is invalid
 * @throws {@link MalformedDataError} when a signed field is missing
 */
export async function recoverRequestSignerV2(
  signed: RequestSignatureV2 & { requestId: string; words?: SignedWords | undefined },
): Promise<Address> {
  return await recoverSigner(requireSignatureV2(signed), (requestData) =>
    hashRequestV2(signed.requestId, requestData, signed.words),
  );
}

async function recoverSigner<Data>(
  complete: { readonly requestData: Data; readonly signature: string },
  hash: (requestData: Data) => Hex,
): Promise<Address> {
  const digest = hash(complete.requestData);
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

function parseChainId(value: unknown, field: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new InvalidInputError({
    field,
    value,
    reason: "it is not a chain id",
    hint: `Pass ${field} as an integer of zero or more.`,
  });
}

function parseBytes(value: unknown, byteLength: number, field: string): Hex {
  if (isHex(value) && value.length === 2 + 2 * byteLength) return value;
  throw new InvalidInputError({
    field,
    value,
    reason: `it is not ${byteLength} bytes of hex`,
    hint: `Pass ${field} as 0x and ${2 * byteLength} hexadecimal digits.`,
  });
}

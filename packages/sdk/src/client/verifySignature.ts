import {
  type Address,
  BaseError,
  type Client,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  isAddress,
  parseAbi,
} from "viem";

import {
  isSameAddress,
  LOCAL_SOLVER_ADDRESS,
  parseEvmAddress,
  parseServiceAddress,
  readContract,
} from "@crosscall/protocol/chains";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { abortable, ChainError, InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import {
  type CompleteRequestSignature,
  type CompleteRequestSignatureV2,
  encodeRequest,
  recoverRequestSigner,
  recoverRequestSignerV2,
  type RequestSignature,
  type RequestSignatureV2,
  requireSignature,
  requireSignatureV2,
  type SignedRequestData,
  type SignedRequestDataV2,
  type SignedWords,
} from "@crosscall/protocol/request/signature";
import type { ServiceTrust } from "../verify/trust.ts";
import type { ServiceClient } from "./client.ts";
import { getSignature, getSignatureV2 } from "./readEndpoints.ts";

const RECEIVER_ABI = parseAbi([
  "struct Request { bytes32 requestId; uint256 originChainId; bytes32 originUser; bytes32 originCurrency; uint256 originAmount; uint256 destinationChainId; bytes32 destinationUser; }",
  "function verify(Request request, bytes signature) view",
  "function solver() view returns (address)",
  "error HighS(uint256 s, uint256 maximum)",
  "error PolicyAnswered(address policy, bytes4 answer, bytes4 accepted)",
  "error RequestAlreadyPaid(bytes32 requestId)",
  "error WalletRefused(address wallet, bytes32 hash)",
  "error WrongChain(uint256 chainId, uint256 originChainId)",
  "error WrongSignatureLength(uint256 length)",
  "error WrongSigner(address recovered, address signer)",
  "error WrongV(uint8 v)",
]);

export interface DeployedReceiver {
  readonly address: Address;
  /** Client for the receiver's chain. */
  readonly client: Client;
}

export interface ReceiverRejection {
  /** Name of the receiver's error; undefined for other errors, such as a policy's. */
  readonly error: string | undefined;
  readonly args: readonly unknown[];
}

interface SignatureContext {
  readonly requestId: string;
  readonly words: SignedWords | undefined;
}

/** Calls the view function `verify` of a deployed receiver. */
async function askReceiver(
  receiver: DeployedReceiver,
  { requestId, requestData, signature, words }: CompleteRequestSignature & SignatureContext,
  signal: AbortSignal | undefined,
): Promise<{ readonly solver: Address; readonly refusal: ReceiverRejection | undefined }> {
  const request = encodeRequest(requestId, requestData, words);
  const contract = { address: receiver.address, abi: RECEIVER_ABI } as const;
  const what = `the receiver ${receiver.address}`;
  try {
    // `verify` returns nothing, so an address without code would appear to accept. This call detects that.
    const reading = readContract(receiver.client, { ...contract, functionName: "solver" });
    const solver = await abortable(reading, signal, what);
    const verifying = readContract(receiver.client, {
      ...contract,
      functionName: "verify",
      args: [request, signature as Hex],
    });
    return { solver, refusal: await abortable(rejectionOf(verifying), signal, what) };
  } catch (error) {
    throw toKitError(error, receiver);
  }
}

/** Returns undefined if the call did not revert. */
async function rejectionOf(verifying: Promise<unknown>): Promise<ReceiverRejection | undefined> {
  try {
    await verifying;
    return undefined;
  } catch (error) {
    const reverted =
      error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null;
    if (!(reverted instanceof ContractFunctionRevertedError)) throw error;
    return { error: reverted.data?.errorName, args: reverted.data?.args ?? [] };
  }
}

function toKitError(error: unknown, { address, client }: DeployedReceiver): unknown {
  if (!(error instanceof BaseError)) return error;
  const isNoReceiver = error.walk(
    (cause) => cause instanceof ContractFunctionZeroDataError || cause instanceof ContractFunctionRevertedError,
  );
  if (isNoReceiver !== null) {
    return new InvalidStateError({
      message: `${address} has no RequestReceiver`,
      hint: "Check the address and the client's chain.",
      cause: error,
    });
  }
  return new ChainError({
    message: `the receiver ${address} could not be called: ${error.shortMessage}`,
    chainId: client.chain?.id,
    hint: "Check the chain's RPC URL, then retry.",
    cause: error,
  });
}

/** Parameters of `verifySignature` and `verifySignatureV2`. */
export interface SignatureParameters {
  readonly requestId: string;
  /** Words of accounts and currencies with undocumented words, such as Bitcoin's. */
  readonly words?: SignedWords | undefined;
  /** Accepted signers. Defaults to the pinned solvers of the request's chains. */
  readonly expectedSigners?: readonly string[];
  /**
   * Pinned addresses of the service. Defaults to `serviceTrust`, without the local networks' solver unless the service
   * runs on this machine. Addresses that the service itself reports are never trusted.
   */
  readonly trust?: ServiceTrust;
  readonly signal?: AbortSignal | undefined;
}

/** Parameters of `verifySignature`. */
export interface VerifySignatureParameters extends SignatureParameters {
  /** Signature to verify. Requested from the service by default. */
  readonly signed?: RequestSignature;
  /** Known fields of the request, such as from its quote, to compare with the signed fields. */
  readonly expected?: Partial<SignedRequestData>;
  /** Deployed receiver to check too. */
  readonly receiver?: DeployedReceiver;
}

export interface OffChainCheck {
  readonly check: "off-chain";
  readonly isPassed: boolean;
  /** Recovered signer; undefined for an invalid signature. */
  readonly signer: Address | undefined;
  readonly expectedSigners: readonly Address[];
}

export interface OnChainCheck {
  readonly check: "on-chain";
  /** Whether the receiver would accept the payment now, and trusts an expected signer. */
  readonly isPassed: boolean;
  readonly receiver: Address;
  /** Signer that the receiver trusts. */
  readonly solver: Address;
  readonly expectedSigners: readonly Address[];
  /** Reason for a rejection. The signature can be valid, for example for `RequestAlreadyPaid`. */
  readonly refusal: ReceiverRejection | undefined;
}

/** Signed field that differs from the expected field. */
export interface DataDifference<Field extends string = keyof SignedRequestData> {
  readonly field: Field;
  readonly expected: string | number;
  readonly signed: string | number;
}

/** Result of verifying a signature. */
export interface SignatureVerification {
  /** Whether all checks passed and no field differs. */
  readonly isValid: boolean;
  readonly requestId: string;
  readonly signed: CompleteRequestSignature;
  readonly offChain: OffChainCheck;
  /** Result of the receiver's check; set if a receiver was passed. */
  readonly onChain: OnChainCheck | undefined;
  readonly differences: readonly DataDifference[];
}

/**
 * Verifies the service's signature over a request (spec 1, section 4.4): that a pinned solver wallet signed this data,
 * that the data matches the caller's expectations, and that the receiver, if passed, would accept the payment. A failed
 * check is a result, not an error.
 *
 * @throws {@link MalformedDataError} when a signed field or the signature is missing
 * @throws {@link InvalidInputError} when an id, address or amount cannot be encoded
 * @throws {@link InvalidStateError} when no solver is pinned for the request's chains, or the address has no receiver
 * @throws {@link ChainError} when the receiver's chain cannot be read
 */
export async function verifySignature(
  client: ServiceClient,
  parameters: VerifySignatureParameters,
): Promise<SignatureVerification> {
  rejectUnknownOptions(parameters, {
    signed: 1,
    expected: 1,
    receiver: 1,
    requestId: 1,
    words: 1,
    expectedSigners: 1,
    trust: 1,
    signal: 1,
  });
  const { requestId, receiver, words, signal } = parameters;
  const signed = requireSignature(parameters.signed ?? (await getSignature(client, { requestId, signal })));
  const offChain = await checkSigner(client, parameters, signed.requestData, () =>
    recoverRequestSigner({ requestId, words, ...signed }),
  );
  let onChain: OnChainCheck | undefined;
  if (receiver !== undefined) {
    const { expectedSigners } = offChain;
    const answer = await askReceiver(receiver, { ...signed, requestId, words }, signal);
    const isPassed = answer.refusal === undefined && isOneOf(expectedSigners, answer.solver);
    onChain = { check: "on-chain", isPassed, receiver: receiver.address, ...answer, expectedSigners };
  }
  const differences = compareFields(parameters.expected ?? {}, signed.requestData);
  const isValid = offChain.isPassed && onChain?.isPassed !== false && differences.length === 0;
  return { isValid, requestId, signed, offChain, onChain, differences };
}

type ChainIds = Pick<SignedRequestData, "originChainId" | "destinationChainId">;

/** Whether an expected signer made a signature of either version. */
async function checkSigner(
  client: ServiceClient,
  parameters: SignatureParameters,
  chainIds: ChainIds,
  recover: () => Promise<Address>,
): Promise<OffChainCheck> {
  const expectedSigners =
    parameters.expectedSigners === undefined
      ? await pinnedSolvers(client, chainIds, parameters.trust)
      : parameters.expectedSigners.map((signer, index) => parseEvmAddress(signer, `expectedSigners[${index}]`));
  const signer = await signerOf(recover);
  const isPassed = signer !== undefined && isOneOf(expectedSigners, signer);
  return { check: "off-chain", isPassed, signer, expectedSigners };
}

function isOneOf(expectedSigners: readonly Address[], signer: Address): boolean {
  return expectedSigners.some((other) => isSameAddress(other, signer));
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u;

/** Returns the pinned solvers of the request's chains. */
async function pinnedSolvers(
  { baseUrl }: ServiceClient,
  { originChainId, destinationChainId }: ChainIds,
  trust: ServiceTrust | undefined,
): Promise<Address[]> {
  // Lets bundlers split off the addresses, which a page needs only to verify a signature.
  const { serviceTrust } = await import("../verify/trust.ts");
  const pinned = trust ?? serviceTrust;
  const solvers = [originChainId, destinationChainId]
    .flatMap((chainId) => pinned[chainId]?.solvers ?? [])
    .filter((solver) => isAddress(solver, { strict: false }))
    // The private key of local networks is public, and the service reports the chains of a request.
    .filter((solver) => trust !== undefined || !isSameAddress(solver, LOCAL_SOLVER_ADDRESS) || isLoopback(baseUrl))
    .map((solver, index) => parseServiceAddress(solver, `solvers[${index}]`));
  if (solvers.length > 0) return [...new Set(solvers)];
  throw new InvalidStateError({
    message: `no solver is pinned for chains ${originChainId} and ${destinationChainId}`,
    hint: "Pass `trust` with the solvers of these chains, or `expectedSigners`.",
  });
}

function isLoopback(baseUrl: string): boolean {
  return LOOPBACK.test(new URL(baseUrl).hostname);
}

async function signerOf(recover: () => Promise<Address>): Promise<Address | undefined> {
  try {
    return await recover();
  } catch (error) {
    // An invalid signature is a failed check, but any other invalid field is the caller's error.
    if (error instanceof InvalidInputError && error.field === "signature") return undefined;
    throw error;
  }
}

/** Lists each signed field that differs from the expected field. */
function compareFields<Data extends { readonly [Field in keyof Data]: string | number }>(
  expected: Partial<Data>,
  signed: Data,
): DataDifference<keyof Data & string>[] {
  return (Object.keys(signed) as (keyof Data & string)[]).flatMap((field) => {
    const wanted = expected[field];
    const isSame = wanted === undefined || isSameAddress(String(wanted), String(signed[field]));
    return isSame ? [] : [{ field, expected: wanted, signed: signed[field] }];
  });
}

/** Parameters of `verifySignatureV2`. */
export interface VerifySignatureV2Parameters extends SignatureParameters {
  /** Signature to verify. Requested from the service by default. */
  readonly signed?: RequestSignatureV2;
  /** Known fields of the request, such as from its quote, to compare with the signed fields. */
  readonly expected?: Partial<SignedRequestDataV2>;
}

/** Result of verifying a signature of the second version. */
export interface SignatureVerificationV2 {
  /** Whether an expected signer signed and no field differs. */
  readonly isValid: boolean;
  readonly requestId: string;
  readonly signed: CompleteRequestSignatureV2;
  readonly offChain: OffChainCheck;
  readonly differences: readonly DataDifference<keyof SignedRequestDataV2>[];
}

/**
 * Verifies the second version of the service's signature over a request, with the output currency instead of the input
 * amount: that a pinned solver wallet signed this data, and that the data matches the caller's expectations. A failed
 * check is a result, not an error.
 *
 * @throws {@link MalformedDataError} when a signed field or the signature is missing
 * @throws {@link InvalidInputError} when an id, address or word cannot be encoded
 * @throws {@link InvalidStateError} when no solver is pinned for the request's chains
 */
export async function verifySignatureV2(
  client: ServiceClient,
  parameters: VerifySignatureV2Parameters,
): Promise<SignatureVerificationV2> {
  rejectUnknownOptions(parameters, {
    signed: 1,
    expected: 1,
    requestId: 1,
    words: 1,
    expectedSigners: 1,
    trust: 1,
    signal: 1,
  });
  const { requestId, words, signal } = parameters;
  const signed = requireSignatureV2(parameters.signed ?? (await getSignatureV2(client, { requestId, signal })));
  const offChain = await checkSigner(client, parameters, signed.requestData, () =>
    recoverRequestSignerV2({ requestId, words, ...signed }),
  );
  const differences = compareFields(parameters.expected ?? {}, signed.requestData);
  return { isValid: offChain.isPassed && differences.length === 0, requestId, signed, offChain, differences };
}

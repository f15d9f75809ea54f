import {
  type Address,
  BaseError,
  type Client,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  parseAbi,
} from "viem";
import { readContract } from "viem/actions";

import { encodeAddressWord } from "../chains/address.ts";
import { abortable } from "../core/abort.ts";
import { parseAmount } from "../core/amounts.ts";
import { ChainError, InvalidStateError } from "../core/errors.ts";
import type { CompleteRequestSignature } from "../protocol/request/requestSignature.ts";

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
  /** A client of the receiver's chain. */
  readonly client: Client;
}

export interface ReceiverRefusal {
  /** Name of the contract's error; undefined for an error that is not the receiver's, such as a policy's. */
  readonly error: string | undefined;
  readonly args: readonly unknown[];
}

/** Calls the view `verify` of a deployed receiver. */
export async function askReceiver(
  receiver: DeployedReceiver,
  { requestId, requestData, signature }: CompleteRequestSignature & { readonly requestId: string },
  signal: AbortSignal | undefined,
): Promise<{ readonly solver: Address; readonly refusal: ReceiverRefusal | undefined }> {
  const request = {
    requestId: requestId as Hex,
    originChainId: BigInt(requestData.originChainId),
    originUser: encodeAddressWord(requestData.originUser, "requestData.originUser"),
    originCurrency: encodeAddressWord(requestData.originCurrency, "requestData.originCurrency"),
    originAmount: parseAmount(requestData.originAmount, "requestData.originAmount"),
    destinationChainId: BigInt(requestData.destinationChainId),
    destinationUser: encodeAddressWord(requestData.destinationUser, "requestData.destinationUser"),
  };
  const contract = { address: receiver.address, abi: RECEIVER_ABI } as const;
  const what = `the receiver ${receiver.address}`;
  try {
    // `verify` returns nothing, so an address without code would seem to accept; this call shows the difference.
    const reading = readContract(receiver.client, { ...contract, functionName: "solver" });
    const solver = await abortable(reading, signal, what);
    const verifying = readContract(receiver.client, {
      ...contract,
      functionName: "verify",
      args: [request, signature as Hex],
    });
    return { solver, refusal: await abortable(refusalOf(verifying), signal, what) };
  } catch (error) {
    throw toKitError(error, receiver);
  }
}

/** Undefined without a revert. */
async function refusalOf(verifying: Promise<unknown>): Promise<ReceiverRefusal | undefined> {
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
      message: `no RequestReceiver is at ${address}`,
      hint: "Check the address and the chain that the client reads.",
      cause: error,
    });
  }
  return new ChainError({
    message: `the receiver ${address} could not be called: ${error.shortMessage}`,
    chainId: client.chain?.id,
    hint: "Check the chain's RPC URL, then try again.",
    cause: error,
  });
}

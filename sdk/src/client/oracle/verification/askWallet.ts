import {
  AbiDecodingDataSizeTooSmallError,
  type Address,
  BaseError,
  type Client,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  isHex,
  parseAbi,
} from "viem";
import { readContract } from "viem/actions";

import { abortable } from "../../../core/abort.ts";
import { ChainError } from "../../../core/errors.ts";

const WALLET_ABI = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);

/** ERC-1271's magic value. */
const ACCEPTED = "0x1626ba7e";

/** The wallet reverts, has no code, or returns too little. */
const REFUSALS = [ContractFunctionRevertedError, ContractFunctionZeroDataError, AbiDecodingDataSizeTooSmallError];

/**
 * ERC-1271. An address without code accepts nothing.
 *
 * @throws {@link ChainError} if the chain does not respond
 * @throws {@link AbortedError} when the signal fires
 */
export async function askWallet(
  client: Client,
  wallet: Address,
  hash: Hex,
  signature: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!isHex(signature)) return false;
  const question = { address: wallet, abi: WALLET_ABI, functionName: "isValidSignature" } as const;
  const what = `the wallet ${wallet}`;
  try {
    const asking = readContract(client, { ...question, args: [hash, signature] });
    return (await abortable(asking, signal, what)) === ACCEPTED;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const isRefusal = error.walk((cause) => REFUSALS.some((refusal) => cause instanceof refusal));
    if (isRefusal !== null) return false;
    throw new ChainError({
      message: `${what} could not be called: ${error.shortMessage}`,
      chainId: client.chain?.id,
      hint: "Check the chain's RPC URL, then try again.",
      cause: error,
    });
  }
}

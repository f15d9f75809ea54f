import { type Address, encodeFunctionData, type Hex, hexToBigInt, parseAbi } from "viem";
import {
  entryPoint07Abi,
  entryPoint07Address,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from "viem/account-abstraction";
import { getCode, readContract, waitForTransactionReceipt } from "viem/actions";

import type { HonestWallet, TransactionRequest } from "./honestWallet.ts";

/** Factory of EntryPoint v0.7's sample accounts. The address is the same on live and local chains. */
export const ACCOUNT_FACTORY_ADDRESS: Address = "0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985";

const ACCOUNT_ABI = parseAbi([
  "function createAccount(address owner, uint256 salt) returns (address)",
  "function getAddress(address owner, uint256 salt) view returns (address)",
  "function execute(address to, uint256 value, bytes data)",
]);

const SALT = 0n;

/** Returns the owner's sample account. Deploys the account if it is missing. */
export async function deployAccount(wallet: HonestWallet): Promise<Address> {
  const { client, account } = wallet;
  const address = await readContract(client, {
    address: ACCOUNT_FACTORY_ADDRESS,
    abi: ACCOUNT_ABI,
    functionName: "getAddress",
    args: [account.address, SALT],
  });
  if ((await getCode(client, { address })) !== undefined) return address;
  const signed = await wallet.sign({
    to: ACCOUNT_FACTORY_ADDRESS,
    data: encodeFunctionData({ abi: ACCOUNT_ABI, functionName: "createAccount", args: [account.address, SALT] }),
  });
  // The transaction is not added to `sent`, because the account did not send it.
  await client.request({ method: "eth_sendRawTransaction", params: [signed.serialized] });
  await waitForTransactionReceipt(client, { hash: signed.hash, pollingInterval: 25 });
  return address;
}

/** Encodes the account's call data for the call of a transaction. */
export function encodeExecute({ to, value = "0x0", data = "0x" }: TransactionRequest): Hex {
  return encodeFunctionData({
    abi: ACCOUNT_ABI,
    functionName: "execute",
    args: [to as Address, hexToBigInt(value as Hex), data as Hex],
  });
}

export interface SignedOperation {
  readonly hash: Hex;
  /** Transaction in which the EntryPoint executes the operation. */
  readonly transaction: TransactionRequest;
}

/** @param ahead number of signed operations that are not executed yet */
export async function signOperation(
  { client, account, chainId }: HonestWallet,
  sender: Address,
  call: TransactionRequest,
  ahead: number,
): Promise<SignedOperation> {
  const nonce = await readContract(client, {
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    functionName: "getNonce",
    args: [sender, 0n],
  });
  // Without fees, the account needs no deposit in the EntryPoint.
  const operation: UserOperation<"0.7"> = {
    sender,
    nonce: nonce + BigInt(ahead),
    callData: encodeExecute(call),
    callGasLimit: 1_000_000n,
    verificationGasLimit: 500_000n,
    preVerificationGas: 100_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    signature: "0x",
  };
  const hash = getUserOperationHash({
    userOperation: operation,
    entryPointAddress: entryPoint07Address,
    entryPointVersion: "0.7",
    chainId,
  });
  const signature = await account.signMessage({ message: { raw: hash } });
  const data = encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: "handleOps",
    args: [[toPackedUserOperation({ ...operation, signature })], account.address],
  });
  return { hash, transaction: { to: entryPoint07Address, data } };
}

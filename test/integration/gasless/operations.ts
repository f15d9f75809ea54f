import { type Address, encodeFunctionData, erc20Abi, type Hex, type LocalAccount, parseAbi } from "viem";
import {
  entryPoint07Abi,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from "viem/account-abstraction";

import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { reader } from "../support/parties.ts";
import type { BatchCall } from "./batches.ts";

type Signer = LocalAccount;

/** Chain of any network, with its contracts and URL. */
type Chain = Pick<LocalnetChain, "contracts" | "id" | "rpcUrl">;

/** Functions of the sample account and of its factory. */
const ACCOUNT_ABI = parseAbi([
  "function createAccount(address owner, uint256 salt) returns (address)",
  "function getAddress(address owner, uint256 salt) view returns (address)",
  "function executeBatch(address[] dest, uint256[] value, bytes[] func)",
]);

/** Changes to the signed operation. */
export interface OperationChange {
  readonly nonce?: bigint;
  /** Chain ID that the signature covers. */
  readonly chainId?: number;
  readonly signer?: Signer;
  /** Calls that replace the signed calls. */
  readonly callsAfterSigning?: readonly BatchCall[];
  /** Fields to replace before signing. */
  readonly fields?: Partial<UserOperation<"0.7">>;
  /** Account that receives the gas payment. Defaults to the owner. The signature does not cover it. */
  readonly beneficiary?: Address;
}

/** Returns the address of the owner's ERC-4337 account, deployed or not. */
export function accountOf({ contracts, ...chain }: Chain, owner: Signer): Promise<Address> {
  return reader(chain).readContract({
    address: contracts.accountFactory,
    abi: ACCOUNT_ABI,
    functionName: "getAddress",
    args: [owner.address, 0n],
  });
}

/** Returns the next nonce of an account at the EntryPoint. */
export function nonceOf(chain: Chain, account: Address): Promise<bigint> {
  return reader(chain).readContract({
    address: chain.contracts.entryPoint,
    abi: entryPoint07Abi,
    functionName: "getNonce",
    args: [account, 0n],
  });
}

/**
 * Returns EntryPoint call data for one operation of the owner's account. The operation deploys the account if
 * needed.
 */
export async function signOperation(
  owner: Signer,
  chain: Chain,
  calls: readonly BatchCall[],
  {
    nonce,
    chainId = chain.id,
    signer = owner,
    callsAfterSigning,
    fields,
    beneficiary = owner.address,
  }: OperationChange = {},
): Promise<Hex> {
  const { entryPoint, accountFactory } = chain.contracts;
  const sender = await accountOf(chain, owner);
  const isDeployed = (await reader(chain).getCode({ address: sender })) !== undefined;
  const factoryData = encodeFunctionData({
    abi: ACCOUNT_ABI,
    functionName: "createAccount",
    args: [owner.address, 0n],
  });
  // Documented fees and limits of the service, which pays for the gas.
  const operation: UserOperation<"0.7"> = {
    sender,
    nonce: nonce ?? (await nonceOf(chain, sender)),
    ...(isDeployed ? {} : { factory: accountFactory, factoryData }),
    callData: executeBatch(calls),
    callGasLimit: 500_000n,
    verificationGasLimit: 500_000n,
    preVerificationGas: 100_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    signature: "0x",
    ...fields,
  };
  const hash = getUserOperationHash({
    userOperation: operation,
    entryPointAddress: entryPoint,
    entryPointVersion: "0.7",
    chainId,
  });
  const signature = await signer.signMessage({ message: { raw: hash } });
  const callData = callsAfterSigning === undefined ? operation.callData : executeBatch(callsAfterSigning);
  return encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: "handleOps",
    args: [[toPackedUserOperation({ ...operation, callData, signature })], beneficiary],
  });
}

function executeBatch(calls: readonly BatchCall[]): Hex {
  return encodeFunctionData({
    abi: ACCOUNT_ABI,
    functionName: "executeBatch",
    args: [calls.map(({ to }) => to), calls.map(({ value }) => value), calls.map(({ data }) => data)],
  });
}

/** Returns a call that transfers dollars. */
export function transferOf(chain: Chain, to: Address, amount: bigint): BatchCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
  return { to: chain.contracts.dollar, value: 0n, data };
}

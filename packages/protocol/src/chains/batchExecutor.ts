import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  type TypedDataDefinition,
} from "viem";

import { BATCH_EXECUTOR_ADDRESS } from "./serviceAddresses.ts";

/** ABI of accounts that delegate to the batch executor (EIP-7702). */
export const BATCH_EXECUTOR_ABI = parseAbi([
  "struct Call { address to; uint256 value; bytes data; }",
  "struct BatchedCall { Call[] calls; bool revertOnFailure; }",
  "struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }",
  "function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature) payable",
  "function getSeq(uint256 key) view returns (uint256)",
]);

const TYPES = {
  SignedBatchedCall: [
    { name: "batchedCall", type: "BatchedCall" },
    { name: "nonce", type: "uint256" },
    { name: "keyHash", type: "bytes32" },
    { name: "executor", type: "address" },
    { name: "deadline", type: "uint256" },
  ],
  BatchedCall: [
    { name: "calls", type: "Call[]" },
    { name: "revertOnFailure", type: "bool" },
  ],
  Call: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
  ],
} as const;

/** Prefix of a delegating account's code. */
export const DELEGATION_PREFIX: Hex = "0xef0100";

/** Code of an account that delegates to the batch executor. */
export const BATCH_DELEGATION: Hex = concat([DELEGATION_PREFIX, BATCH_EXECUTOR_ADDRESS]);

/** Calls that an account executes atomically. */
export interface AccountBatch {
  readonly chainId: number;
  readonly account: Address;
  readonly calls: readonly { readonly to: Address; readonly value: bigint; readonly data: Hex }[];
  readonly nonce: bigint;
  /** Account that may send the batch; the zero address allows anyone. */
  readonly executor: Address;
  /** In Unix seconds. */
  readonly deadline: bigint;
}

/** Returns the typed data that an account signs for a batch. */
export function toBatchTypedData(batch: AccountBatch): TypedDataDefinition<typeof TYPES, "SignedBatchedCall"> {
  const { chainId, account } = batch;
  const salt = pad(BATCH_EXECUTOR_ADDRESS, { size: 32 });
  return {
    domain: { name: "Calibur", version: "1.0.0", chainId, verifyingContract: account, salt },
    types: TYPES,
    primaryType: "SignedBatchedCall",
    message: toMessage(batch),
  };
}

/** Encodes the call data to execute a signed batch on its account. */
export function encodeBatch(batch: AccountBatch, signature: Hex): Hex {
  const wrapped = encodeAbiParameters([{ type: "bytes" }, { type: "bytes" }], [signature, "0x"]);
  return encodeFunctionData({
    abi: BATCH_EXECUTOR_ABI,
    functionName: "execute",
    args: [toMessage(batch), wrapped],
  });
}

function toMessage({ calls, nonce, executor, deadline }: AccountBatch) {
  return {
    batchedCall: { calls: calls.map(({ to, value, data }) => ({ to, value, data })), revertOnFailure: true },
    nonce,
    // Zero stands for the account's own key.
    keyHash: pad("0x00"),
    executor,
    deadline,
  } as const;
}

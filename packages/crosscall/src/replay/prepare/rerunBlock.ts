import {
  type Address,
  type Hex,
  type TransactionSerializable,
  type TransactionSerialized,
  formatTransaction,
  keccak256,
  recoverTransactionAddress,
  serializeTransaction,
} from "viem";
import { isSameAddress } from "@crosscall/protocol/chains";

import { EngineError, type StateNode } from "../fork/fork.ts";

/** Fields of a transaction that are needed to run it again. */
export interface BlockTransaction {
  readonly hash: Hex;
  readonly type?: Hex;
  readonly from: Address;
  readonly to: Address | null;
  readonly input: Hex;
  readonly value: Hex;
  readonly gas: Hex;
  readonly nonce: Hex;
  readonly gasPrice?: Hex;
  readonly maxFeePerGas?: Hex;
  readonly maxPriorityFeePerGas?: Hex;
  readonly accessList?: unknown;
  readonly authorizationList?: unknown;
  /** Signed bytes; set if exactly these must be sent. */
  readonly signed?: Hex | undefined;
}

/** Ethereum's transaction types. Rollups have other types without a sender's signature. */
const RUNNABLE_TYPES: ReadonlySet<string | undefined> = new Set([undefined, "0x0", "0x1", "0x2", "0x3", "0x4"]);

export function canRerun({ type }: BlockTransaction): boolean {
  return RUNNABLE_TYPES.has(type?.toLowerCase());
}

/**
 * Runs transactions again in order. The environment of the block must already be prepared.
 *
 * @returns the hashes; undefined for each transaction that the node rejects in its state
 */
export async function rerunBlock(
  node: StateNode,
  transactions: readonly BlockTransaction[],
): Promise<readonly (Hex | undefined)[]> {
  await node.request("evm_setAutomine", [false]);
  try {
    const hashes: (Hex | undefined)[] = [];
    for (const transaction of transactions) {
      hashes.push(await send(node, transaction));
    }
    await node.request("evm_mine");
    return hashes;
  } finally {
    await node.request("evm_setAutomine", [true]);
  }
}

async function send(node: StateNode, transaction: BlockTransaction): Promise<Hex | undefined> {
  const { from, signed } = transaction;
  try {
    if (signed !== undefined) return (await node.request("eth_sendRawTransaction", [signed])) as Hex;
    await node.request("hardhat_impersonateAccount", [from]);
    return (await node.request("eth_sendTransaction", [toRequest(transaction)])) as Hex;
  } catch (error) {
    // A failure of the upstream node is not a rejection.
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

function toRequest(transaction: BlockTransaction): Record<string, unknown> {
  const { from, to, input, value, gas, nonce, accessList, authorizationList } = transaction;
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const fees = maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas };
  return {
    from,
    ...(to === null ? {} : { to }),
    data: input,
    value,
    gas,
    nonce,
    ...fees,
    ...(accessList === undefined || accessList === null ? {} : { accessList }),
    ...(authorizationList === undefined || authorizationList === null ? {} : { authorizationList }),
  };
}

/**
 * Encodes the signed transaction. Rollups charge a fee for these bytes.
 *
 * @returns undefined if the transaction cannot be sent again: it has blobs, or no sender's signature
 */
export async function signedTransaction(transaction: BlockTransaction): Promise<Hex | undefined> {
  try {
    // viem's type has a variant per transaction type, but its formatter takes the fields of any of them.
    const rpcFields: object = transaction;
    const { input, r, s, v, yParity, ...fields } = formatTransaction(rpcFields);
    if (fields.type === "eip4844") return undefined;
    const unsigned = { ...fields, data: input } as TransactionSerializable;
    const bytes: TransactionSerialized = serializeTransaction(unsigned, { r, s, v, yParity });
    if (keccak256(bytes) !== transaction.hash.toLowerCase()) return undefined;
    const sender = await recoverTransactionAddress({ serializedTransaction: bytes });
    return isSameAddress(sender, transaction.from) ? bytes : undefined;
  } catch {
    // The transaction type is specific to the chain, or the sender was impersonated.
    return undefined;
  }
}

import type { Address, Hex } from "viem";

import { EngineError } from "../fork/engine.ts";
import type { StateNode } from "../stateNode.ts";

/** A transaction of a block as a node gives it: only what must be the same when it runs again. */
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
  /** The bytes to send, where it must be these. */
  readonly signed?: Hex | undefined;
}

/** Ethereum's. Rollups have more, which their chains make themselves and no account sends. */
const RUNNABLE_TYPES: ReadonlySet<string | undefined> = new Set([undefined, "0x0", "0x1", "0x2", "0x3", "0x4"]);

/** Whether a transaction can be sent again. */
export function canRerun({ type }: BlockTransaction): boolean {
  return RUNNABLE_TYPES.has(type?.toLowerCase());
}

/**
 * Makes a block of transactions that ran before, in their order; the block's environment is prepared already.
 *
 * @returns the hash of each; undefined where the node refuses to run it on the state that it finds
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
    // What failed for want of the chain is no refusal.
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

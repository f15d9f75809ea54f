import type { Address, Hex } from "viem";

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
}

/** OP-stack chains begin each block with transactions that no account sends. */
const DEPOSIT_TYPE = "0x7e";

/** Whether a transaction can be sent again. */
export function canRerun({ type }: BlockTransaction): boolean {
  return type?.toLowerCase() !== DEPOSIT_TYPE;
}

/** Makes a block of transactions that ran before, in their order; the block's environment is prepared already. */
export async function rerunBlock(node: StateNode, transactions: readonly BlockTransaction[]): Promise<readonly Hex[]> {
  await node.request("evm_setAutomine", [false]);
  try {
    const hashes: Hex[] = [];
    for (const transaction of transactions) {
      await node.request("hardhat_impersonateAccount", [transaction.from]);
      hashes.push((await node.request("eth_sendTransaction", [toRequest(transaction)])) as Hex);
    }
    await node.request("evm_mine");
    return hashes;
  } finally {
    await node.request("evm_setAutomine", [true]);
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

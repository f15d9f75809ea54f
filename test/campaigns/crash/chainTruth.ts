import type { Address, Hex } from "viem";

import { isSameAddress } from "../../../packages/protocol/src/chains/address.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";

/** A mined transaction of the solver. */
export interface SolverTransaction {
  readonly hash: Hex;
  readonly to: Address | null;
  /** The last 32 bytes of the call data: the order that the transaction fills or refunds. */
  readonly orderId: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Gas paid, in wei. */
  readonly fee: bigint;
  readonly works: boolean;
}

/** Reads every transaction of the solver from a chain, from the first block to the last. */
export async function readSolverTransactions(
  chainId: number,
  rpcUrl: string,
  solver: Address,
): Promise<SolverTransaction[]> {
  const client = chainClient(chainId, rpcUrl);
  const latest = await client.getBlockNumber();
  const found: SolverTransaction[] = [];
  for (let blockNumber = 0n; blockNumber <= latest; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const transaction of transactions.filter(({ from }) => isSameAddress(from, solver))) {
      const receipt = await client.getTransactionReceipt({ hash: transaction.hash });
      found.push({
        hash: transaction.hash,
        to: transaction.to,
        orderId: `0x${transaction.input.slice(-64)}`,
        value: transaction.value,
        fee: receipt.gasUsed * receipt.effectiveGasPrice,
        works: receipt.status === "success",
      });
    }
  }
  return found;
}

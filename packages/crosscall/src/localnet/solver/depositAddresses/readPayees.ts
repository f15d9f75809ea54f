import { type Address, parseAbiItem } from "viem";

import type { DevChain } from "../../devchain/devChain.ts";

export const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

/** Each is a call. */
const BLOCKS_WITH_TRANSACTIONS = 20n;

/**
 * Who was paid in some blocks by a transfer of a token, and in the last of them as the target of a transaction. Native
 * currency that a contract pays is in neither.
 *
 * @returns in lower case
 */
export async function readPayees(
  { client }: Pick<DevChain, "client">,
  tokens: readonly Address[],
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<string[]> {
  const logs = await client.getLogs({ address: [...tokens], event: TRANSFER, fromBlock, toBlock, strict: true });
  const payees = new Set(logs.map(({ args }) => args.to.toLowerCase()));
  const first = toBlock - BLOCKS_WITH_TRANSACTIONS + 1n;
  for (let blockNumber = fromBlock > first ? fromBlock : first; blockNumber <= toBlock; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const { to, value } of transactions) if (to !== null && value > 0n) payees.add(to.toLowerCase());
  }
  return [...payees];
}

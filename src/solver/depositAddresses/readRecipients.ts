import { type Address, parseAbiItem } from "viem";

import type { DevChain } from "../../devchain/devChain.ts";

export const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

export interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

/**
 * Who was paid in some blocks: by a transfer of a token, or as the target of a transaction. A contract can pay native
 * currency to others, which no event shows.
 *
 * @returns in lower case
 */
export async function readRecipients(
  { client }: Pick<DevChain, "client">,
  tokens: readonly Address[],
  { fromBlock, toBlock }: BlockRange,
): Promise<string[]> {
  const logs = await client.getLogs({ address: [...tokens], event: TRANSFER, fromBlock, toBlock, strict: true });
  const recipients = new Set(logs.map(({ args }) => args.to.toLowerCase()));
  for (let blockNumber = fromBlock; blockNumber <= toBlock; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    for (const { to, value } of transactions) if (to !== null && value > 0n) recipients.add(to.toLowerCase());
  }
  return [...recipients];
}

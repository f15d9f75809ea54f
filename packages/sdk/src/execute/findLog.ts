import { BaseError, type Client } from "viem";
import { getBlockNumber } from "viem/actions";

import { askNode, isRangeRejection, isTemporary, kitErrorIn, toNodeError } from "./node.ts";
import { errorLayers, isUnsupportedMethod } from "./walletErrors.ts";

/** Maximum block range. Common nodes reject larger ranges. */
const BLOCKS_MAX = 1_000n;

/** Both inclusive. */
export interface BlockRange {
  readonly fromBlock: bigint;
  readonly toBlock: bigint;
}

export interface FindLogParameters<Log> {
  /** For errors. */
  readonly chainId: number;
  /** First block of the range. The search starts at the latest block. */
  readonly fromBlock: bigint;
  readonly read: (range: BlockRange) => Promise<readonly Log[]>;
  readonly isMatch: (log: Log) => boolean | Promise<boolean>;
}

/**
 * Finds the latest log that matches. Searches the newest blocks first, and uses smaller ranges if the node rejects the
 * query's size.
 * @throws {@link ChainError} when the node does not return the logs, with its reason
 */
export async function findLog<Log>(
  client: Client,
  { chainId, fromBlock, read, isMatch }: FindLogParameters<Log>,
): Promise<Log | undefined> {
  let size = BLOCKS_MAX;
  let last = await askNode(chainId, "its latest block", () => getBlockNumber(client, { cacheTime: 0 }));
  while (last >= fromBlock) {
    const count = size < last - fromBlock + 1n ? size : last - fromBlock + 1n;
    const first = last - count + 1n;
    try {
      const logs = await read({ fromBlock: first, toBlock: last });
      for (const log of logs.toReversed()) if (await isMatch(log)) return log;
      last = first - 1n;
    } catch (error) {
      const smaller = smallerSize(error, count);
      if (smaller === undefined) throw toNodeError(error, chainId, "logs (eth_getLogs)");
      size = smaller;
    }
  }
  return undefined;
}

/** Returns a smaller range, or undefined if fewer blocks would not help. */
function smallerSize(error: unknown, count: bigint): bigint | undefined {
  if (count === 1n || kitErrorIn(error) !== undefined || !(error instanceof BaseError)) return undefined;
  if (isTemporary(error, "eth_getLogs") || isUnsupportedMethod(error)) return undefined;
  const layers = errorLayers(error);
  // Nodes use different messages for this error, so any error response can mean that the range is too large. A missing
  // response cannot.
  const isResponse = layers.some(({ codes }) => codes.some((code) => typeof code === "number" && code <= -32_000));
  if (!isResponse && !isRangeRejection(error)) return undefined;
  const named = layers.flatMap(({ text }) => numbersIn(text)).filter((number) => number > 0n && number < count);
  return named.reduce((largest, number) => (number > largest ? number : largest), 0n) || count / 2n;
}

/** Reads `up to a 10 block range`, `at most 10,000 blocks`, and `this block range should work: [0x1, 0xa]`. */
function numbersIn(text: string): bigint[] {
  const ranges = [...text.matchAll(/\[\s*(0x[0-9a-f]{1,16})\s*,\s*(0x[0-9a-f]{1,16})\s*\]/giu)];
  if (ranges.length > 0) return ranges.map(([, from = "0", to = "0"]) => BigInt(to) - BigInt(from) + 1n);
  return [...text.matchAll(/(?<![\w.,-])(\d[\d,_]{0,15})(k)?(?!\w|\.\d)/giu)].map(
    ([, digits = "", thousands]) => BigInt(digits.replace(/[,_]/gu, "")) * (thousands === undefined ? 1n : 1_000n),
  );
}

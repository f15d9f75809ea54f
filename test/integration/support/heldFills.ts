import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { reader } from "./parties.ts";

/** Account that makes no requests. */
export const ADDRESS_ONE = "0x0000000000000000000000000000000000000001";

/** Counts the transactions on a chain that contain a quote's order id. */
export async function countFills(chain: Pick<LocalnetChain, "id" | "rpcUrl">, quote: Quote): Promise<number> {
  const client = reader(chain);
  const orderId = quote.protocol?.v2.orderId.slice(2) ?? "missing";
  const latest = await client.getBlockNumber();
  let fills = 0;
  for (let blockNumber = 0n; blockNumber <= latest; blockNumber += 1n) {
    const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
    fills += transactions.filter(({ input }) => input.endsWith(orderId)).length;
  }
  return fills;
}

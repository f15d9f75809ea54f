import { hasOpenSameChainRequests } from "../../store/requests.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";
import { settleSameChain } from "./settleSameChain.ts";

/** How far back a new watch looks for what happened before it was there. */
const BLOCKS_BEFORE = 100n;

/** Bytes of a call that can end with a requestId. */
const ID_CHARACTERS = 66;

/** Looks for the transactions of requests that their users execute, on one chain. */
export interface SameChainWatch {
  /** Goes through the blocks since the last look. */
  look(): Promise<void>;
}

/** A watch of a chain's blocks; where no such request is open, it does not read them. */
export function watchSameChain(context: ServiceContext, chain: ServiceChain): SameChainWatch {
  let nextBlock: bigint | undefined;
  return {
    async look() {
      const latest = await chain.client.getBlockNumber();
      const first = nextBlock ?? (latest > BLOCKS_BEFORE ? latest - BLOCKS_BEFORE : 0n);
      if (first > latest) return;
      if (await hasOpenSameChainRequests(context.store.db, chain.id)) {
        for (let blockNumber = first; blockNumber <= latest; blockNumber += 1n) {
          const { transactions } = await chain.client.getBlock({ blockNumber, includeTransactions: true });
          for (const transaction of transactions) {
            if (transaction.input.length >= ID_CHARACTERS) await settleSameChain(context, chain, transaction);
          }
        }
      }
      nextBlock = latest + 1n;
    },
  };
}

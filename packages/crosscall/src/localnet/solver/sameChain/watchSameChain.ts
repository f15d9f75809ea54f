import type { DevChain } from "../../devchain/devChain.ts";
import { findBlockHash } from "../../devchain/readChain.ts";
import type { ExpectedPayments } from "../../store/requests.ts";
import { attemptEach } from "../attemptEach.ts";
import type { Head } from "../deposits/head.ts";
import type { SolverParts } from "../solverParts.ts";
import { settleSameChain } from "./settleSameChain.ts";

/** Blocks that a new watch reads, and any watch after a reorg. */
const BLOCKS_BEFORE = 100n;

/** Hex characters of a call that can end with a requestId. */
const ID_CHARACTERS = 66;

export interface SameChainWatch {
  /** @returns false if a block must be read again, since one of its transactions could not be processed */
  look(head: Head, expected: () => Promise<ExpectedPayments>, signal: AbortSignal): Promise<boolean>;
}

/** Reads no blocks while no same-chain request is open. */
export function watchSameChain(parts: Pick<SolverParts, "clock" | "log" | "store">, chain: DevChain): SameChainWatch {
  let seen: Head | undefined;
  return {
    async look(head, expected, signal) {
      if (head.hash === seen?.hash) return true;
      const latest = head.number;
      let isDone = true;
      if ((await expected()).hasSameChain) {
        const first = await firstUnread(chain, seen, latest);
        for (let blockNumber = first; blockNumber <= latest; blockNumber += 1n) {
          const { transactions } = await chain.client.getBlock({ blockNumber, includeTransactions: true });
          const areSettled = await attemptEach(
            parts,
            transactions.filter(({ input }) => input.length >= ID_CHARACTERS),
            {
              what: "settle a same-chain request",
              facts: ({ hash, input }) => ({ requestId: `0x${input.slice(-64)}`, chainId: chain.id, txHash: hash }),
              attempt: (transaction) => settleSameChain(parts, chain, transaction),
              signal,
            },
          );
          if (!areSettled) isDone = false;
        }
      }
      if (isDone) seen = head;
      return isDone;
    },
  };
}

/** After a reorg, some earlier blocks are read again. */
async function firstUnread(chain: DevChain, seen: Head | undefined, latest: bigint): Promise<bigint> {
  if (seen !== undefined && (await findBlockHash(chain, seen.number)) === seen.hash) return seen.number + 1n;
  const last = seen !== undefined && seen.number < latest ? seen.number : latest;
  return last > BLOCKS_BEFORE ? last - BLOCKS_BEFORE : 0n;
}

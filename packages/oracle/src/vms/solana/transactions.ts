import { requireAttested } from "../../attestationRefusedError.ts";
import { createReadFinal } from "../readFinal.ts";
import type { CreateReadCache } from "../readCache.ts";
import type { SolanaReader, SolanaTransaction } from "./solanaReader.ts";

export interface SolanaTransactions {
  /**
   * Undefined if the transaction is unknown or not finalized.
   *
   * @throws {@link AttestationRefusedError} if it is finalized, but not as deep as configured
   */
  read(signature: string): Promise<SolanaTransaction | undefined>;
  /**
   * Unix seconds.
   *
   * @throws {@link AttestationRefusedError} if no node has them
   */
  timeOf(transaction: SolanaTransaction): Promise<number>;
}

/** @param finalizationSlots slots to be finalized on top of a transaction's own */
export function createSolanaTransactions(
  reader: SolanaReader,
  finalizationSlots: number,
  createCache: CreateReadCache,
): SolanaTransactions {
  const readFinal = createReadFinal<string, SolanaTransaction>(createCache);
  const readTime = createReadFinal<number, number>(createCache);
  return {
    read: (signature) =>
      readFinal(signature, async () => {
        const [found, slot] = await Promise.all([
          reader.transaction(signature),
          finalizationSlots === 0 ? undefined : reader.finalizedSlot(),
        ]);
        if (found === undefined) return undefined;
        const isDeep = slot === undefined || slot - found.slot >= finalizationSlots;
        requireAttested(isDeep, `Transaction ${signature} is not finalized`);
        return { found, isFinal: true };
      }),
    async timeOf({ slot, blockTime }) {
      const time =
        blockTime ??
        (await readTime(slot, async () => {
          const found = await reader.blockTime(slot);
          return found === undefined ? undefined : { found, isFinal: true };
        }));
      requireAttested(time !== undefined, "Could not fetch the timestamp of the transaction");
      return time;
    },
  };
}

import { requireAttested } from "../../attestationRefusedError.ts";
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
  const final = createCache<string, SolanaTransaction>();
  const times = createCache<number, number>();
  return {
    async read(signature) {
      const cached = final.get(signature);
      if (cached !== undefined) return cached;
      const [transaction, slot] = await Promise.all([
        reader.transaction(signature),
        finalizationSlots === 0 ? undefined : reader.finalizedSlot(),
      ]);
      if (transaction === undefined) return undefined;
      const isDeep = slot === undefined || slot - transaction.slot >= finalizationSlots;
      requireAttested(isDeep, `Transaction ${signature} is not finalized`);
      final.set(signature, transaction);
      return transaction;
    },
    async timeOf({ slot, blockTime }) {
      const time = blockTime ?? times.get(slot) ?? (await reader.blockTime(slot));
      requireAttested(time !== undefined, "Could not fetch the timestamp of the transaction");
      times.set(slot, time);
      return time;
    },
  };
}

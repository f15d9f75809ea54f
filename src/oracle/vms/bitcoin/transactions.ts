import { requireAttested } from "../../attestationRefusedError.ts";
import { createBoundedCache } from "../../boundedCache.ts";
import type { BitcoinBlock, BitcoinOutput, BitcoinReader, BitcoinTransaction } from "./bitcoinReader.ts";

/** A transaction that lies deep enough in the chain. */
export interface FinalTransaction extends BitcoinTransaction {
  readonly block: BitcoinBlock;
}

/** Reads transactions for attestations; what cannot change is read once. */
export interface BitcoinTransactions {
  /**
   * A final transaction; undefined where the chain has none.
   *
   * @throws {@link AttestationRefusedError} when it is not final
   */
  read(txid: string): Promise<FinalTransaction | undefined>;
  /**
   * The outputs that a transaction spends, in the order of its inputs.
   *
   * @throws {@link AttestationRefusedError} when the chain does not have one of them
   */
  readSpent(transaction: BitcoinTransaction): Promise<readonly BitcoinOutput[]>;
}

/** Values of each kind that are kept. */
const KEPT = 10_000;

/** @param confirmations so many blocks, the transaction's own among them, make it final */
export function createBitcoinTransactions(reader: BitcoinReader, confirmations: number): BitcoinTransactions {
  const final = createBoundedCache<string, FinalTransaction>(KEPT);
  const created = createBoundedCache<string, readonly BitcoinOutput[]>(KEPT);

  const readOutputs = async (txid: string): Promise<readonly BitcoinOutput[]> => {
    const outputs = created.get(txid) ?? (await reader.outputs(txid));
    requireAttested(outputs !== undefined, `Missing input transaction ${txid}`);
    created.set(txid, outputs);
    return outputs;
  };

  return {
    async read(txid) {
      const cached = final.get(txid);
      if (cached !== undefined) return cached;
      const [transaction, height] = await Promise.all([reader.transaction(txid), reader.height()]);
      if (transaction === undefined) return undefined;
      const { block } = transaction;
      const isFinal = block !== undefined && height - block.height + 1 >= confirmations;
      requireAttested(isFinal, `Transaction ${txid} is not finalized`);
      const included = { ...transaction, block };
      final.set(txid, included);
      return included;
    },
    readSpent: ({ inputs }) =>
      Promise.all(
        inputs.map(async ({ txid, vout }) => {
          const output = (await readOutputs(txid))[vout];
          requireAttested(output !== undefined, `Missing input prevout ${txid}:${vout}`);
          return output;
        }),
      ),
  };
}

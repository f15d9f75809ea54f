import { requireAttested } from "../../attestationRefusedError.ts";
import { createReadFinal } from "../readFinal.ts";
import type { CreateReadCache } from "../readCache.ts";
import type { BitcoinBlock, BitcoinOutput, BitcoinReader, BitcoinTransaction } from "./bitcoinReader.ts";

export interface FinalTransaction extends BitcoinTransaction {
  readonly block: BitcoinBlock;
}

export interface BitcoinTransactions {
  /**
   * Undefined if the chain does not have it.
   *
   * @throws {@link AttestationRefusedError} if it is not final
   */
  read(txid: string): Promise<FinalTransaction | undefined>;
  /**
   * In the order of the inputs.
   *
   * @throws {@link AttestationRefusedError} if the chain does not have one of them
   */
  readSpent(transaction: BitcoinTransaction): Promise<readonly BitcoinOutput[]>;
}

/** @param confirmations required number, including the transaction's own block */
export function createBitcoinTransactions(
  reader: BitcoinReader,
  confirmations: number,
  createCache: CreateReadCache,
): BitcoinTransactions {
  const readFinal = createReadFinal<string, FinalTransaction>(createCache);
  const created = createCache<string, readonly BitcoinOutput[]>();

  const readOutputs = async (txid: string): Promise<readonly BitcoinOutput[]> => {
    const outputs = created.get(txid) ?? (await reader.outputs(txid));
    requireAttested(outputs !== undefined, `Missing input transaction ${txid}`);
    created.set(txid, outputs);
    return outputs;
  };

  return {
    read: (txid) =>
      readFinal(txid, async () => {
        const [transaction, height] = await Promise.all([reader.transaction(txid), reader.height()]);
        if (transaction === undefined) return undefined;
        const { block } = transaction;
        const isFinal = block !== undefined && height - block.height + 1 >= confirmations;
        requireAttested(isFinal, `Transaction ${txid} is not finalized`);
        return { found: { ...transaction, block }, isFinal };
      }),
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

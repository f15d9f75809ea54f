import type { Hex } from "viem";

import type { Clock } from "@crosscall/sdk/internal/core/clock";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { CreateReadCache } from "../readCache.ts";
import type { EvmBlock, EvmReader, EvmReceipt, EvmTransaction } from "./evmReader.ts";
import { type Finality, isDeepEnough } from "./finality.ts";

export interface IncludedTransaction {
  readonly hash: Hex;
  /** As the caller wrote it. */
  readonly transactionId: string;
  readonly receipt: EvmReceipt;
  readonly block: EvmBlock;
}

/** Final ones are cached. */
export interface Transactions {
  /**
   * The only way to a receipt, so that nothing is signed for a transaction that is not deep enough.
   *
   * @param depthOf the depth that its contents need; the chain's finality by default
   * @throws {@link AttestationRefusedError} if it is missing, reverted or not deep enough
   */
  read(
    transactionId: string,
    hash: Hex,
    depthOf?: (included: IncludedTransaction) => Finality,
  ): Promise<IncludedTransaction>;
  /**
   * As sent.
   *
   * @throws {@link AttestationRefusedError} if it is missing
   */
  readSent(transactionId: string, hash: Hex): Promise<EvmTransaction>;
}

export interface TransactionsOptions {
  readonly chainId: string;
  readonly reader: EvmReader;
  readonly clock: Clock;
  readonly finality: Finality;
  readonly createCache: CreateReadCache;
}

/** Reuse of the latest block. An older one can only reject what a newer would accept. */
const LATEST_MS = 1_000;

export function createTransactions(options: TransactionsOptions): Transactions {
  const { chainId, reader, clock, finality, createCache } = options;
  const final = createCache<Hex, IncludedTransaction>();
  const sent = createCache<Hex, EvmTransaction>();
  const blocks = createCache<Hex, EvmBlock>();
  let known: { readonly block: EvmBlock; readonly at: number } | undefined;
  let underWay: Promise<EvmBlock> | undefined;

  const readLatest = (): Promise<EvmBlock> => {
    underWay ??= reader
      .latest()
      .then((block) => {
        known = { block, at: clock.now() };
        return block;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };

  const recentLatest = (): EvmBlock | undefined =>
    known !== undefined && clock.now() - known.at < LATEST_MS ? known.block : undefined;

  return {
    async read(transactionId, hash, depthOf = () => finality) {
      const cached = final.get(hash);
      if (cached !== undefined) return { ...cached, transactionId };
      // Called early, so that it joins the same batch.
      const [receipt] = await Promise.all([reader.receipt(hash), recentLatest() ?? readLatest()]);
      requireAttested(receipt !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
      requireAttested(receipt.isSuccess, `Reverted transaction ${transactionId} on chain ${chainId}`);
      const block = blocks.get(receipt.blockHash) ?? (await reader.block(receipt.blockHash));
      // After a reorg between two reads, the block is unknown.
      requireAttested(block?.number === receipt.blockNumber, `Transaction ${transactionId} is not finalized`);
      const included = { hash, transactionId, receipt, block };
      const depth = depthOf(included);
      let latest = recentLatest();
      if (latest === undefined || !isDeepEnough(block, latest, depth)) latest = await readLatest();
      requireAttested(isDeepEnough(block, latest, depth), `Transaction ${transactionId} is not finalized`);
      if (isDeepEnough(block, latest, finality)) {
        blocks.set(block.hash, block);
        final.set(hash, included);
      }
      return included;
    },
    async readSent(transactionId, hash) {
      const transaction = sent.get(hash) ?? (await reader.transaction(hash));
      requireAttested(transaction !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
      if (final.get(hash) !== undefined) sent.set(hash, transaction);
      return transaction;
    },
  };
}

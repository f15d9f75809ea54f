import type { Hex } from "viem";

import type { Clock } from "@crosscall/sdk/internal/core/clock";
import { requireAttested } from "../../attestationRefusedError.ts";
import { createBoundedCache } from "../../boundedCache.ts";
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
   * At any depth.
   *
   * @throws {@link AttestationRefusedError} if it is missing or reverted
   */
  readIncluded(transactionId: string, hash: Hex): Promise<IncludedTransaction>;
  /** @throws {@link AttestationRefusedError} if it is not deep enough */
  requireDepth(included: IncludedTransaction, depth: Finality): Promise<void>;
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
}

const KEPT = 10_000;

/** Reuse of the latest block. An older one can only reject what a newer would accept. */
const LATEST_MS = 1_000;

export function createTransactions({ chainId, reader, clock, finality }: TransactionsOptions): Transactions {
  const final = createBoundedCache<Hex, IncludedTransaction>(KEPT);
  const sent = createBoundedCache<Hex, EvmTransaction>(KEPT);
  const blocks = createBoundedCache<Hex, EvmBlock>(KEPT);
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

  const readBlock = async (hash: Hex): Promise<EvmBlock | undefined> => {
    // A hash identifies a block forever, whether or not the chain still has it.
    const block = blocks.get(hash) ?? (await reader.block(hash));
    if (block !== undefined) blocks.set(hash, block);
    return block;
  };

  return {
    async readIncluded(transactionId, hash) {
      const cached = final.get(hash);
      if (cached !== undefined) return { ...cached, transactionId };
      // Called early, so that it joins the same batch.
      const [receipt] = await Promise.all([reader.receipt(hash), recentLatest() ?? readLatest()]);
      requireAttested(receipt !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
      requireAttested(receipt.isSuccess, `Reverted transaction ${transactionId} on chain ${chainId}`);
      const block = await readBlock(receipt.blockHash);
      // After a reorg between two reads, the block is unknown.
      requireAttested(block?.number === receipt.blockNumber, `Transaction ${transactionId} is not finalized`);
      return { hash, transactionId, receipt, block };
    },
    async requireDepth(included, depth) {
      const { hash, transactionId, block } = included;
      if (final.get(hash) !== undefined) return;
      let latest = recentLatest();
      if (latest === undefined || !isDeepEnough(block, latest, depth)) latest = await readLatest();
      requireAttested(isDeepEnough(block, latest, depth), `Transaction ${transactionId} is not finalized`);
      if (isDeepEnough(block, latest, finality)) final.set(hash, included);
    },
    async readSent(transactionId, hash) {
      const transaction = sent.get(hash) ?? (await reader.transaction(hash));
      requireAttested(transaction !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
      // The hash covers everything in it.
      sent.set(hash, transaction);
      return transaction;
    },
  };
}

import type { Hex } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { AdditionalData } from "../../chainFiles.ts";
import { type CreateReadCache, createReadFinal } from "../readFinal.ts";
import type { EvmBlock, EvmReader, EvmReceipt, EvmTransaction } from "./evmReader.ts";

export interface IncludedTransaction {
  readonly hash: Hex;
  /** Transaction id as written by the caller. */
  readonly transactionId: string;
  readonly receipt: EvmReceipt;
  readonly block: EvmBlock;
}

/** Receipt. Final receipts are cached. */
export interface Transactions {
  /**
   * Reads a receipt. Requires that the transaction is deep enough and in the canonical block at its height.
   *
   * @param depthOf returns the required depth for the receipt; the chain's finality by default
   * @throws {@link AttestationRefusedError} if the transaction is missing, reverted, orphaned or not deep enough
   */
  read(
    transactionId: string,
    hash: Hex,
    depthOf?: (included: IncludedTransaction) => Finality,
  ): Promise<IncludedTransaction>;
  /**
   * Reads the transaction as it was sent.
   *
   * @throws {@link AttestationRefusedError} if it is missing
   */
  readSent(transactionId: string, hash: Hex): Promise<EvmTransaction>;
}

interface TransactionsOptions {
  readonly chainId: string;
  readonly reader: EvmReader;
  readonly clock: Clock;
  readonly finality: Finality;
  readonly createCache: CreateReadCache;
}

/**
 * Time for which the latest block is reused. An older block can only reject transactions that a newer one would accept.
 */
const LATEST_MS = 1_000;

export function createTransactions(options: TransactionsOptions): Transactions {
  const { chainId, reader, clock, finality, createCache } = options;
  const readFinal = createReadFinal<Hex, IncludedTransaction>(createCache);
  const readFinalBlock = createReadFinal<number, EvmBlock>(createCache);
  const sent = createReadFinal<Hex, EvmTransaction>(createCache);
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

  /** Reads the block at the receipt's height, and requires that it is the receipt's block. */
  const readBlock = async (transactionId: string, { blockHash, blockNumber }: EvmReceipt): Promise<EvmBlock> => {
    const block = await readFinalBlock(blockNumber, async () => {
      const found = await reader.blockAt(blockNumber);
      if (found === undefined) return undefined;
      return { found, isFinal: isDeepEnough(found, recentLatest() ?? (await readLatest()), finality) };
    });
    requireAttested(block !== undefined, `Transaction ${transactionId} is not finalized`);
    requireAttested(
      block.hash === blockHash,
      `Transaction ${transactionId} is in block ${blockHash}, but block ${blockNumber} of chain ${chainId} is ${block.hash}`,
    );
    return block;
  };

  return {
    async read(transactionId, hash, depthOf = () => finality) {
      const included = await readFinal(hash, async () => {
        // Called first, so that both reads are in the same batch.
        const [receipt] = await Promise.all([reader.receipt(hash), recentLatest() ?? readLatest()]);
        if (receipt === undefined) return undefined;
        requireAttested(receipt.isSuccess, `Reverted transaction ${transactionId} on chain ${chainId}`);
        const block = await readBlock(transactionId, receipt);
        const found = { hash, transactionId, receipt, block };
        const depth = depthOf(found);
        let latest = recentLatest();
        if (latest === undefined || !isDeepEnough(block, latest, depth)) latest = await readLatest();
        requireAttested(isDeepEnough(block, latest, depth), `Transaction ${transactionId} is not finalized`);
        return { found, isFinal: isDeepEnough(block, latest, finality) };
      });
      requireAttested(included !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
      return included.transactionId === transactionId ? included : { ...included, transactionId };
    },
    async readSent(transactionId, hash) {
      const transaction = await sent(hash, async () => {
        const found = await reader.transaction(hash);
        // Cached, because a hash always identifies the same transaction.
        return found === undefined ? undefined : { found, isFinal: true };
      });
      requireAttested(transaction !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
      return transaction;
    },
  };
}

/** Required depth of a transaction. */
export interface Finality {
  readonly blocks: number;
  /** Seconds on the chain's clock. */
  readonly seconds: number;
}

const DEFAULT_BLOCKS = 10;
const DEFAULT_SECONDS = 60;

export function finalityOf({ finalizationBlocks, finalizationTime }: AdditionalData): Finality {
  return { blocks: finalizationBlocks ?? DEFAULT_BLOCKS, seconds: finalizationTime ?? DEFAULT_SECONDS };
}

export function isDeepEnough(
  block: Pick<EvmBlock, "number" | "timestamp">,
  latest: Pick<EvmBlock, "number" | "timestamp">,
  { blocks, seconds }: Finality,
): boolean {
  return latest.number - block.number >= blocks && latest.timestamp - block.timestamp >= seconds;
}

/**
 * Returns the strictest tier of the amounts. The tier of an amount is the one with the smallest maximum above it.
 * Without deposits, any depth is enough, because no amount is credited.
 *
 * @returns undefined if the tier is not faster than ordinary finality
 */
export function fastFinalityOf(
  additionalData: AdditionalData,
  deposits: readonly { readonly currency: string; readonly amount: bigint }[],
): Finality | undefined {
  const final = finalityOf(additionalData);
  const { fastMode } = additionalData;
  if (fastMode === undefined) return undefined;
  let needed: Finality = { blocks: 0, seconds: 0 };
  for (const { currency, amount } of deposits) {
    const tiers = fastMode.finalityTiers[currency] ?? [];
    const [tier] = tiers
      .filter(({ maxAmount }) => BigInt(maxAmount) > amount)
      .toSorted((a, b) => (BigInt(a.maxAmount) < BigInt(b.maxAmount) ? -1 : 1));
    needed = {
      blocks: Math.max(needed.blocks, tier?.finalizationBlocks ?? final.blocks),
      seconds: Math.max(needed.seconds, tier?.finalizationTime ?? final.seconds),
    };
  }
  return needed.blocks >= final.blocks && needed.seconds >= final.seconds ? undefined : needed;
}

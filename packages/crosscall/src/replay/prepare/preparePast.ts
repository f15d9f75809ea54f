import type { Hex } from "viem";

import { ChainError, InvalidStateError } from "@crosscall/protocol/core";
import { type ForkParameters, openBareFork } from "../fork/openFork.ts";
import type { ReplayFinding } from "../replayReport.ts";
import type { PastTransaction, ReceiptLog } from "../subject/pastTransaction.ts";
import { type BlockTransaction, canRerun, rerunBlock, signedTransaction } from "./rerunBlock.ts";
import type { StateNode } from "../fork/fork.ts";
import { traceIncluded } from "../fork/runTransaction.ts";
import type { PreparedFill } from "./preparedFill.ts";

export interface PreparePastParameters extends Omit<ForkParameters, "blockNumber"> {
  readonly past: PastTransaction;
  /** Whether to first run the earlier transactions of its block; true by default. */
  readonly exact?: boolean | undefined;
}

/**
 * Runs a transaction again in its own block after the earlier transactions, with the block's time, base fee, coinbase
 * and randomness.
 *
 * @throws {@link StateUnavailableError} if the node has pruned the state
 * @throws {@link ChainError} if the chain does not respond, or the block was replaced
 * @throws {@link InvalidStateError} if the engine rejects the transaction in the replayed state
 */
export async function preparePast({ past, exact = true, ...parameters }: PreparePastParameters): Promise<PreparedFill> {
  const { fork, readRemote } = await openBareFork({
    ...parameters,
    blockNumber: past.blockNumber - 1n,
  });
  try {
    // Reads by hash, because a cached block with this number could be from before a reorg.
    const block = await readRemote("eth_getBlockByHash", [past.blockHash, true]);
    const { transactions: all = [] } = (block ?? {}) as { readonly transactions?: readonly BlockTransaction[] };
    const own = all.findIndex(({ hash }) => hash.toLowerCase() === past.hash.toLowerCase());
    const itself = all[own];
    if (itself === undefined) {
      throw new ChainError({
        message: `block ${past.blockNumber} of chain ${fork.chainId} no longer contains ${past.hash}`,
        hint: "The chain was reorganized: read the transaction again.",
        chainId: fork.chainId,
      });
    }
    const preceding = exact ? all.slice(0, own).filter(canRerun) : [];

    const rerun = <Result>(
      transactionsOfBlock: readonly BlockTransaction[],
      read: (hashes: readonly (Hex | undefined)[]) => Promise<Result>,
    ): Promise<Result> =>
      fork.isolate(async () => {
        await fork.prepareBlock();
        return read(await rerunBlock(fork, transactionsOfBlock));
      });

    const sentAgain = exact
      ? { ...itself, signed: await signedTransaction(itself) }
      : { ...itself, nonce: await nonceOf(fork, itself) };
    const whole = [...preceding, sentAgain];
    const { execution, receipt, ran } = await rerun(whole, async (hashes) => {
      const receipts = await readReceipts(fork, hashes);
      const receipt = receipts.at(-1) ?? rejectRun(past, exact);
      const ran = receipts.filter((each) => each !== null).length - 1;
      return { execution: await traceIncluded(fork, receipt.transactionHash), receipt, ran };
    });
    const isReproduced =
      (BigInt(receipt.status) === 1n) === past.success &&
      BigInt(receipt.gasUsed) === past.gasUsed &&
      JSON.stringify(receipt.logs.map(plainLog)) === JSON.stringify(past.logs.map(plainLog));
    return {
      fork,
      execution,
      delivered: 0n,
      before: (read) => rerun(preceding, read),
      after: (read) => rerun(whole, read),
      original: {
        hash: past.hash,
        blockNumber: past.blockNumber,
        success: past.success,
        gasUsed: past.gasUsed,
        isReproduced,
      },
      findings: [...describeSkipped(own - ran, exact), ...(isReproduced ? [] : [notReproduced(past, execution)])],
    };
  } catch (error) {
    await fork.close();
    throw error;
  }
}

interface ReplayedReceipt {
  readonly transactionHash: Hex;
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly logs: readonly ReceiptLog[];
}

/** Reads one receipt per transaction; null if the transaction is not in the block. */
function readReceipts(
  node: StateNode,
  hashes: readonly (Hex | undefined)[],
): Promise<readonly (ReplayedReceipt | null)[]> {
  return Promise.all(
    hashes.map(async (hash) =>
      hash === undefined ? null : ((await node.request("eth_getTransactionReceipt", [hash])) as ReplayedReceipt | null),
    ),
  );
}

function rejectRun({ hash, blockNumber }: PastTransaction, exact: boolean): never {
  throw new InvalidStateError({
    message: `${hash} of block ${blockNumber} cannot be run again on the replayed state`,
    hint: exact
      ? "Replay without exact state: a skipped transaction may have funded the sender or used the nonce."
      : "Replay with exact state: an earlier transaction in the block may have funded the sender.",
  });
}

async function nonceOf(node: StateNode, { from }: BlockTransaction): Promise<Hex> {
  return (await node.request("eth_getTransactionCount", [from, "latest"])) as Hex;
}

function plainLog({ address, topics, data }: ReceiptLog): string[] {
  return [address, ...topics, data].map((part) => part.toLowerCase());
}

function describeSkipped(skipped: number, exact: boolean): ReplayFinding[] {
  if (skipped === 0) return [];
  return [
    {
      code: "STATE_DIFFERS",
      severity: "note",
      txIndex: undefined,
      reason: `${skipped} earlier transactions of the block were not run`,
      hint: exact
        ? "No action needed: these are the chain's own transactions, which cannot be sent again, or transactions that depend on them."
        : "Replay with exact state, which runs the earlier transactions of the block first.",
    },
  ];
}

function notReproduced(past: PastTransaction, { success, gasUsed }: PreparedFill["execution"]): ReplayFinding {
  return {
    code: "NOT_REPRODUCED",
    severity: "warning",
    txIndex: undefined,
    reason:
      `the transaction ${past.success ? "succeeded" : "failed"} with ${past.gasUsed} gas, ` +
      `its replay ${success ? "succeeded" : "failed"} with ${gasUsed}`,
    hint: "Replay with exact state on an archive node, and check that the replay uses the chain's hardfork.",
  };
}

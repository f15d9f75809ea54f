import type { Hex } from "viem";

import { ChainError } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import { findReceipt } from "../devchain/readChain.ts";
import { findTransaction, type Inclusion, type TransactionRow } from "../store/transactions.ts";
import { settleIfIncluded } from "./followTransactions.ts";
import { readInclusion } from "./settleTransaction.ts";
import { requireSigned, sendBytes } from "./signedTransaction.ts";
import type { SolverParts } from "./solverParts.ts";

/** Interval between checks for a block and its confirmations, for which workers do not wait. */
export const INCLUSION_INTERVAL_MS = 250;

/**
 * Sends a recorded transaction.
 *
 * @returns undefined until it is included
 * @throws {@link InvalidStateError} if the row has no signed bytes
 * @throws {@link ChainError} if the node rejects the bytes
 */
export async function includeTransaction(
  chain: DevChain,
  row: Pick<TransactionRow, "hash" | "signed">,
): Promise<Inclusion | undefined> {
  const hash = row.hash as Hex;
  const signed = requireSigned(row);
  const known = await findReceipt(chain, hash);
  if (known !== undefined) return readInclusion(chain, known);
  const outcome = await sendBytes(chain, signed);
  // Hardhat's node reports a revert even if the transaction is in a block.
  const receipt = await findReceipt(chain, hash);
  if (receipt === undefined && outcome.kind !== "sent") {
    throw new ChainError({
      message: `the node rejected transaction ${hash}: ${outcome.kind === "refused" ? outcome.reason : outcome.kind}`,
      hint: "The solver sends the transaction again.",
      chainId: chain.id,
    });
  }
  return receipt === undefined ? undefined : readInclusion(chain, receipt);
}

/**
 * Sends a recorded transaction and records its block, so that it is sent again if a reorg removes the block.
 *
 * @returns the block; undefined until the transaction is included, so call this again later
 */
export async function settleRecorded(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
): Promise<TransactionRow | undefined> {
  if (row.status !== "pending") return row;
  if ((await includeTransaction(chain, row)) === undefined) return undefined;
  await settleIfIncluded(parts, chain, row, []);
  const settled = await findTransaction(parts.store.db, row.request_id, row.purpose);
  return settled?.status === "pending" ? undefined : settled;
}

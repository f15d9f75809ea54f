import type { Hex } from "viem";

import { ChainError } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import { findReceipt } from "../devchain/readChain.ts";
import { findTransaction, type Inclusion, type TransactionRow } from "../store/transactions.ts";
import { settleIfIncluded } from "./followTransactions.ts";
import { readInclusion } from "./settleTransaction.ts";
import { requireSigned, sendBytes } from "./signedTransaction.ts";
import type { SolverParts } from "./solverParts.ts";

/** Interval of checks for a block and its confirmations. A worker does not wait for them. */
export const INCLUSION_INTERVAL_MS = 250;

/**
 * Sends a recorded transaction.
 *
 * @returns undefined while it is in no block
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
  // Hardhat's node reports a revert although the transaction is in a block.
  const receipt = await findReceipt(chain, hash);
  if (receipt === undefined && outcome.kind !== "sent") {
    throw new ChainError({
      message: `the node rejected transaction ${hash}: ${outcome.kind === "refused" ? outcome.reason : outcome.kind}`,
      hint: "It will be sent again.",
      chainId: chain.id,
    });
  }
  return receipt === undefined ? undefined : readInclusion(chain, receipt);
}

/**
 * Sends a recorded transaction and records its block, so that a reorg of the block sends it again.
 *
 * @returns undefined while it is in no block; call it again then
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

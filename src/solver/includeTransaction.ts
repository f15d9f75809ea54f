import type { Hex } from "viem";

import { waitForInclusion } from "@crosscall/sdk/internal/chains/waitForInclusion";
import { ChainError, InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { DevChain } from "../devchain/devChain.ts";
import { findReceipt } from "../devchain/readChain.ts";
import type { TransactionRow } from "../store/tables/transactionTables.ts";
import { findTransaction, type Inclusion } from "../store/transactions.ts";
import { settleIfIncluded } from "./followTransactions.ts";
import { readInclusion } from "./settleTransaction.ts";
import { sendBytes } from "./signedTransaction.ts";
import type { SolverParts } from "./solverParts.ts";

/** Time that one job waits for a block; the job then runs again. */
const INCLUSION_TIMEOUT_MS = 60_000;

/**
 * Sends a recorded transaction and waits for its inclusion.
 *
 * @throws {@link InvalidStateError} if the row has no signed bytes
 * @throws {@link ChainError} if the node rejects the bytes
 * @throws {@link AbortedError} when the signal fires
 */
export async function includeTransaction(
  chain: DevChain,
  row: TransactionRow,
  signal: AbortSignal,
): Promise<Inclusion> {
  const hash = row.hash as Hex;
  if (row.signed === null) {
    throw new InvalidStateError({
      message: `transaction ${hash} was stored without its signed bytes`,
      hint: "The database was modified: restore it.",
    });
  }
  const known = await findReceipt(chain, hash);
  if (known !== undefined) return readInclusion(chain, known);
  const outcome = await sendBytes(chain, row.signed);
  // Hardhat's node reports a revert although the transaction is in a block.
  const isTaken = outcome.kind === "sent" || (await findReceipt(chain, hash)) !== undefined;
  if (!isTaken) {
    throw new ChainError({
      message: `the node rejected transaction ${hash}: ${outcome.kind === "refused" ? outcome.reason : outcome.kind}`,
      hint: "It will be sent again.",
      chainId: chain.id,
    });
  }
  return readInclusion(chain, await waitForInclusion(chain.client, { hash, timeoutMs: INCLUSION_TIMEOUT_MS, signal }));
}

/**
 * Includes a recorded transaction and records its block, so that a reorg of the block sends it again.
 *
 * @returns undefined if its block was replaced meanwhile; call it again then
 */
export async function settleRecorded(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
  signal: AbortSignal,
): Promise<TransactionRow | undefined> {
  if (row.status !== "pending") return row;
  await includeTransaction(chain, row, signal);
  await settleIfIncluded(parts, chain, row, []);
  const settled = await findTransaction(parts.store.db, row.request_id, row.purpose);
  return settled?.status === "pending" ? undefined : settled;
}

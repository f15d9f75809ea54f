import type { Address, Hex } from "viem";

import { relayerAccount } from "../../devchain/accounts.ts";
import type { DevChain } from "../../devchain/devChain.ts";
import { isConfirmed } from "../../devchain/readChain.ts";
import { usdValue } from "../../market/currencies.ts";
import { executionCall, executionPayment } from "../../market/gasless/executionCall.ts";
import { isUserExecuted } from "../../market/requestKind.ts";
import { findExecution } from "../../store/executions.ts";
import { isFilledFirst } from "../../store/fastFills.ts";
import { findRequest, lockRequest, transition, type Transition } from "../../store/requests.ts";
import { settleSponsorPayment } from "../../store/sponsors.ts";
import type { Database } from "../../store/store.ts";
import type { ExecutionRow } from "../../store/tables/gaslessTables.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { TransactionRow } from "../../store/tables/transactionTables.ts";
import { findTransaction } from "../../store/transactions.ts";
import { readDeposits } from "../deposits/readDeposits.ts";
import { diagnoseFill } from "../diagnoseFill.ts";
import { estimateTransaction } from "../estimateFill.ts";
import { INCLUSION_INTERVAL_MS, settleRecorded } from "../includeTransaction.ts";
import { endSameChain } from "../sameChain/settleSameChain.ts";
import { signAndRecord } from "../signedTransaction.ts";
import type { SolverParts } from "../solverParts.ts";

/** Blocks that are searched for a deposit that someone else made with the user's batch. */
const LOOK_BACK_BLOCKS = 1_000n;

/**
 * Sends the call of a user from an account that holds gas only. Its transaction is stored signed before it is sent, so
 * this can be called again at any time. The scan of the chain finds the deposit that the call makes.
 *
 * @returns milliseconds after which to call again, if it must wait for a block
 */
export async function runExecution(parts: SolverParts, request: RequestRow): Promise<number | undefined> {
  const { db } = parts.store;
  const execution = await findExecution(db, request.id);
  const chain = execution === undefined ? undefined : parts.chains.get(execution.call.chainId);
  if (execution === undefined || chain === undefined) return undefined;
  const row = (await findTransaction(db, request.id, "execution")) ?? (await sign(parts, chain, request, execution));
  if (row === undefined) return undefined;
  const settled = await settleRecorded(parts, chain, row);
  if (settled === undefined) return INCLUSION_INTERVAL_MS;
  if (execution.is_sponsored) {
    const usdE18 = usdValue(BigInt(settled.fee ?? 0), parts.currencies.nativeOf(chain.id));
    await settleSponsorPayment(db, executionPayment(request.id), usdE18);
  }
  if (isUserExecuted(request)) {
    const hash = settled.hash as Hex;
    const { input } = await chain.client.getTransaction({ hash });
    await endSameChain(parts, chain, request, { hash, input, from: request.user as Address });
    return undefined;
  }
  if (settled.status === "success") {
    await transition(db, { ...at(parts), requestId: request.id, from: ["waiting"], to: "depositing" });
  }
  // A batch or user operation can fail inside a call that succeeds. Anyone may send it, and then the deposit is there
  // although this call failed.
  if (await hasDeposit(chain, request, settled)) return undefined;
  // In another block it could still succeed.
  if (!(await isConfirmed(chain, settled.block_number ?? 0))) return INCLUSION_INTERVAL_MS;
  await end(parts, request, { fail_reason: "TRANSACTION_REVERTED" });
  return undefined;
}

/** Undefined if it would fail, or the request does not wait for it any more. */
async function sign(
  parts: SolverParts,
  chain: DevChain,
  request: RequestRow,
  { call }: ExecutionRow,
): Promise<TransactionRow | undefined> {
  const { db } = parts.store;
  if (request.fail_reason !== null) {
    // The request was filled before its deposit, and the fill failed.
    await end(parts, request, { fail_reason: request.fail_reason });
    return undefined;
  }
  const own = { ...parts, solver: relayerAccount };
  const transaction = executionCall(call);
  const estimate = await estimateTransaction(own, chain, transaction);
  if (!estimate.works) {
    if (await hasDeposit(chain, request)) return undefined;
    const diagnosis = await diagnoseFill(own, chain, { transaction, orderCalls: 0 });
    await end(parts, request, {
      fail_reason: "TRANSACTION_SUBMISSION_FAILED",
      fail_details: diagnosis?.details ?? null,
    });
    return undefined;
  }
  await signAndRecord(own, {
    requestId: request.id,
    purpose: "execution",
    chain,
    transaction,
    gas: estimate.gas,
    amount: 0n,
    currency: request.origin_currency,
    move: (database) => isAwaited(database, request),
  });
  return findTransaction(db, request.id, "execution");
}

async function isAwaited(db: Database, request: RequestRow): Promise<boolean> {
  await lockRequest(db, request.id);
  return (await findRequest(db, request.id))?.status === "waiting" || isFilledFirst(db, request.id);
}

/** The sponsor does not pay what was not sent. */
async function end(
  parts: Pick<SolverParts, "clock" | "store">,
  request: RequestRow,
  set: NonNullable<Transition["set"]>,
): Promise<void> {
  await parts.store.db.transaction().execute(async (db) => {
    await lockRequest(db, request.id);
    await transition(db, {
      ...at(parts),
      requestId: request.id,
      from: ["waiting", "depositing"],
      to: "failure",
      set,
    });
    const isSent = (await findTransaction(db, request.id, "execution")) !== undefined;
    if (!isSent) await settleSponsorPayment(db, executionPayment(request.id), 0n);
  });
}

/** @param execution whose deposit is in its own block if it succeeded */
async function hasDeposit(chain: DevChain, request: RequestRow, execution?: TransactionRow): Promise<boolean> {
  const latest = await chain.client.getBlockNumber();
  const own = execution?.status === "success" ? execution.block_number : null;
  const toBlock = own === null ? latest : BigInt(own);
  const fromBlock = own === null ? (latest > LOOK_BACK_BLOCKS ? latest - LOOK_BACK_BLOCKS : 0n) : toBlock;
  const deposits = await readDeposits(chain, { fromBlock, toBlock }, new Date(0));
  return deposits.some(({ order_id }) => order_id === request.order_id);
}

function at({ clock }: Pick<SolverParts, "clock">): { readonly at: Date } {
  return { at: new Date(clock.now()) };
}

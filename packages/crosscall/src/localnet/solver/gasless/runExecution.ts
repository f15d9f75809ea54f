import { type Address, type Hex, parseEventLogs } from "viem";
import { entryPoint07Abi } from "viem/account-abstraction";

import type { FailReason } from "@crosscall/protocol/request";
import { classifyRevert } from "@crosscall/protocol/reverts";
import { relayerAccount } from "../../devchain/accounts.ts";
import type { DevChain } from "../../devchain/devChain.ts";
import { isConfirmed } from "../../devchain/readChain.ts";
import { usdValue } from "../../market/currencies.ts";
import { executionCall, executionPayment } from "../../market/gasless/executionCall.ts";
import { hasDeposit } from "../deposits/readDeposits.ts";
import { diagnoseFill, diagnoseOperation, type Diagnosis } from "../diagnoseFill.ts";
import { type ExecutionRow, findExecution } from "../../store/executions.ts";
import { isFilledFirst } from "../../store/fastFills.ts";
import { settleSponsorPayment } from "../../store/sponsors.ts";
import type { Database } from "../../store/schema.ts";
import { findTransaction, type TransactionRow } from "../../store/transactions.ts";
import { findStaleAuthorization } from "../authorizations.ts";
import { estimateTransaction } from "../estimateFill.ts";
import { endSameChain } from "../sameChain.ts";
import { findRequest, lockRequest, type RequestRow } from "../../store/requests/requests.ts";
import { transition, type Transition } from "../../store/requests/transitions.ts";
import { INCLUSION_INTERVAL_MS, settleRecorded } from "../includeTransaction.ts";
import { signAndRecord } from "../signedTransaction.ts";
import type { Recorder, SolverParts, Timed } from "../solverParts.ts";
import { findRival } from "./findRival.ts";

type FailureReason = Pick<NonNullable<Transition["set"]>, "fail_details" | "fail_reason">;

/**
 * Sends the call of a user from an account that only holds gas. The signed transaction is stored before it is sent, so
 * this can be called again at any time. The scan of the chain finds the call's deposit.
 *
 * @returns milliseconds after which to call again, if it must wait for a block
 */
export async function runExecution(
  parts: SolverParts,
  request: RequestRow,
  finish: ExecutionEnd,
): Promise<number | undefined> {
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
    await db
      .transaction()
      .execute((transaction) => settleSponsorPayment(transaction, executionPayment(request.id), usdE18));
  }
  return finish(parts, chain, request, execution, settled);
}

/** Applies the effect of an included call to its request. */
export type ExecutionEnd = (
  parts: SolverParts,
  chain: DevChain,
  request: RequestRow,
  execution: ExecutionRow,
  settled: TransactionRow,
) => Promise<number | undefined>;

/** Waits for the call's deposit. Without a deposit, the request fails. */
export const endByDeposit: ExecutionEnd = async (parts, chain, request, execution, settled) => {
  if (settled.status === "success") {
    await transition(parts.store.db, { ...at(parts), requestId: request.id, from: ["waiting"], to: "depositing" });
  }
  // A batch or user operation can fail inside a successful call. Anyone can send it, so the deposit may exist although
  // this call failed.
  if (await hasDeposit(chain, request, settled)) return undefined;
  // After a reorg, the call could still succeed in another block.
  if (!(await isConfirmed(chain, settled.block_number ?? 0))) return INCLUSION_INTERVAL_MS;
  await end(parts, request, await reasonOf(parts, chain, execution, settled));
  return undefined;
};

/** Ends a same-chain request with its call, or with the call of another account that sent it first. */
export const endByCall: ExecutionEnd = async (parts, chain, request, execution, settled) => {
  const blockNumber = BigInt(settled.block_number ?? 0);
  const rival =
    settled.status === "success"
      ? undefined
      : await findRival(chain, { call: execution.call, user: request.user, blockNumber });
  const ending = rival === undefined ? settled : { ...settled, hash: rival, status: "success" as const };
  const hash = ending.hash as Hex;
  const { input } = await chain.client.getTransaction({ hash });
  const transaction = { hash, input, from: request.user as Address };
  const code = await chain.client.getCode({ address: execution.call.to as Address, blockNumber });
  await endSameChain(parts, chain, request, transaction, {
    // The account has no code, because the chain ignored its authorization.
    isVoid: code === undefined,
    failure: await reasonOf(parts, chain, execution, ending),
  });
  return undefined;
};

/** Finds the reason why an included call had no effect. */
async function reasonOf(
  parts: SolverParts,
  chain: DevChain,
  { call }: ExecutionRow,
  { status, hash, block_number }: TransactionRow,
): Promise<FailureReason> {
  if (status === "success") {
    const stale = await findStaleAuthorization(chain, call);
    if (stale !== undefined) return { fail_reason: "INVALID_NONCE", fail_details: stale };
    const { logs } = await chain.client.getTransactionReceipt({ hash: hash as Hex });
    const [failed] = parseEventLogs({ abi: entryPoint07Abi, eventName: "UserOperationRevertReason", logs });
    const data = failed?.args.revertReason;
    return {
      fail_reason: "TRANSACTION_REVERTED",
      fail_details: data === undefined ? null : `user operation: ${classifyRevert({ data }).description}`,
    };
  }
  const diagnosis = await diagnoseFill({ ...parts, solver: relayerAccount }, chain, {
    transaction: executionCall(call),
    orderCalls: 0,
    ...(block_number === null ? {} : { blockNumber: BigInt(block_number) }),
  });
  return toFailure(diagnosis, "TRANSACTION_REVERTED");
}

/** Converts a diagnosis to a failure. User operations have separate reasons. */
function toFailure(diagnosis: Diagnosis | undefined, otherwise: FailReason): FailureReason {
  const isOperation = diagnosis?.failReason.startsWith("ACCOUNT_ABSTRACTION_") === true;
  return {
    fail_reason: isOperation ? diagnosis.failReason : otherwise,
    fail_details: diagnosis?.details ?? null,
  };
}

/** Signs the call. Returns undefined if the call would fail, or if the request no longer waits for the call. */
async function sign(
  parts: SolverParts,
  chain: DevChain,
  request: RequestRow,
  { call }: ExecutionRow,
): Promise<TransactionRow | undefined> {
  const { db } = parts.store;
  if (request.fail_reason !== null) {
    // The request was filled before its deposit, but the fill failed.
    await end(parts, request, { fail_reason: request.fail_reason });
    return undefined;
  }
  const stale = await findStaleAuthorization(chain, call);
  if (stale !== undefined) {
    if (!(await hasDeposit(chain, request))) {
      await end(parts, request, { fail_reason: "INVALID_NONCE", fail_details: stale });
    }
    return undefined;
  }
  const own = { ...parts, solver: relayerAccount };
  const transaction = executionCall(call);
  const estimate = await estimateTransaction(own, chain, transaction);
  if (!estimate.works) {
    if (await hasDeposit(chain, request)) return undefined;
    const diagnosis =
      (await diagnoseFill(own, chain, { transaction, orderCalls: 0 })) ??
      (await diagnoseOperation(own, chain, transaction));
    await end(parts, request, toFailure(diagnosis, "TRANSACTION_SUBMISSION_FAILED"));
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

/** Ends the request and returns the sponsor's charge, because the sponsor does not pay for an unsent call. */
async function end(parts: Recorder, request: RequestRow, set: FailureReason): Promise<void> {
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

function at({ clock }: Timed): { readonly at: Date } {
  return { at: new Date(clock.now()) };
}

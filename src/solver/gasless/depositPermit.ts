import type { Hex } from "viem";

import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { type PermitState, readPermitState } from "../../market/gasless/permitState.ts";
import { findPermit } from "../../store/permits.ts";
import { findRequest, lockRequest, transition } from "../../store/requests.ts";
import type { Database } from "../../store/store.ts";
import type { StoredPermit } from "../../store/tables/gaslessTables.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { TransactionRow } from "../../store/tables/transactionTables.ts";
import { findTransaction } from "../../store/transactions.ts";
import { hasDeposit } from "../deposits/hasDeposit.ts";
import { diagnoseFill } from "../diagnoseFill.ts";
import { estimateTransaction } from "../estimateFill.ts";
import { settleRecorded } from "../includeTransaction.ts";
import { signAndRecord } from "../signedTransaction.ts";
import type { SolverParts } from "../solverParts.ts";
import { movedDeposit, permitTransaction } from "./permitDeposit.ts";

type PermitPurpose = "permit" | "permitDeposit";

/** Interval of checks for confirmations. */
const CONFIRMATION_INTERVAL_MS = 250;

/** Interval of checks of an authorization that failed. */
const FAILED_INTERVAL_MS = 1_000;

/** Calls of the transaction that uses an authorization. */
const AUTHORIZATION_CALLS = 4;

/**
 * Deposits what a posted permit pays. Each transaction is stored signed before it is sent, so this can be called again at
 * any time; the scan of the chain finds the deposit.
 *
 * @returns milliseconds after which to call again, if it must wait for confirmations
 */
export async function depositPermit(
  parts: SolverParts,
  request: RequestRow,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { db } = parts.store;
  const row = await findPermit(db, request.id);
  const chain = row === undefined ? undefined : parts.chains.get(row.permit.chainId);
  if (row?.signature == null || chain === undefined) return undefined;
  const { permit } = row;
  const first = await include(parts, chain, request, permit, signal, {
    purpose: "permit",
    build: () => permitTransaction(parts, chain, request, permit, row.signature as Hex),
  });
  if (first === "success" || first === "ended") return undefined;
  if (first === "unconfirmed") return CONFIRMATION_INTERVAL_MS;
  // Someone else may have sent the authorization before, which pays the solver without a deposit.
  const state = await readPermitState(chain, permit, parts.solver.address);
  if (state === "moving") return CONFIRMATION_INTERVAL_MS;
  if (state !== "moved") {
    const transaction = await permitTransaction(parts, chain, request, permit, row.signature as Hex);
    await fail(parts, request, await reasonOf(parts, chain, transaction, state));
    return permit.kind === "eip3009" ? FAILED_INTERVAL_MS : undefined;
  }
  const second = await includeMoved(parts, chain, request, permit, signal);
  if (second === "unconfirmed") return CONFIRMATION_INTERVAL_MS;
  // A copy of the service's transaction makes the deposit, too.
  if (second === "success" || second === "ended" || (await hasDeposit(chain, request))) return undefined;
  await fail(parts, request, { failReason: "TRANSFER_FAILED" });
  return undefined;
}

/**
 * The chain shows an authorization that failed, so that anyone can send it until it expires, which pays the solver. The
 * amount is deposited then, and goes back because the request has ended.
 *
 * @returns milliseconds after which to call again, until the authorization has expired
 */
export async function returnLatePayment(
  parts: SolverParts,
  request: RequestRow,
  signal: AbortSignal,
): Promise<number | undefined> {
  const row = await findPermit(parts.store.db, request.id);
  const chain = row === undefined ? undefined : parts.chains.get(row.permit.chainId);
  if (row?.signature == null || row.permit.kind !== "eip3009" || chain === undefined) return undefined;
  const { permit } = row;
  const { timestamp } = await chain.client.getBlock();
  const state = await readPermitState(chain, permit, parts.solver.address);
  if (state === "moved") {
    const outcome = await includeMoved(parts, chain, request, permit, signal);
    return outcome === "unconfirmed" ? CONFIRMATION_INTERVAL_MS : undefined;
  }
  const isOver = Math.max(Number(timestamp), unixSeconds(parts.clock)) >= permit.deadline;
  return isOver && state !== "moving" ? undefined : FAILED_INTERVAL_MS;
}

function includeMoved(
  parts: SolverParts,
  chain: DevChain,
  request: RequestRow,
  permit: StoredPermit,
  signal: AbortSignal,
): Promise<Outcome> {
  return include(parts, chain, request, permit, signal, {
    purpose: "permitDeposit",
    build: () => movedDeposit(parts, chain, request, permit),
  });
}

/** `refused`: it would revert, so that it is not signed; `ended`: the request has another status by now. */
type Outcome = "success" | "failure" | "unconfirmed" | "refused" | "ended";

async function include(
  parts: SolverParts,
  chain: DevChain,
  request: RequestRow,
  permit: StoredPermit,
  signal: AbortSignal,
  { purpose, build }: { readonly purpose: PermitPurpose; readonly build: () => Promise<EvmCall> },
): Promise<Outcome> {
  const { db } = parts.store;
  let row = await findTransaction(db, request.id, purpose);
  if (row === undefined) {
    const transaction = await build();
    const estimate = await estimateTransaction(parts, chain, transaction);
    if (!estimate.works) return "refused";
    await signAndRecord(parts, {
      requestId: request.id,
      purpose,
      chain,
      transaction,
      gas: estimate.gas,
      amount: BigInt(permit.amount),
      currency: permit.token,
      move: (database) => isUnchanged(database, request),
    });
    row = await findTransaction(db, request.id, purpose);
    if (row === undefined) return "ended";
  }
  const settled = await settleRecorded(parts, chain, row, signal);
  if (settled === undefined) return "unconfirmed";
  if (settled.status === "success") return "success";
  return (await isConfirmed(chain, settled)) ? "failure" : "unconfirmed";
}

async function isUnchanged(db: Database, { id, status }: RequestRow): Promise<boolean> {
  await lockRequest(db, id);
  return (await findRequest(db, id))?.status === status;
}

/** In another block it could still succeed. */
async function isConfirmed(
  { client, depositConfirmations }: DevChain,
  { block_number }: Pick<TransactionRow, "block_number">,
): Promise<boolean> {
  if (depositConfirmations === 0 || block_number === null) return true;
  return (await client.getBlockNumber()) - BigInt(block_number) >= BigInt(depositConfirmations);
}

interface Reason {
  readonly failReason: FailReason;
  readonly details?: string;
}

async function reasonOf(
  parts: Pick<SolverParts, "solver">,
  chain: DevChain,
  transaction: EvmCall,
  state: PermitState,
): Promise<Reason> {
  const diagnosis = await diagnoseFill(parts, chain, { transaction, orderCalls: AUTHORIZATION_CALLS });
  const reason = diagnosis ?? { failReason: "TRANSACTION_REVERTED" as const };
  if (state === "balanceTooLow") return { ...reason, failReason: "GASLESS_PERMIT_BALANCE_TOO_LOW" };
  return state === "nonceUsed" ? { ...reason, failReason: "INVALID_NONCE" } : reason;
}

/** Nothing was taken from the user. */
async function fail(
  parts: Pick<SolverParts, "clock" | "log" | "store">,
  request: RequestRow,
  { failReason, details }: Reason,
): Promise<void> {
  parts.log.warn({ requestId: request.id, failReason, details }, "a permit could not be used");
  await transition(parts.store.db, {
    requestId: request.id,
    from: ["depositing"],
    to: "failure",
    at: new Date(parts.clock.now()),
    set: { fail_reason: failReason, fail_details: details ?? null },
  });
}

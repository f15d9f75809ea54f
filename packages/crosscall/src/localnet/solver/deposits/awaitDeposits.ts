import { unixSeconds } from "@crosscall/protocol/core";
import { findReceipt } from "../../devchain/readChain.ts";
import { type DepositingRequest, findAnnouncement, listDepositingRequests } from "../../store/deposits.ts";
import { debitFastFill, listHeldFastFills } from "../../store/fastFills.ts";
import { findPermit } from "../../store/permits.ts";
import { findRequest } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import { findTransaction } from "../../store/transactions.ts";
import { attemptEach } from "../attemptEach.ts";
import type { ChainReader, DepositAwaiter, Recorder } from "../solverParts.ts";
import { reasonOfTimeout } from "./reorg.ts";

/**
 * Fails requests if their deposit is not confirmed before the timeout, and debits fast fills without a deposit. Refunds
 * the deposits of a request with unpaid inputs at its deadline. If an announced deposit reverted, its request waits for
 * another deposit.
 *
 * @returns whether any request waits for its deposit
 */
export async function awaitDeposits(parts: DepositAwaiter, signal: AbortSignal): Promise<boolean> {
  const { store, clock } = parts;
  const fastFills = await listHeldFastFills(store.db);
  const isLate = ({ created_at }: { readonly created_at: Date }): boolean =>
    created_at.getTime() < clock.now() - parts.depositTimeoutMs;
  await attemptEach(parts, fastFills.filter(isLate), {
    what: "debit a fast fill",
    facts: ({ request_id }) => ({ requestId: request_id }),
    attempt: ({ request_id }) => debitFastFill(store.db, request_id),
    signal,
  });
  const requests = await listDepositingRequests(store.db, unixSeconds(clock));
  await attemptEach(parts, requests, {
    what: "check for a missing deposit",
    facts: ({ id }) => ({ requestId: id }),
    attempt: (request) => awaitDeposit(parts, request),
    signal,
  });
  return fastFills.length > 0 || requests.length > 0;
}

async function awaitDeposit(parts: DepositAwaiter, { id, inputCount, since }: DepositingRequest): Promise<void> {
  const { store, clock } = parts;
  if (inputCount > 1 && (await findTransaction(store.db, id, "deposit")) !== undefined) return awaitOthers(parts, id);
  // Skips requests with a signed permit. The solver itself ends these requests, because it may already have the amount.
  if ((await findPermit(store.db, id))?.signature != null) return;
  const at = new Date(clock.now());
  if (at.getTime() - since.getTime() > parts.depositTimeoutMs) {
    const fail_reason = await reasonOfTimeout(store.db, id);
    await transition(store.db, { requestId: id, from: ["depositing"], to: "failure", at, set: { fail_reason } });
  } else if (await hasReverted(parts, id)) {
    const reason = "DEPOSIT_REVERTED";
    await transition(store.db, { requestId: id, from: ["depositing"], to: "waiting", at, reason });
  }
}

/** Refunds the deposits of a request at its deadline, if other inputs are still unpaid. */
async function awaitOthers({ store, clock }: DepositAwaiter, requestId: string): Promise<void> {
  const request = await findRequest(store.db, requestId);
  if (request === undefined) return;
  const now = unixSeconds(clock);
  const { expiresAt = Infinity } = request.terms;
  if (now <= Math.min(request.order_data.output.deadline, expiresAt)) return;
  const set = { fail_reason: now > expiresAt ? ("TTL_EXPIRED" as const) : ("ORDER_EXPIRED" as const) };
  await store.db.transaction().execute(async (db) => {
    const change = { requestId, from: ["depositing"], to: "pending", at: new Date(clock.now()), set } as const;
    if (await transition(db, change)) await store.jobs.add({ requestId }, db);
  });
}

async function hasReverted(parts: ChainReader & Recorder, requestId: string): Promise<boolean> {
  const announcement = await findAnnouncement(parts.store.db, requestId);
  const chain = announcement === undefined ? undefined : parts.chains.get(announcement.chain_id);
  if (announcement === undefined || chain === undefined) return false;
  return (await findReceipt(chain, announcement.tx_hash))?.status === "reverted";
}

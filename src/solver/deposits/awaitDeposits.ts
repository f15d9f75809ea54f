import { findReceipt } from "../../devchain/readChain.ts";
import { type DepositingRequest, findAnnouncement, listDepositingRequests } from "../../store/announcements.ts";
import { debitFastFill, listLateFastFills } from "../../store/fastFills.ts";
import { findPermit } from "../../store/permits.ts";
import { transition } from "../../store/requests.ts";
import { attemptEach } from "../attemptEach.ts";
import type { SolverParts } from "../solverParts.ts";
import { reasonOfTimeout } from "./reorg.ts";

/**
 * Fails requests whose deposit is not confirmed in time, lets those whose announced deposit reverted wait for another, and
 * debits fast fills without a deposit.
 */
export async function awaitDeposits(
  parts: Pick<SolverParts, "chains" | "clock" | "depositTimeoutMs" | "log" | "store">,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = parts;
  await attemptEach(parts, await listLateFastFills(store.db, new Date(clock.now() - parts.depositTimeoutMs)), {
    what: "debit a fast fill",
    facts: (requestId) => ({ requestId }),
    attempt: (requestId) => debitFastFill(store.db, requestId),
    signal,
  });
  await attemptEach(parts, await listDepositingRequests(store.db), {
    what: "check for a missing deposit",
    facts: ({ id }) => ({ requestId: id }),
    attempt: (request) => awaitDeposit(parts, request),
    signal,
  });
}

async function awaitDeposit(
  parts: Pick<SolverParts, "chains" | "clock" | "depositTimeoutMs" | "store">,
  { id, since }: DepositingRequest,
): Promise<void> {
  const { store, clock } = parts;
  // The solver ends these itself, and may have the amount already.
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

async function hasReverted(parts: Pick<SolverParts, "chains" | "store">, requestId: string): Promise<boolean> {
  const announcement = await findAnnouncement(parts.store.db, requestId);
  const chain = announcement === undefined ? undefined : parts.chains.get(announcement.chain_id);
  if (announcement === undefined || chain === undefined) return false;
  return (await findReceipt(chain, announcement.tx_hash))?.status === "reverted";
}

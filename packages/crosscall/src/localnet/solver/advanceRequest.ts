import { InvalidStateError, throwIfAborted } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import { findSimulatedChain } from "../market/simulatedChains.ts";
import type { FillFault } from "../scenarios/fillFault.ts";
import { failQueuedFastFill, findFastFill, isFilledFirst } from "../store/fastFills.ts";
import { holdFill } from "../store/fillHolds.ts";
import { findRequest } from "../store/requests.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";
import type { TransactionPurpose, TransactionRow } from "../store/tables/transactionTables.ts";
import { findTransaction } from "../store/transactions.ts";
import { recoverDeposit } from "./depositAddresses/recoverDeposit.ts";
import { sweepPayment } from "./depositAddresses/sweepPayment.ts";
import { prepareFastFill } from "./fastFill.ts";
import { depositPermit } from "./gasless/depositPermit.ts";
import { refundFailedPermit } from "./gasless/takeMove.ts";
import { runExecution } from "./gasless/runExecution.ts";
import { prepareFill, recordFailure } from "./fill.ts";
import { settleIfIncluded } from "./followTransactions.ts";
import { payClaim } from "./payClaim.ts";
import { prepareRefund } from "./refund.ts";
import { excessOf, refundExcess } from "./refundExcess.ts";
import { sendBytes } from "./signedTransaction.ts";
import { simulateFill, simulateRefund } from "./simulated/simulatedTransactions.ts";
import type { SolverParts } from "./solverParts.ts";

/** Interval for requests that a scenario holds back. */
const HELD_INTERVAL_MS = 250;

/**
 * Takes a request forward: makes the deposit that its user signed, and signs and sends the fill or the refund. Safe to
 * call any number of times, concurrently or after a crash: each step starts from the stored state and is stored once.
 *
 * @returns milliseconds after which to call again, if the request must wait
 */
export async function advanceRequest(
  parts: SolverParts,
  requestId: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (;;) {
    throwIfAborted(signal, `advancing request ${requestId}`);
    const request = await findRequest(parts.store.db, requestId);
    switch (request?.status) {
      case "pending": {
        if (request.fail_reason !== null) {
          const deposit = await requireTransaction(parts, request, "deposit");
          const simulated = findSimulatedChain(deposit.chain_id);
          if (simulated !== undefined) {
            await simulateRefund(parts, simulated, request, deposit);
            break;
          }
          const chain = requireChain(parts, deposit.chain_id);
          const signed = await prepareRefund(parts, chain, request, deposit, await parts.faults.forRequest(request));
          if (signed !== undefined && !(await sendOnce(parts, chain, signed))) return undefined;
          break;
        }
        const fill = await findFillState(parts, request);
        if (fill === undefined) return undefined;
        const { fault } = fill;
        const deposit = requireStored(fill.deposit, request, "deposit");
        const waitMs = holdBack(parts, deposit, fault);
        if (waitMs !== undefined) return waitMs;
        const simulated = findSimulatedChain(request.destination_chain_id);
        if (fault.failReason !== undefined) {
          await recordFailure(parts, request, fault.failReason);
        } else if (simulated !== undefined) {
          await simulateFill(parts, simulated, request, deposit, fault);
        } else {
          const chain = requireChain(parts, request.destination_chain_id);
          const signed = await prepareFill(parts, chain, request, deposit, fault);
          if (signed === undefined) break;
          // A fill that failed, or that has a follow-up, has a job of its own by now; a late deposit comes only after
          // a fast fill.
          await sendOnce(parts, chain, signed, { ...request, status: "submitted" });
          return undefined;
        }
        break;
      }
      case "submitted": {
        const fill = await requireTransaction(parts, request, "fill");
        if (!(await sendOnce(parts, requireChain(parts, fill.chain_id), fill))) return makeLateDeposit(parts, request);
        break;
      }
      case "depositing":
      case "waiting": {
        const fastFill = await findFastFill(parts.store.db, request.id);
        if (fastFill?.state === "queued") {
          const { fault } = (await findFillState(parts, request)) ?? {};
          if (fault === undefined) return undefined;
          if (fault.isHeld === true) return HELD_INTERVAL_MS;
          await prepareFastFill(parts, requireChain(parts, request.destination_chain_id), request, fastFill, fault);
          break;
        }
        if (request.status === "waiting") return makeDeposit(parts, request);
        return (await sweepPayment(parts, request)) ?? depositPermit(parts, request);
      }
      case "success": {
        const deposit = await findTransaction(parts.store.db, request.id, "deposit");
        if (deposit?.status === "success" && excessOf(request, deposit) > 0n) {
          await refundExcess(parts, requireChain(parts, deposit.chain_id), request, deposit);
        }
        return makeLateDeposit(parts, request);
      }
      case "failure": {
        await failQueuedFastFill(parts.store.db, request.id);
        const deposit = await findTransaction(parts.store.db, request.id, "deposit");
        const chain = deposit === undefined ? undefined : parts.chains.get(deposit.chain_id);
        if (deposit !== undefined && chain !== undefined) await recoverDeposit(parts, chain, request, deposit);
        return refundFailedPermit(parts, request);
      }
      case "refund":
        return undefined;
      case undefined:
        await payClaim(parts, requestId);
        return undefined;
    }
  }
}

/** Makes the deposit that the user has signed. */
async function makeDeposit(parts: SolverParts, request: RequestRow): Promise<number | undefined> {
  return (await depositPermit(parts, request)) ?? runExecution(parts, request);
}

/** The deposit that the user has signed is made after a fast fill, too. */
async function makeLateDeposit(parts: SolverParts, request: RequestRow): Promise<number | undefined> {
  return (await isFilledFirst(parts.store.db, request.id)) ? makeDeposit(parts, request) : undefined;
}

/** A transaction that is not included at once is left to `followTransactions`, so no worker waits. */
async function sendOnce(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
  request?: RequestRow,
): Promise<boolean> {
  if (row.signed === null) {
    throw new InvalidStateError({
      message: `transaction ${row.hash} was stored without its signed bytes`,
      hint: "The database was modified: restore it.",
    });
  }
  if (row.status !== "pending") return true;
  await sendBytes(chain, row.signed);
  return (await settleIfIncluded(parts, chain, row, [], request)) === "settled";
}

/** Undefined while an operator holds the fill; the release continues the request. */
async function findFillState(
  { clock, faults, store }: Pick<SolverParts, "clock" | "faults" | "store">,
  request: RequestRow,
): Promise<{ readonly fault: FillFault; readonly deposit: TransactionRow | undefined } | undefined> {
  const state = await holdFill(store.db, request.id, new Date(clock.now()));
  if (state.isHeld) return undefined;
  const fault = { ...(await faults.forRequest(request, state)), heldSeconds: state.heldSeconds };
  return { fault, deposit: state.deposit };
}

function holdBack(parts: Pick<SolverParts, "clock">, deposit: TransactionRow, fault: FillFault): number | undefined {
  if (fault.isHeld === true) return HELD_INTERVAL_MS;
  if (fault.delayMs === undefined) return undefined;
  const remainingMs = deposit.created_at.getTime() + fault.delayMs - parts.clock.now();
  return remainingMs > 0 ? remainingMs : undefined;
}

function requireChain(parts: Pick<SolverParts, "chains">, chainId: number): DevChain {
  const chain = parts.chains.get(chainId);
  if (chain !== undefined) return chain;
  throw new InvalidStateError({
    message: `chain ${chainId} is not part of this network`,
    hint: "Start the network with the chains of its database.",
  });
}

async function requireTransaction(
  parts: Pick<SolverParts, "store">,
  request: RequestRow,
  purpose: TransactionPurpose,
): Promise<TransactionRow> {
  return requireStored(await findTransaction(parts.store.db, request.id, purpose), request, purpose);
}

function requireStored(
  row: TransactionRow | undefined,
  request: RequestRow,
  purpose: TransactionPurpose,
): TransactionRow {
  if (row !== undefined) return row;
  throw new InvalidStateError({
    message: `request ${request.id} is ${request.status}, but its ${purpose} is not stored`,
    hint: "The database was modified: restore it.",
  });
}

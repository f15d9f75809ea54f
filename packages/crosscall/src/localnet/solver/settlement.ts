import { InvalidStateError } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import { findSimulatedChain } from "../market/simulatedChains.ts";
import type { FillFault } from "../scenarios/requestFaults.ts";
import { failQueuedFastFill, findFastFill, isFilledFirst } from "../store/fastFills.ts";
import { holdFill } from "../store/fillHolds.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import {
  findTransaction,
  listInputTransactions,
  type TransactionPurpose,
  type TransactionRow,
} from "../store/transactions.ts";
import { prepareFastFill } from "./fastFill.ts";
import { prepareFill, recordFailure } from "./fill.ts";
import { settleIfIncluded } from "./followTransactions.ts";
import { hasSeveralInputs, sumDeposits } from "./inputs.ts";
import { prepareRefund } from "./refund.ts";
import { refundInputs } from "./refundInputs.ts";
import { requireSigned, sendBytes } from "./signedTransaction.ts";
import { simulateFill, simulateRefund } from "./simulated.ts";
import type { ChainReader, FaultReader, Pricer, Recorder, SolverParts, Timed } from "./solverParts.ts";

/** Interval between checks of requests that a scenario holds. */
const HELD_INTERVAL_MS = 250;

/**
 * Result of a step: `again` if the next step can run now; a number of milliseconds after which to call again; or
 * undefined if a job or a watch continues.
 */
export type Progress = "again" | number | undefined;

/**
 * The settlement of one kind of request. A step starts from the stored state and is stored once, so it can run any
 * number of times, concurrently or after a crash.
 */
export interface Settlement {
  /** Runs the next step. */
  advance(): Promise<Progress>;
}

/** Steps that differ between kinds of requests. By default, the user makes the deposit, and no steps follow. */
export interface RequestSteps {
  /** Makes the deposit that the user authorized. */
  readonly deposit?: () => Promise<number | undefined>;
  readonly afterFill?: () => Promise<void>;
  readonly afterFailure?: () => Promise<number | undefined>;
}

/** Settles a request according to its status. All deposits of a request lead to one fill, or each to one refund. */
export function requestSettlement(parts: SolverParts, request: RequestRow, steps: RequestSteps = {}): Settlement {
  const { db } = parts.store;
  /** The authorized deposit is also made after a fast fill. */
  const makeLateDeposit = async (): Promise<number | undefined> =>
    steps.deposit !== undefined && (await isFilledFirst(db, request.id)) ? steps.deposit() : undefined;
  return {
    async advance() {
      switch (request.status) {
        case "waiting":
        case "depositing": {
          const fastFill = await findFastFill(db, request.id);
          if (fastFill?.state !== "queued") return steps.deposit?.();
          const { fault } = (await findFillState(parts, request)) ?? {};
          if (fault === undefined) return undefined;
          if (fault.isHeld === true) return HELD_INTERVAL_MS;
          await prepareFastFill(parts, requireChain(parts, request.destination_chain_id), request, fastFill, fault);
          return "again";
        }
        case "pending":
          return request.fail_reason === null ? fill(parts, request) : refund(parts, request);
        case "submitted": {
          const signed = await requireTransaction(parts, request, "fill");
          const isSettled = await sendOnce(parts, requireChain(parts, signed.chain_id), signed);
          return isSettled ? "again" : makeLateDeposit();
        }
        case "success":
          await steps.afterFill?.();
          return makeLateDeposit();
        case "failure":
          await failQueuedFastFill(db, request.id);
          return steps.afterFailure?.();
        case "refund":
          return undefined;
      }
    },
  };
}

async function fill(parts: SolverParts, request: RequestRow): Promise<Progress> {
  const state = await findFillState(parts, request);
  if (state === undefined) return undefined;
  const { fault } = state;
  const first = requireStored(state.deposit, request, "deposit");
  const deposit = hasSeveralInputs(request) ? await requireSum(parts, request) : first;
  const waitMs = holdBack(parts, deposit, fault);
  if (waitMs !== undefined) return waitMs;
  if (fault.failReason !== undefined) {
    await recordFailure(parts, request, fault.failReason);
    return "again";
  }
  const simulated = findSimulatedChain(request.destination_chain_id);
  if (simulated !== undefined) {
    await simulateFill(parts, simulated, request, deposit, fault);
    return "again";
  }
  const chain = requireChain(parts, request.destination_chain_id);
  const signed = await prepareFill(parts, chain, request, deposit, fault);
  if (signed === undefined) return "again";
  // A separate job handles failed fills and follow-ups. A late deposit can only follow a fast fill.
  await sendOnce(parts, chain, signed, { ...request, status: "submitted" });
  return undefined;
}

async function requireSum(parts: Recorder & Pricer, request: RequestRow): Promise<TransactionRow> {
  const deposits = await listInputTransactions(parts.store.db, request.id, "deposit");
  return requireStored(sumDeposits(parts, request, deposits), request, "deposit");
}

async function refund(parts: SolverParts, request: RequestRow): Promise<Progress> {
  if (hasSeveralInputs(request)) {
    return refundInputs(
      parts,
      request,
      (chainId) => requireChain(parts, chainId),
      (chain, row) => sendOnce(parts, chain, row),
    );
  }
  const deposit = await requireTransaction(parts, request, "deposit");
  const simulated = findSimulatedChain(deposit.chain_id);
  if (simulated !== undefined) {
    await simulateRefund(parts, simulated, request, deposit);
    return "again";
  }
  const chain = requireChain(parts, deposit.chain_id);
  const signed = await prepareRefund(parts, chain, request, deposit, await parts.faults.forRequest(request));
  return signed === undefined || (await sendOnce(parts, chain, signed)) ? "again" : undefined;
}

/**
 * Sends a transaction once. `followTransactions` handles a transaction that is not included immediately, so no worker
 * waits.
 */
async function sendOnce(
  parts: SolverParts,
  chain: DevChain,
  row: TransactionRow,
  request?: RequestRow,
): Promise<boolean> {
  const signed = requireSigned(row);
  if (row.status !== "pending") return true;
  await sendBytes(chain, signed);
  return (await settleIfIncluded(parts, chain, row, [], request)) === "settled";
}

/** Finds the state of the fill. Returns undefined while an operator holds the fill. The release resumes the request. */
async function findFillState(
  { clock, faults, store }: Recorder & FaultReader,
  request: RequestRow,
): Promise<{ readonly fault: FillFault; readonly deposit: TransactionRow | undefined } | undefined> {
  const state = await holdFill(store.db, request.id, new Date(clock.now()));
  if (state.isHeld) return undefined;
  const fault = { ...(await faults.forRequest(request, state)), heldSeconds: state.heldSeconds };
  return { fault, deposit: state.deposit };
}

function holdBack(parts: Timed, deposit: TransactionRow, fault: FillFault): number | undefined {
  if (fault.isHeld === true) return HELD_INTERVAL_MS;
  if (fault.delayMs === undefined) return undefined;
  const remainingMs = deposit.created_at.getTime() + fault.delayMs - parts.clock.now();
  return remainingMs > 0 ? remainingMs : undefined;
}

export function requireChain(parts: ChainReader, chainId: number): DevChain {
  const chain = parts.chains.get(chainId);
  if (chain !== undefined) return chain;
  throw new InvalidStateError({
    message: `chain ${chainId} is not part of this network`,
    hint: "Start the network with the chains of its database.",
  });
}

async function requireTransaction(
  parts: Recorder,
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
    hint: "The database was modified. Restore it.",
  });
}

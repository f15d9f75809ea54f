import type { Address, Hex } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { isConfirmed } from "../../devchain/readChain.ts";
import { type PermitState, readPermitState } from "../../market/gasless/permitState.ts";
import { isFilledFirst } from "../../store/fastFills.ts";
import { findPermit, type StoredPermit } from "../../store/permits.ts";
import { findRequest, lockRequest, type RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import type { Database } from "../../store/schema.ts";
import { findTransaction } from "../../store/transactions.ts";
import { hasDeposit } from "../deposits/readDeposits.ts";
import { diagnoseFill } from "../diagnoseFill.ts";
import { estimateTransaction } from "../estimateFill.ts";
import { endSameChain } from "../sameChain.ts";
import { INCLUSION_INTERVAL_MS, settleRecorded } from "../includeTransaction.ts";
import { signAndRecord, type SignParameters } from "../signedTransaction.ts";
import type { Observer, Payer, SolverParts } from "../solverParts.ts";
import { canSponsor, settleSponsorship, takeSponsorship } from "../sponsorship.ts";
import { movedDeposit, permitTransaction } from "./permitDeposit.ts";
import { takeMove } from "./takeMove.ts";

interface PermitUse {
  readonly purpose: "permit" | "permitDeposit";
  readonly build: () => Promise<EvmCall>;
  /** See {@link SignParameters.move}. */
  readonly move: NonNullable<SignParameters["move"]>;
}

/** Number of calls of the transaction that uses an authorization. */
const AUTHORIZATION_CALLS = 4;

/**
 * Deposits the amount of a posted permit. Each signed transaction is stored before it is sent, so this can be called
 * again at any time. The scan of the chain finds the deposit.
 *
 * @returns milliseconds after which to call again, if it must wait for a block
 */
export async function depositPermit(parts: SolverParts, request: RequestRow): Promise<number | undefined> {
  const posted = await findPosted(parts, request);
  if (posted === undefined) return undefined;
  const { chain, permit, use } = posted;
  const first = await include(parts, chain, request, permit, use);
  if (first === "success" || first === "ended") return undefined;
  if (first === "unconfirmed") return INCLUSION_INTERVAL_MS;
  // Checks for a payment first, because another account may have sent the authorization, which pays the solver without
  // a deposit.
  const state = await readPermitState(chain, permit, parts.solver.address);
  if (state === "moving") return INCLUSION_INTERVAL_MS;
  if (state !== "moved") {
    await fail(parts, request, await reasonOf(parts, chain, await use.build(), state));
    return INCLUSION_INTERVAL_MS;
  }
  const second = await include(parts, chain, request, permit, {
    ...use,
    purpose: "permitDeposit",
    build: () => movedDeposit(parts, chain, request, permit),
  });
  if (second === "unconfirmed") return INCLUSION_INTERVAL_MS;
  // A copy of the service's transaction by another account also makes the deposit.
  if (second === "success" || second === "ended" || (await hasDeposit(chain, request))) return undefined;
  return takeMove(parts, chain, request, permit);
}

/**
 * Executes a same-chain request with its permit at the sponsor's cost. Either all calls succeed, or nothing is taken
 * from the user.
 *
 * @returns milliseconds after which to call again, if it must wait for a block
 */
export async function executePermit(parts: SolverParts, request: RequestRow): Promise<number | undefined> {
  const { db } = parts.store;
  const posted = await findPosted(parts, request);
  if (posted === undefined) return undefined;
  const { chain, permit, use } = posted;
  const isSigned = (await findTransaction(db, request.id, use.purpose)) !== undefined;
  if (!isSigned && !(await canSponsor(db, request))) {
    await fail(parts, request, { failReason: "SPONSOR_BALANCE_TOO_LOW" });
    return undefined;
  }
  const outcome = await include(parts, chain, request, permit, {
    ...use,
    move: async (database) => (await use.move(database)) && takeSponsorship(database, request),
  });
  switch (outcome) {
    case "unconfirmed":
      return INCLUSION_INTERVAL_MS;
    case "ended":
      return undefined;
    case "refused": {
      const state = await readPermitState(chain, permit, parts.solver.address);
      await fail(parts, request, await reasonOf(parts, chain, await use.build(), state));
      return undefined;
    }
    case "success":
    case "failure": {
      const row = await findTransaction(db, request.id, use.purpose);
      if (row === undefined) return undefined;
      const hash = row.hash as Hex;
      const { input } = await chain.client.getTransaction({ hash });
      if (outcome === "failure") {
        await db.transaction().execute((transaction) => settleSponsorship(transaction, request, undefined));
      }
      await endSameChain(parts, chain, request, { hash, input, from: request.user as Address });
      return undefined;
    }
  }
}

interface PostedPermit {
  readonly chain: DevChain;
  readonly permit: StoredPermit;
  readonly use: PermitUse;
}

/** Finds the posted permit of a request. Returns undefined if no permit can be used. */
async function findPosted(parts: SolverParts, request: RequestRow): Promise<PostedPermit | undefined> {
  const { db } = parts.store;
  const row = await findPermit(db, request.id);
  const chain = row === undefined ? undefined : parts.chains.get(row.permit.chainId);
  if (row?.signature == null || chain === undefined) return undefined;
  const { permit } = row;
  if (request.fail_reason !== null && (await findTransaction(db, request.id, "permit")) === undefined) {
    // The request was filled before its deposit, but the fill failed.
    await fail(parts, request, { failReason: request.fail_reason, ...detailsOf(request) });
    return undefined;
  }
  const use: PermitUse = {
    purpose: "permit",
    build: () => permitTransaction(parts, chain, request, permit, row.signature as Hex),
    move: (database) => isAwaited(database, request),
  };
  return { chain, permit, use };
}

/**
 * Result of signing. `refused`: the transaction would revert, so it is not signed; `ended`: the request no longer waits
 * for a deposit.
 */
type Outcome = "success" | "failure" | "unconfirmed" | "refused" | "ended";

async function include(
  parts: SolverParts,
  chain: DevChain,
  request: RequestRow,
  permit: StoredPermit,
  { purpose, build, move }: PermitUse,
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
      move,
    });
    row = await findTransaction(db, request.id, purpose);
    if (row === undefined) return "ended";
  }
  const settled = await settleRecorded(parts, chain, row);
  if (settled === undefined) return "unconfirmed";
  if (settled.status === "success") return "success";
  // After a reorg, the transaction could still succeed in another block.
  return (await isConfirmed(chain, settled.block_number ?? 0)) ? "failure" : "unconfirmed";
}

async function isAwaited(db: Database, request: RequestRow): Promise<boolean> {
  await lockRequest(db, request.id);
  const status = (await findRequest(db, request.id))?.status;
  return status === "waiting" || status === "depositing" || isFilledFirst(db, request.id);
}

interface Reason {
  readonly failReason: FailReason;
  readonly details?: string;
}

async function reasonOf(parts: Payer, chain: DevChain, transaction: EvmCall, state: PermitState): Promise<Reason> {
  const diagnosis = await diagnoseFill(parts, chain, { transaction, orderCalls: AUTHORIZATION_CALLS });
  const reason = diagnosis ?? { failReason: "TRANSACTION_REVERTED" as const };
  if (state === "balanceTooLow") return { ...reason, failReason: "GASLESS_PERMIT_BALANCE_TOO_LOW" };
  return state === "nonceUsed" ? { ...reason, failReason: "INVALID_NONCE" } : reason;
}

function detailsOf({ fail_details }: RequestRow): Pick<Reason, "details"> {
  return fail_details === null ? {} : { details: fail_details };
}

/** Ends a request without taking an amount from the user. A request that was filled before its deposit stays filled. */
async function fail(parts: Observer, request: RequestRow, { failReason, details }: Reason): Promise<void> {
  parts.log.warn({ requestId: request.id, failReason, details }, "a permit could not be used");
  await transition(parts.store.db, {
    requestId: request.id,
    from: ["waiting", "depositing"],
    to: "failure",
    at: new Date(parts.clock.now()),
    set: { fail_reason: failReason, fail_details: details ?? null },
  });
}

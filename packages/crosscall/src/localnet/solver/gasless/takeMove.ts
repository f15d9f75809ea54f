import type { DevChain } from "../../devchain/devChain.ts";
import { chainTime } from "../../devchain/readChain.ts";
import { findMove, readPermitState } from "../../market/gasless/permitState.ts";
import { isFilledFirst, releaseFastFill } from "../../store/fastFills.ts";
import { findPermit, type StoredPermit } from "../../store/permits.ts";
import { lockRequest, noteDepositBlock, type RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import { findTransaction, insertTransaction } from "../../store/transactions.ts";
import { hasDeposit } from "../deposits/readDeposits.ts";
import { INCLUSION_INTERVAL_MS } from "../includeTransaction.ts";
import { readInclusion } from "../settleTransaction.ts";
import type { Signer, SolverParts } from "../solverParts.ts";

/** Interval between checks of a failed permit. */
const FAILED_INTERVAL_MS = 1_000;

/** Maximum delay of a block relative to the service's clock. */
const BLOCK_DELAY_SECONDS = 60;

/**
 * Handles a payment to the solver from another account that used a permit's authorization. The payment counts as the
 * deposit, because it cannot be deposited, and is refunded or pays for a fast fill.
 *
 * @returns milliseconds after which to call again, if a reorg removed the payment
 */
export async function takeMove(
  parts: Signer,
  chain: DevChain,
  request: RequestRow,
  permit: StoredPermit,
): Promise<number | undefined> {
  const receipt = await findMove(chain, permit, parts.solver.address);
  if (receipt === undefined) return INCLUSION_INTERVAL_MS;
  const inclusion = await readInclusion(chain, receipt);
  const at = new Date(parts.clock.now());
  const deposit_block = inclusion.block_number;
  await parts.store.db.transaction().execute(async (db) => {
    await lockRequest(db, request.id);
    if ((await findTransaction(db, request.id, "deposit")) !== undefined) return;
    if (await isFilledFirst(db, request.id)) {
      await releaseFastFill(db, request.id, BigInt(permit.amount));
      await noteDepositBlock(db, request.id, { deposit_block });
    } else {
      const isReturned = await transition(db, {
        requestId: request.id,
        from: ["waiting", "depositing", "failure"],
        to: "pending",
        at,
        reason: "PERMIT_USED_BY_OTHERS",
        set: { deposit_block, fail_reason: request.fail_reason ?? "TRANSFER_FAILED" },
      });
      if (!isReturned) return;
    }
    await insertTransaction(db, {
      ...inclusion,
      request_id: request.id,
      purpose: "deposit",
      chain_id: chain.id,
      hash: receipt.transactionHash,
      sender: permit.owner,
      nonce: null,
      signed: null,
      amount: permit.amount,
      currency: permit.token,
      created_at: at,
    });
    await parts.store.jobs.add({ requestId: request.id }, db);
  });
  return undefined;
}

/**
 * Refunds payments with the authorization of a failed permit until it expires, because other accounts may know the
 * authorization.
 *
 * @returns milliseconds after which to call again, until the authorization expires
 */
export async function refundFailedPermit(parts: SolverParts, request: RequestRow): Promise<number | undefined> {
  const { db } = parts.store;
  const row = await findPermit(db, request.id);
  const chain = row === undefined ? undefined : parts.chains.get(row.permit.chainId);
  if (row?.signature == null || row.permit.kind !== "eip3009" || chain === undefined) return undefined;
  if ((await findTransaction(db, request.id, "deposit")) !== undefined) return undefined;
  const state = await readPermitState(chain, row.permit, parts.solver.address);
  if (state === "moved") {
    // Leaves a deposit by a copy of the service's transaction to the scan.
    return (await hasDeposit(chain, request)) ? undefined : takeMove(parts, chain, request, row.permit);
  }
  // A canceled authorization stays unusable.
  if (state === "nonceUsed") return undefined;
  const isOpen = (await chainTime(chain)) <= row.permit.deadline + BLOCK_DELAY_SECONDS;
  return isOpen || state === "moving" ? FAILED_INTERVAL_MS : undefined;
}

import { isSameAddress } from "@crosscall/protocol/chains";
import { unixSeconds } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import { fillValue } from "../market/currencies.ts";
import type { FillFault } from "../scenarios/requestFaults.ts";
import type { DepositRow } from "../store/deposits.ts";
import {
  failQueuedFastFill,
  type FastFillRow,
  holdFastFill,
  isFilledFirst,
  releaseFastFill,
} from "../store/fastFills.ts";
import { noteDepositBlock, owedDeposit, type RequestRow } from "../store/requests/requests.ts";
import { transition } from "../store/requests/transitions.ts";
import type { Database } from "../store/schema.ts";
import { findTransaction } from "../store/transactions.ts";
import { attemptFill } from "./fill.ts";
import type { Filler } from "./solverParts.ts";

/**
 * Fills a request before its deposit is confirmed. The integrator takes the risk, so the fill's value is held from the
 * integrator's balance. A request that cannot be filled continues to wait for its deposit.
 */
export async function prepareFastFill(
  parts: Filler,
  chain: DevChain,
  request: RequestRow,
  fastFill: FastFillRow,
  fault: FillFault,
): Promise<void> {
  const { db } = parts.store;
  const { heldSeconds = 0 } = fault;
  const now = unixSeconds(parts.clock) - heldSeconds;
  const endsAt = Math.min(request.order_data.output.deadline, request.terms.expiresAt ?? Infinity);
  if (fault.failReason === undefined && now <= endsAt) {
    await attemptFill(parts, chain, request, fault, {
      depositedInput: BigInt(fastFill.input_amount),
      paidForSeconds: endsAt - now,
      isLate: false,
      fail: (failReason, facts) => {
        parts.log.warn({ requestId: request.id, failReason, details: facts?.details }, "a fast fill is not possible");
        return Promise.resolve();
      },
      move: async (database, { payment }) => {
        const value = fillValue(parts.currencies, request, payment);
        const max = fastFill.max_fill_usd_e18;
        if (max !== null && value > BigInt(max)) return false;
        const isMoved = await transition(database, {
          requestId: request.id,
          from: ["waiting", "depositing"],
          hasFailReason: false,
          to: "submitted",
          at: new Date(parts.clock.now()),
          reason: "FAST_FILL",
        });
        return isMoved && holdFastFill(database, request.id, value);
      },
    });
  }
  // Fails the fast fill. This has an effect only if no fill was signed.
  await failQueuedFastFill(db, request.id);
}

/**
 * Takes the deposit for a request that is already filled. If the deposit is too small, debits the shortfall.
 *
 * @returns whether the request takes the deposit
 */
export async function payFastFill(db: Database, request: RequestRow, deposit: DepositRow): Promise<boolean> {
  if (!(await isFilledFirst(db, request.id))) return false;
  const isInput =
    deposit.chain_id === request.origin_chain_id && isSameAddress(deposit.currency, owedDeposit(request).currency);
  if (!isInput) return false;
  await releaseFastFill(db, request.id, BigInt(deposit.amount));
  const fill = await findTransaction(db, request.id, "fill");
  await noteDepositBlock(db, request.id, {
    deposit_block: deposit.block_number,
    // If the fill precedes the deposit, the fill time is zero.
    ...(fill?.block_timestamp == null
      ? {}
      : { fill_time_seconds: Math.max(fill.block_timestamp - deposit.block_timestamp, 0) }),
  });
  return true;
}

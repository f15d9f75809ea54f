import { mulDiv } from "@crosscall/protocol/encoding";
import { MICRO_USD_E18 } from "@crosscall/protocol/quote/rules";
import { fillValue } from "../../market/currencies.ts";
import { rejectPlain } from "../../market/rejection.ts";
import { isReturn, isUserExecuted } from "../../market/requestKind.ts";
import { findSimulatedChain } from "../../market/simulatedChains.ts";
import { findFastFill, findFreeBalance, insertFastFill } from "../../store/fastFills.ts";
import { findRequest, lockRequest, owedDeposit, type RequestRow } from "../../store/requests/requests.ts";
import type { Database } from "../../store/schema.ts";
import { findTransaction } from "../../store/transactions.ts";
import type { Caller } from "../keys/keyRing.ts";
import type { Pricer, Recorder } from "../../market/market.ts";

export interface FastFillOrder {
  readonly requestId: string;
  /** Smallest unit. */
  readonly solverInputCurrencyAmount?: string;
  readonly maxFillAmountUsd?: number;
}

/**
 * Queues a fill at the caller's risk. Does nothing if the request already has a fast fill.
 *
 * @throws {@link RejectionError} with the live service's error text if it is known
 */
export async function queueFastFill(
  parts: Pricer & Recorder,
  { requestId, solverInputCurrencyAmount, maxFillAmountUsd }: FastFillOrder,
  caller: Caller | undefined,
): Promise<void> {
  const { db } = parts.store;
  if (caller === undefined) throw rejectPlain(401, "Unauthorized: Check API Key");
  const free = await findFreeBalance(db, caller.keyHash);
  if (free === undefined) throw rejectBalance();
  const request = await findRequest(db, requestId);
  if (request === undefined) throw rejectPlain(404, "Request not found");
  const former = await findFastFill(db, request.id);
  if (former?.state === "held" || former?.state === "released" || former?.state === "debited") return;
  requireFillable(request);
  if (former?.state === "queued" || !(await isUnfilled(db, request.id))) throw rejectProcessed();

  const quoted = owedDeposit(request).amount;
  const inputAmount = BigInt(solverInputCurrencyAmount ?? quoted);
  if (inputAmount < quoted) {
    throw rejectPlain(400, `solverInputCurrencyAmount must be at least the quoted input of ${quoted}.`);
  }
  const amount = mulDiv(BigInt(request.expected_output_amount), inputAmount, quoted);
  const value = fillValue(parts.currencies, request, { currency: request.destination_currency, amount });
  const max = maxFillAmountUsd === undefined ? null : BigInt(Math.floor(maxFillAmountUsd * 1e6)) * MICRO_USD_E18;
  if (max !== null && max > free) throw rejectPlain(400, "maxFillAmountUsd exceeds the available balance.");
  if (max !== null && value > max) throw rejectPlain(400, "The fill is worth more than maxFillAmountUsd.");
  if (value > free) throw rejectBalance();
  await parts.store.db.transaction().execute(async (transaction) => {
    // A concurrent deposit either waits for this lock and then ends the fast fill, or is already visible.
    await lockRequest(transaction, request.id);
    if (!(await isUnfilled(transaction, request.id))) throw rejectProcessed();
    const isNew = await insertFastFill(transaction, {
      requestId: request.id,
      apiKeyHash: caller.keyHash,
      inputAmount,
      maxFillUsdE18: max,
      at: new Date(parts.clock.now()),
    });
    if (!isNew) throw rejectProcessed();
    await parts.store.jobs.add({ requestId: request.id }, transaction);
  });
}

/** Requires a cross-chain request between chains that run here, with an ordinary deposit. */
function requireFillable(request: RequestRow): void {
  const isSimulated = [request.origin_chain_id, request.destination_chain_id].some(
    (chainId) => findSimulatedChain(chainId) !== undefined,
  );
  const isPaidOnce = request.deposit_address === null && request.input_count === 1;
  const isOrdinary = !isUserExecuted(request) && !isReturn(request) && isPaidOnce;
  if (isOrdinary && !isSimulated) return;
  throw rejectPlain(
    400,
    "Only cross-chain requests between chains of this network, with one origin and without a deposit address, can be fast-filled.",
  );
}

async function isUnfilled(db: Database, requestId: string): Promise<boolean> {
  const status = (await findRequest(db, requestId))?.status;
  if (status !== "waiting" && status !== "depositing") return false;
  return (await findTransaction(db, requestId, "fill")) === undefined;
}

function rejectProcessed() {
  return rejectPlain(409, "Conflict: This request is already being processed.");
}

function rejectBalance() {
  return rejectPlain(403, "Forbidden: Fast fill requires a sponsoring wallet with app balance.");
}

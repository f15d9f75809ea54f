import { concat, type Hex } from "viem";

import { unixSeconds } from "@crosscall/protocol/core";
import { BPS_PER_WHOLE, mulDiv } from "@crosscall/protocol/encoding";
import { chainFamilyOf } from "@crosscall/protocol/chains";
import { parseAccountOf } from "../market/accounts.ts";
import { actualFees } from "../market/actualFees.ts";
import { type LedgerPayment, PaymentRejectedError } from "../market/ledger.ts";
import type { LedgerUser } from "../market/market.ts";
import { isPayer } from "../market/quote/findTermsProblem.ts";
import { rejectProblem, rejectUnknown } from "../market/rejection.ts";
import type { SimulatedDeposit } from "../market/reports.ts";
import { findSimulatedChain, type SimulatedChain, svmSignature } from "../market/simulatedChains.ts";
import type { FillFault } from "../scenarios/requestFaults.ts";
import { findRequest, owedDeposit, type RequestRow } from "../store/requests/requests.ts";
import { transition } from "../store/requests/transitions.ts";
import type { Database, StoreTransaction } from "../store/schema.ts";
import { requireNotFollowed } from "../store/scans.ts";
import { insertTransaction, type TransactionPurpose, type TransactionRow } from "../store/transactions.ts";
import { assessTerms } from "./assessDeposit.ts";
import { recordFailure } from "./fill.ts";
import type { Pricer, Signer, Simulator } from "./solverParts.ts";
import { canSponsor, settleSponsorship, takeSponsorship } from "./sponsorship.ts";

export interface SimulatedTransaction {
  readonly purpose: Extract<TransactionPurpose, "deposit" | "fill" | "refund">;
  readonly chain: SimulatedChain;
  /** Hash of the deposit; a random hash in the chain's format by default. */
  readonly txHash?: string | undefined;
  readonly sender: string;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly currency: string;
}

async function recordSimulatedTransaction(
  parts: Simulator,
  db: Database,
  requestId: string,
  simulated: SimulatedTransaction,
): Promise<string> {
  const hash = simulated.txHash ?? newHash(parts, simulated.chain);
  const seconds = unixSeconds(parts.clock);
  await insertTransaction(db, {
    request_id: requestId,
    purpose: simulated.purpose,
    chain_id: simulated.chain.id,
    hash,
    sender: simulated.sender,
    nonce: null,
    signed: null,
    amount: simulated.amount,
    currency: simulated.currency,
    created_at: new Date(parts.clock.now()),
    status: "success",
    // The chain has no blocks, so each second counts as a block.
    block_number: seconds,
    block_timestamp: seconds,
    fee: 0n,
    gas_used: 0,
  });
  return hash;
}

export async function simulateFill(
  parts: Signer & Simulator & Pricer,
  chain: SimulatedChain,
  request: RequestRow,
  deposit: TransactionRow,
  { deliveredAmount, lateSeconds = 0, heldSeconds = 0 }: FillFault,
): Promise<void> {
  const { db } = parts.store;
  const assessment = assessTerms(request, deposit, unixSeconds(parts.clock) + lateSeconds - heldSeconds);
  if (!assessment.works) return recordFailure(parts, request, assessment.failReason);
  if (!(await canSponsor(db, request))) return recordFailure(parts, request, "SPONSOR_BALANCE_TOO_LOW");
  const rent = await parts.ledgers.get(chain.id)?.rentOf?.(request.recipient, request.destination_currency);
  if (rent !== undefined && rent > 0n && request.fees.rent === undefined) {
    return recordFailure(parts, request, "NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE");
  }
  const expected = BigInt(request.expected_output_amount);
  const isExact = request.trade_type === "EXACT_OUTPUT";
  // If the deposit exceeds the quote, the delivered amount increases in proportion.
  const amount = isExact
    ? expected
    : (deliveredAmount ?? mulDiv(expected, BigInt(deposit.amount), owedDeposit(request).amount));
  const at = new Date(parts.clock.now());
  const fill = db.transaction().execute(async (database) => {
    const isFirst = await transition(database, {
      requestId: request.id,
      from: ["pending"],
      hasFailReason: false,
      to: "submitted",
      at,
    });
    if (!isFirst) return;
    await takeSponsorship(database, request);
    await recordSimulatedTransaction(parts, database, request.id, {
      purpose: "fill",
      chain,
      txHash: await payFromLedger(
        parts,
        chain,
        request,
        {
          purpose: "fill",
          recipient: request.recipient,
          currency: request.destination_currency,
          amount,
          ...swapOf(request, amount),
        },
        database,
      ),
      sender: chain.solver,
      amount,
      currency: request.destination_currency,
    });
    await settleSponsorship(database, request, actualFees(parts, request, { status: "success", fee: 0n, amount }));
    await transition(database, {
      requestId: request.id,
      from: ["submitted"],
      to: "success",
      at,
      set: { fill_time_seconds: 0 },
    });
  });
  const rejection = await rejectionOf(fill);
  if (rejection !== undefined) await recordFailure(parts, request, rejection.failReason);
}

/**
 * Returns the swap of a fill whose currency the solver does not hold. It costs at most the quoted amount plus the
 * slippage.
 */
function swapOf(
  { details, destination_currency, expected_output_amount, slippage_tolerance_bps }: RequestRow,
  amount: bigint,
): Pick<LedgerPayment, "swap"> {
  const { inputCurrency, router } = details.route.destination ?? {};
  if (inputCurrency === undefined || inputCurrency.currency.address === destination_currency) return {};
  const quoted = mulDiv(BigInt(inputCurrency.amount), amount, BigInt(expected_output_amount));
  const maximumIn = mulDiv(quoted, BPS_PER_WHOLE + BigInt(slippage_tolerance_bps), BPS_PER_WHOLE);
  return { swap: { source: router ?? "", currency: inputCurrency.currency.address, maximumIn } };
}

/** Returns the error of a payment that the chain rejects, which rolled back the work. */
async function rejectionOf(work: Promise<void>): Promise<PaymentRejectedError | undefined> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PaymentRejectedError) return error;
    throw error;
  }
  return undefined;
}

export async function simulateRefund(
  parts: Simulator,
  chain: SimulatedChain,
  request: RequestRow,
  deposit: TransactionRow,
): Promise<void> {
  const recipient = refundRecipientOf(request, deposit);
  const refund = (isPaid: boolean): Promise<void> =>
    refundTo(parts, chain, request, deposit, isPaid ? recipient : undefined);
  if ((await rejectionOf(refund(true))) !== undefined) await refund(false);
}

/** @param recipient undefined if the deposit cannot be refunded automatically */
async function refundTo(
  parts: Simulator,
  chain: SimulatedChain,
  request: RequestRow,
  deposit: TransactionRow,
  recipient: string | undefined,
): Promise<void> {
  await parts.store.db.transaction().execute(async (db) => {
    const isFirst = await transition(db, {
      requestId: request.id,
      from: ["pending"],
      hasFailReason: true,
      at: new Date(parts.clock.now()),
      ...(recipient === undefined
        ? { to: "failure", set: { refund_fail_reason: "MANUAL_REFUND_REQUIRED" } }
        : { to: "refund" }),
    });
    if (!isFirst || recipient === undefined) return;
    await recordSimulatedTransaction(parts, db, request.id, {
      purpose: "refund",
      chain,
      txHash: await payFromLedger(
        parts,
        chain,
        request,
        { purpose: "refund", recipient, currency: deposit.currency, amount: BigInt(deposit.amount) },
        db,
      ),
      sender: chain.solver,
      amount: BigInt(deposit.amount),
      currency: deposit.currency,
    });
  });
}

/**
 * Returns the recipient of a refund. Returns undefined for a deposit address without `refundTo`, whose payer may be an
 * exchange.
 */
function refundRecipientOf(request: RequestRow, { sender }: TransactionRow): string | undefined {
  const { deposit_address, refund_to, user } = request;
  if (deposit_address === null) return refund_to ?? user;
  return refund_to !== null && isPayer(refund_to) ? sender : (refund_to ?? undefined);
}

/**
 * Pays on the chain's ledger in a database transaction. Returns undefined if the chain has no ledger.
 *
 * @throws {@link InvalidStateError} if only other processes have the ledger
 */
async function payFromLedger(
  { ledgers }: LedgerUser,
  { id }: SimulatedChain,
  request: RequestRow,
  { purpose, ...payment }: Omit<LedgerPayment, "key" | "orderId"> & { readonly purpose: string },
  db: StoreTransaction,
): Promise<string | undefined> {
  const ledger = ledgers.get(id);
  if (ledger !== undefined) {
    return ledger.pay({ ...payment, key: `${purpose} ${request.id}`, orderId: request.order_id }, db);
  }
  await requireNotFollowed(db, id);
  return undefined;
}

/**
 * Returns a random hash in the chain's format: 64 bytes in base58, 32 bytes in hex, or 40 or 32 bytes in hex without
 * 0x.
 */
function newHash(parts: Simulator, { vmType }: SimulatedChain): string {
  if (vmType === "hypevm") return parts.randomWord();
  const words: Hex = concat([parts.randomWord(), parts.randomWord()]);
  switch (vmType) {
    case "svm":
      return svmSignature(words);
    case "lvm":
      return words.slice(2, 82);
    case "bvm":
    case "tvm":
      return words.slice(2, 66);
  }
}

/**
 * Reports a deposit on a simulated chain. The request then continues like any other.
 *
 * @param db transaction of the caller; a new one by default
 * @returns the hash of the deposit
 * @throws {@link RejectionError} before it writes, if the request is unknown, its origin is not simulated, or it already
 *   has a deposit
 */
export async function simulateDeposit(
  parts: Simulator,
  requestId: string,
  deposit: SimulatedDeposit,
  db?: StoreTransaction,
): Promise<string> {
  if (db === undefined) {
    return parts.store.db.transaction().execute((own) => simulateDeposit(parts, requestId, deposit, own));
  }
  const request = await findRequest(db, requestId);
  if (request === undefined) throw rejectUnknown(`request ${requestId}`);
  const chain = findSimulatedChain(request.origin_chain_id);
  if (chain === undefined) {
    throw rejectProblem({
      errorCode: "INVALID_REQUEST",
      field: "requestId",
      value: requestId,
      reason: `origin chain ${request.origin_chain_id} is not simulated`,
      hint: "Make the deposit on the origin chain.",
    });
  }
  const family = chainFamilyOf(request.origin_chain_id);
  const {
    amount = owedDeposit(request).amount,
    currency = owedDeposit(request).currency,
    depositor = request.user,
  } = deposit;
  const transaction: SimulatedTransaction = {
    purpose: "deposit",
    chain,
    txHash: deposit.txHash,
    sender: parseAccountOf(request.origin_chain_id, depositor, "depositor"),
    amount: BigInt(amount),
    currency: family.parseCurrency(currency, "currency"),
  };
  const isFirst = await transition(db, {
    requestId,
    from: ["waiting", "depositing"],
    to: "pending",
    at: new Date(parts.clock.now()),
  });
  if (!isFirst) {
    throw rejectProblem({
      errorCode: "INVALID_REQUEST",
      field: "requestId",
      value: requestId,
      reason: "already has a deposit",
      hint: "Request a new quote.",
    });
  }
  const hash = await recordSimulatedTransaction(parts, db, requestId, transaction);
  await parts.store.jobs.add({ requestId }, db);
  return hash;
}

import type { Hex } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { unixSeconds } from "@crosscall/protocol/core";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { FailReason } from "@crosscall/protocol/request";
import type { DevChain } from "../../devchain/devChain.ts";
import type { Market } from "../../market/market.ts";
import { prepareQuote, type PreparedQuote } from "../../market/quote/prepareQuote.ts";
import { resolveQuote } from "../../market/quote/resolveQuote.ts";
import { storeChild, storeRequote } from "../../market/quote/storeQuote.ts";
import { RejectionError } from "../../market/rejection.ts";
import {
  type DepositAddressRow,
  findAddressesInSweep,
  lockDepositAddress,
  watchDepositAddress,
} from "../../store/depositAddresses.ts";
import { findRequest, type RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import type { Database } from "../../store/schema.ts";
import { type Inclusion, insertTransaction } from "../../store/transactions.ts";
import type { SolverParts, Timed } from "../solverParts.ts";

export interface Payment {
  /** Paid currency; the zero address for native currency. */
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Payer; undefined if the chain does not report it. */
  readonly sender: string | undefined;
  readonly txHash: string | undefined;
  readonly inclusion: Inclusion;
  readonly isThere: (db: Database) => Promise<boolean>;
}

type Assignment =
  | { readonly kind: "root"; readonly requote: PreparedQuote | undefined }
  | { readonly kind: "child"; readonly quote: PreparedQuote; readonly failReason: FailReason | null };

/**
 * Takes a payment to a deposit address. The first payment belongs to the request. An open address is quoted again if
 * the payment differs from the quote. A strict address checks the payment against the order. Each later payment creates
 * a child request. An open address fills it with a new quote, and a strict address returns it as a double spend.
 */
export async function takePayment(
  parts: SolverParts,
  chain: DevChain,
  address: DepositAddressRow,
  payment: Payment,
): Promise<void> {
  const { store } = parts;
  const root = await findRequest(store.db, address.request_id);
  if (root === undefined) return;
  const assignment =
    root.status === "waiting"
      ? await assignToRoot(parts, chain, address, root, payment)
      : await assignToChild(parts, chain, address, payment);
  await store.db.transaction().execute(async (db) => {
    // If several processes find the payment, the first one takes it.
    await lockDepositAddress(db, address.address);
    const inSweep = await findAddressesInSweep(db, chain.id, [address.address]);
    if (inSweep.size > 0 || !(await payment.isThere(db))) return;
    await watchDepositAddress(db, address.address, new Date(parts.clock.now() + parts.depositAddressTtlMs));
    const requestId = await writeRequest(parts, db, root, assignment);
    await insertTransaction(db, {
      request_id: requestId,
      purpose: "payment",
      chain_id: chain.id,
      hash: payment.txHash ?? "",
      sender: payment.sender ?? "",
      nonce: null,
      signed: null,
      amount: payment.amount,
      currency: payment.currency,
      created_at: new Date(parts.clock.now()),
      ...payment.inclusion,
    });
    await transition(db, { requestId, from: ["waiting"], to: "depositing", at: new Date(parts.clock.now()) });
    await store.jobs.add({ requestId }, db);
  });
}

async function assignToRoot(
  parts: Market,
  chain: DevChain,
  address: DepositAddressRow,
  root: RequestRow,
  payment: Payment,
): Promise<Assignment> {
  const isAsQuoted =
    root.origin_chain_id === chain.id &&
    isSameAddress(root.origin_currency, payment.currency) &&
    BigInt(root.input_amount) === payment.amount &&
    unixSeconds(parts.clock) <= root.order_data.output.deadline;
  if (isAsQuoted || address.request.strict === true) return { kind: "root", requote: undefined };
  const requote = await tryQuote(parts, chain, address, payment, root.id as Hex);
  // A payment that cannot be quoted is checked against the order and returned.
  return { kind: "root", requote: requote.quote };
}

async function assignToChild(
  parts: Market,
  chain: DevChain,
  address: DepositAddressRow,
  payment: Payment,
): Promise<Assignment> {
  if (address.request.strict === true) {
    return {
      kind: "child",
      quote: await prepareQuote(parts, resolveQuote(parts, address.request)),
      failReason: "DOUBLE_SPEND",
    };
  }
  const { quote, failReason } = await tryQuote(parts, chain, address, payment);
  if (quote !== undefined) return { kind: "child", quote, failReason: null };
  return { kind: "child", quote: await prepareQuote(parts, resolveQuote(parts, address.request)), failReason };
}

async function tryQuote(
  parts: Market,
  chain: DevChain,
  { request }: DepositAddressRow,
  { currency, amount }: Payment,
  requestId?: Hex,
): Promise<{ readonly quote: PreparedQuote | undefined; readonly failReason: FailReason }> {
  // The payment determines the input, regardless of the quote.
  const paid: QuoteRequest = {
    ...request,
    tradeType: "EXACT_INPUT",
    originChainId: chain.id,
    originCurrency: currency,
    amount: amount.toString(),
  };
  try {
    const quote = await prepareQuote(parts, resolveQuote(parts, paid), requestId);
    return { quote, failReason: "ORPHANED_DEPOSIT_REFUND" };
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    const isTooLow = error.body.errorCode === "AMOUNT_TOO_LOW";
    return { quote: undefined, failReason: isTooLow ? "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" : "ORPHANED_DEPOSIT_REFUND" };
  }
}

async function writeRequest(parts: Timed, db: Database, root: RequestRow, assignment: Assignment): Promise<string> {
  if (assignment.kind === "root") {
    if (assignment.requote !== undefined) await storeRequote(parts, db, assignment.requote, root.fees.revenueShare);
    return root.id;
  }
  await storeChild(parts, db, assignment.quote, {
    apiKeyHash: root.api_key_hash,
    depositAddress: root.deposit_address,
    revenueShare: root.fees.revenueShare,
    parentRequestId: root.id,
    failReason: assignment.failReason,
  });
  return assignment.quote.requestId;
}

import type { Hex } from "viem";

import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import { type DepositAddressRow, listAddressesInSweep, lockDepositAddress } from "../../store/depositAddresses.ts";
import { findRequest, transition } from "../../store/requests.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { Database } from "../../store/store.ts";
import { type Inclusion, insertTransaction } from "../../store/transactions.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";
import { prepareQuote, type PreparedQuote } from "../service/quote/prepareQuote.ts";
import { resolveQuote } from "../service/quote/resolveQuote.ts";
import { storeChild, storeRequote } from "../service/quote/storeQuote.ts";
import { RefusalError } from "../service/refusal.ts";

/** What somebody paid to a deposit address. */
export interface Payment {
  /** The zero address for native. */
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Who paid; undefined where the chain does not tell. */
  readonly sender: string | undefined;
  readonly txHash: string | undefined;
  readonly inclusion: Inclusion;
  /** Whether it is still at the address. */
  readonly isThere: (db: Database) => Promise<boolean>;
}

/** What a payment is for: the request that the address was given out for, or one of its own. */
type Assignment =
  | { readonly kind: "root"; readonly requote: PreparedQuote | undefined }
  | { readonly kind: "child"; readonly quote: PreparedQuote; readonly failReason: FailReason | null };

/**
 * Takes what was paid to a deposit address. The first payment is the request's own: to an open address it is quoted
 * anew where it is not what the quote says, to a strict one it is measured by the order. Each later payment makes a
 * child request: of an open address filled by a quote of its own, of a strict one sent back as a double spend.
 */
export async function takePayment(
  context: ServiceContext,
  chain: ServiceChain,
  address: DepositAddressRow,
  payment: Payment,
): Promise<void> {
  const { store } = context;
  const root = await findRequest(store.db, address.request_id);
  if (root === undefined) return;
  const assignment =
    root.status === "waiting"
      ? await assignToRoot(context, chain, address, root, payment)
      : await assignToChild(context, chain, address, payment);
  await store.db.transaction().execute(async (db) => {
    // Another process may have seen it, too: the first one takes it.
    await lockDepositAddress(db, address.address);
    if ((await listAddressesInSweep(db, chain.id)).has(address.address) || !(await payment.isThere(db))) return;
    const requestId = await writeRequest(context, db, root, assignment);
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
      created_at: new Date(context.clock.now()),
      ...payment.inclusion,
    });
    await transition(db, { requestId, from: ["waiting"], to: "depositing", at: new Date(context.clock.now()) });
    await store.jobs.add({ requestId }, db);
  });
}

async function assignToRoot(
  context: ServiceContext,
  chain: ServiceChain,
  address: DepositAddressRow,
  root: RequestRow,
  payment: Payment,
): Promise<Assignment> {
  const isAsQuoted =
    root.origin_chain_id === chain.id &&
    isSameAddress(root.origin_currency, payment.currency) &&
    BigInt(root.input_amount) === payment.amount &&
    unixSeconds(context.clock) <= root.order_data.output.deadline;
  if (isAsQuoted || address.request.strict === true) return { kind: "root", requote: undefined };
  const requote = await tryQuote(context, chain, address, payment, root.id as Hex);
  // What cannot be quoted is measured by the order as it is, and goes back.
  return { kind: "root", requote: requote.quote };
}

async function assignToChild(
  context: ServiceContext,
  chain: ServiceChain,
  address: DepositAddressRow,
  payment: Payment,
): Promise<Assignment> {
  if (address.request.strict === true) {
    return {
      kind: "child",
      quote: await prepareQuote(context, resolveQuote(context, address.request)),
      failReason: "DOUBLE_SPEND",
    };
  }
  const { quote, failReason } = await tryQuote(context, chain, address, payment);
  if (quote !== undefined) return { kind: "child", quote, failReason: null };
  return { kind: "child", quote: await prepareQuote(context, resolveQuote(context, address.request)), failReason };
}

/** Quotes what was paid in place of what was asked for. */
async function tryQuote(
  context: ServiceContext,
  chain: ServiceChain,
  { request }: DepositAddressRow,
  { currency, amount }: Payment,
  requestId?: Hex,
): Promise<{ readonly quote: PreparedQuote | undefined; readonly failReason: FailReason }> {
  const paid = { ...request, originChainId: chain.id, originCurrency: currency, amount: amount.toString() };
  try {
    const quote = await prepareQuote(context, resolveQuote(context, paid), requestId);
    return { quote, failReason: "ORPHANED_DEPOSIT_REFUND" };
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    const isTooLow = error.body.errorCode === "AMOUNT_TOO_LOW";
    return { quote: undefined, failReason: isTooLow ? "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" : "ORPHANED_DEPOSIT_REFUND" };
  }
}

async function writeRequest(
  context: ServiceContext,
  db: Database,
  root: RequestRow,
  assignment: Assignment,
): Promise<string> {
  if (assignment.kind === "root") {
    if (assignment.requote !== undefined) await storeRequote(db, assignment.requote);
    return root.id;
  }
  await storeChild(context, db, assignment.quote, {
    apiKeyHash: root.api_key_hash,
    depositAddress: root.deposit_address,
    parentRequestId: root.id,
    failReason: assignment.failReason,
  });
  return assignment.quote.requestId;
}

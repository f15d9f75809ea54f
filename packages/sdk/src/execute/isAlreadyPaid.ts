import type { Client, Hex } from "viem";
import { getBlock } from "viem/actions";

import { CrosscallError } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { QuoteRefusedError } from "../verify/quoteRefusedError.ts";
import type { Execution } from "./execution.ts";
import { findDeposit, findPending, findReceipt, reportedStatus } from "./findPayment.ts";
import { askNode } from "./node.ts";

const LOOK_BACK_BLOCKS = 999n;

/** Maximum block range of log queries on the smallest node plans. */
const FIRST_BLOCKS = 9n;

const GROWTH = 4n;

/** Tolerance for differing clocks. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * Whether the order is already paid, according to the service and the chain. Journaled actions continue, unless their
 * outcome is unknown: a wallet that chooses its nonce may have paid with another nonce.
 * @throws {@link QuoteRefusedError} when the order has ended and this journal did not start its payment
 */
export async function isAlreadyPaid(execution: Execution): Promise<boolean> {
  const { service, wallets, quote, journal, requestId, signal, onEvent } = execution;
  const payments = execution.actions.filter(isPayment);
  const batch = await journal.batch();
  if (batch?.kind === "bundle") {
    const { isKnownBundle } = await import("./performBundle.ts");
    if (await isKnownBundle(await wallets.on(batch.chainId, batch.from), batch)) return false;
  }
  const begun = await journal.begun(payments);
  const hasBegun = begun.length > 0;
  if (hasBegun && !begun.some(({ isUnclear }) => isUnclear)) return false;
  const isOwn = hasBegun || (await journal.isFound());
  const found = async (txHash?: Hex): Promise<true> => {
    if (!isOwn) await journal.set("found", true);
    onEvent({ kind: "found", requestId, ...(txHash === undefined ? {} : { txHash }) });
    return true;
  };
  const reported = await reportedStatus(service, requestId, signal).catch((error: unknown) => {
    // If the service does not respond, the chain can still show the payment.
    if (isOwn && error instanceof CrosscallError && error.code !== "ABORTED") return undefined;
    throw error;
  });
  const isOver = reported !== undefined && ["success", "refund", "failure"].includes(reported.status);
  if (isOver && !isOwn) throw usedQuote(`an order that ended with status ${reported.status}`, requestId);
  if (reported !== undefined) return found();
  for (const payment of payments) {
    if (payment.kind !== "transaction") continue;
    const { client } = await wallets.on(payment.chainId, payment.from);
    const range = { chainId: payment.chainId, fromBlock: await firstBlock(client, payment, execution) };
    const txHash =
      (await findDeposit(client, quote, range)) ??
      // Also checks pending transactions, if the node exposes them.
      (await findPending(client, payment, batch !== undefined).catch(() => undefined));
    if (txHash === undefined) continue;
    if (!isOwn && (await askNode(payment.chainId, "when it was paid", () => isOlder(client, txHash, quote)))) {
      throw usedQuote(`an order that was paid before the quote in transaction ${txHash}`, requestId);
    }
    return found(txHash);
  }
  return false;
}

/** Creates the error for an old quote that the service returned again: its success would belong to another payment. */
function usedQuote(seen: string, requestId: string): QuoteRefusedError {
  const claim = {
    code: "REQUEST_NEW",
    path: "steps[0].requestId",
    isMet: false,
    expected: "an order that is not paid",
    seen,
  } as const;
  return new QuoteRefusedError({ requestId, report: { verdict: "refused", items: [], claims: [claim], warnings: [] } });
}

/** Returns the block of a started payment; otherwise, the first block since the quote, within the latest thousand. */
async function firstBlock(
  client: Client,
  payment: PlannedTransaction,
  { quote, journal, clock }: Execution,
): Promise<bigint> {
  const begun = (await journal.transaction(payment))?.fromBlock ?? (await journal.batch())?.fromBlock;
  if (begun !== undefined) return BigInt(begun);
  return askNode(payment.chainId, "whether the deposit was made", async () => {
    const latest = await getBlock(client, { blockTag: "latest" });
    const oldest = latest.number > LOOK_BACK_BLOCKS ? latest.number - LOOK_BACK_BLOCKS : 0n;
    if (!("quotedAtMs" in quote)) return oldest;
    const { quotedAtMs } = quote;
    // If the clock is ahead of the chain's clock, the quote seems newer than it is.
    if (isOlderThan(latest, Math.max(clock.now(), quotedAtMs))) return oldest;
    for (let count = FIRST_BLOCKS; latest.number - count > oldest; count *= GROWTH) {
      const block = await getBlock(client, { blockNumber: latest.number - count });
      if (isOlderThan(block, quotedAtMs)) return block.number;
    }
    return oldest;
  });
}

function isOlderThan({ timestamp }: { readonly timestamp: bigint }, timeMs: number): boolean {
  return Number(timestamp) * 1_000 < timeMs - CLOCK_TOLERANCE_MS;
}

/** Whether a transaction was included before a quote was received. */
async function isOlder(client: Client, hash: Hex, quote: Execution["quote"]): Promise<boolean> {
  if (!("quotedAtMs" in quote)) return false;
  const inclusion = await findReceipt(client, hash);
  if (inclusion === undefined) return false;
  const block = await getBlock(client, { blockNumber: inclusion.receipt.blockNumber });
  return isOlderThan(block, quote.quotedAtMs);
}

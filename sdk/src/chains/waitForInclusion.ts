import { type Client, type Hex, type TransactionReceipt, WaitForTransactionReceiptTimeoutError } from "viem";
import { waitForTransactionReceipt } from "viem/actions";

import { abortable } from "../core/abort.ts";

// The library's wait cannot be stopped, so it is done in slices: what an abort leaves running ends soon by itself.
const SLICE_MS = 2_000;

/** What {@link waitForInclusion} takes. */
export interface WaitForInclusionParameters {
  readonly hash: Hex;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits until a transaction is in a block.
 *
 * @throws {@link AbortedError} when the signal fires
 * @throws viem's `WaitForTransactionReceiptTimeoutError` when the time is over, and its other errors of the node
 */
export async function waitForInclusion(
  client: Client,
  { hash, timeoutMs, signal }: WaitForInclusionParameters,
): Promise<TransactionReceipt> {
  for (let remainingMs = timeoutMs; ; remainingMs -= SLICE_MS) {
    const wait = waitForTransactionReceipt(client, { hash, timeout: Math.min(SLICE_MS, remainingMs) });
    try {
      return await abortable(wait, signal, `the wait for transaction ${hash}`);
    } catch (error) {
      if (!(error instanceof WaitForTransactionReceiptTimeoutError) || remainingMs <= SLICE_MS) throw error;
    }
  }
}

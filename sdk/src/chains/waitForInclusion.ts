import { type Client, type Hex, type TransactionReceipt, WaitForTransactionReceiptTimeoutError } from "viem";
import { waitForTransactionReceipt } from "viem/actions";

import { abortable } from "../core/abort.ts";

// viem's wait cannot be aborted, so it runs in slices.
const SLICE_MS = 2_000;

export interface WaitForInclusionParameters {
  readonly hash: Hex;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

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

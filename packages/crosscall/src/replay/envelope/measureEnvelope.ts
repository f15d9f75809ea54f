import type { Address } from "viem";

import { throwIfAborted } from "@crosscall/protocol/core";
import type { FillPlan } from "../fillPlan.ts";
import type { Fork } from "../fork/fork.ts";
import { assembleEnvelope, listOutputs, selectTrials, type Envelope, envelopeGas, type Trial } from "./envelope.ts";
import { type EnvelopeRangeOptions, envelopeRange, spreadAmounts } from "./envelopeRange.ts";
import { type ForkTrials, openForkTrials } from "./forkTrials.ts";
import { searchBorders } from "./searchBorders.ts";

export interface EnvelopeProgress {
  readonly tried: number;
  /** Number of amounts to try; the search for borders adds more. */
  readonly planned: number;
}

export interface EnvelopeOptions extends EnvelopeRangeOptions {
  /** Possible holders of the currency, to transfer from if its storage cannot be written. */
  readonly holders?: readonly Address[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: EnvelopeProgress) => void) | undefined;
}

/**
 * Runs a fill with a range of delivered amounts, each from the same state, and finds the amounts with which the fill
 * works, exact to the unit. A working window between two tried amounts that fail for the same reason can be missed;
 * more steps find more windows. Received amounts are read from events and checked against balances for some amounts. If
 * they differ, balances are read for all amounts.
 *
 * @returns gas as in a receipt
 * @throws {@link InvalidInputError} for an invalid range
 * @throws {@link BalanceUnwritableError} if the amounts cannot be delivered
 * @throws {@link AbortedError} when the signal fires; the fork's state is restored
 */
export async function measureEnvelope(fork: Fork, plan: FillPlan, options: EnvelopeOptions = {}): Promise<Envelope> {
  const { holders, signal, onProgress } = options;
  const requested = spreadAmounts(envelopeRange(plan, options));
  throwIfAborted(signal, ENVELOPE);
  return fork.isolate(async () => {
    const trials = await openForkTrials(fork, plan, holders);
    let count = 0;
    const tried = await searchBorders({
      amounts: requested,
      width: 1,
      signal,
      async tryAmounts(amounts) {
        const results: Trial[] = [];
        for (const amount of amounts) {
          throwIfAborted(signal, ENVELOPE);
          results.push(await trials.tryAmount(amount));
          count += 1;
          onProgress?.({ tried: count, planned: Math.max(count, requested.length) });
        }
        return results;
      },
    });
    const selected = selectTrials(tried, requested);
    // Compares received amounts from events, because trials with other gas limits have no balances.
    const gas = await envelopeGas({
      trials: selected,
      blockGasLimit: fork.environment.gasLimit,
      worksWith: (trial, limit) => {
        throwIfAborted(signal, ENVELOPE);
        return trials.worksWith(trial, limit);
      },
    });
    return assembleEnvelope(await withBalances(trials, selected, signal), gas);
  });
}

const ENVELOPE = "the envelope";

/** Replaces received amounts with balance differences if the events are wrong. */
async function withBalances(
  trials: ForkTrials,
  tried: readonly Trial[],
  signal: AbortSignal | undefined,
): Promise<readonly Trial[]> {
  const working = tried.filter(({ success }) => success);
  const sample = new Set([working[0], working[Math.floor(working.length / 2)], working.at(-1)]);
  const known = listOutputs(working);
  const differing = new Set<Address>();
  for (const trial of sample) {
    if (trial === undefined) continue;
    throwIfAborted(signal, ENVELOPE);
    const requested = [...new Set([...known, ...(await trials.listTouched(trial.amount))])];
    const changes = await trials.balanceChanges(trial.amount, requested);
    for (const [index, currency] of requested.entries()) {
      if (changes[index] !== (trial.received.get(currency) ?? 0n)) differing.add(currency);
    }
  }
  if (differing.size === 0) return tried;
  const outputs = [...new Set([...known, ...differing])];
  const checked: Trial[] = [];
  for (const trial of tried) {
    throwIfAborted(signal, ENVELOPE);
    if (!trial.success) {
      checked.push(trial);
      continue;
    }
    const changes = await trials.balanceChanges(trial.amount, outputs);
    const received = outputs.map((currency, index) => [currency, changes[index] ?? 0n] as const);
    checked.push({ ...trial, received: new Map(received.filter(([, amount]) => amount !== 0n)) });
  }
  return checked;
}

import type { Client } from "viem";

import { abortable, type Clock, InvalidStateError, sleep, systemClock, TimedOutError } from "@crosscall/protocol/core";
import { originChainIdOf, type PlannedStep, planSteps, requestIdOf } from "@crosscall/protocol/quote/rules";
import type { Quote, Step } from "@crosscall/protocol/quote";
import type { VerifiedStep } from "../verify/verifiedSteps.ts";
import type { ServiceClient } from "../client/client.ts";
import { POLL_INTERVAL_MS, TIMEOUT_MS } from "../client/watchRequest/watchRequest.ts";
import type { ExecutionEvent, ExecutionParameters } from "./executeStepsParameters.ts";
import { PaymentUnresolvedError, type UnresolvedPayment } from "./executionErrors.ts";
import { createMemoryJournal, type ExecutionJournal } from "./journal.ts";
import { type BatchCalls, RequestJournal } from "./requestJournal.ts";
import { openWallets, type StepWallets } from "./wallets.ts";

/** Run of `executeSteps`: its parameters, with their defaults. */
export interface Run extends Omit<ExecutionParameters, "wallet" | "wallets" | "journal" | "payAgain" | "gasless"> {
  readonly service: ServiceClient;
  readonly wallets: StepWallets;
  /** Journal of all requests. */
  readonly store: ExecutionJournal;
  readonly gasless: boolean;
  /** Whether to prompt again although an earlier payment may still succeed. */
  readonly payAgain: boolean;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  readonly onEvent: (event: ExecutionEvent) => void;
}

export async function openRun(service: ServiceClient, parameters: ExecutionParameters): Promise<Run> {
  const { signal, timeoutMs = TIMEOUT_MS } = parameters;
  return {
    ...parameters,
    service,
    wallets: await openWallets(parameters.wallet, parameters.wallets, { signal, promptTimeoutMs: timeoutMs }),
    store: parameters.journal ?? createMemoryJournal(),
    gasless: parameters.gasless === true,
    payAgain: parameters.payAgain === true,
    clock: parameters.clock ?? systemClock,
    timeoutMs,
    pollIntervalMs: parameters.pollIntervalMs ?? POLL_INTERVAL_MS,
    onEvent: parameters.onEvent ?? (() => undefined),
  };
}

/** Run with the quote that it executes: the passed quote or its replacement. */
export interface Execution extends Run {
  readonly requestId: string;
  readonly originChainId: number;
  /** Journal of the request. */
  readonly journal: RequestJournal;
  /** Remaining actions. Empty if the request is already paid. */
  readonly actions: readonly PlannedStep[];
  /** Steps from responses, with positions after the quote's steps. */
  readonly laterSteps: Step[];
  /** Request ids that the service must not reuse. */
  readonly knownRequestIds?: readonly string[];
  /** Last nonces used by this run, by chain and account, for nodes that lag behind. */
  readonly nonces: Map<string, number>;
}

export function withQuote(run: Run, quote: Run["quote"], knownRequestIds: readonly string[] = []): Execution {
  const originChainId = originChainIdOf(quote);
  const requestId = requestIdOf(quote);
  return {
    ...run,
    quote,
    requestId,
    originChainId,
    journal: new RequestJournal(run.store, requestId),
    actions: planSteps(quote.steps, originChainId),
    laterSteps: [],
    knownRequestIds,
    nonces: new Map(),
  };
}

/** Calls of a batch, in order. */
export interface CallBatch {
  /** `bundle`: the wallet sends the calls (EIP-5792). `gasless`: the service sends them (`POST /execute`). */
  readonly kind: "bundle" | "gasless";
  readonly calls: BatchCalls;
}

/** Execution whose steps can be performed. */
export interface PreparedExecution extends Execution {
  /** Leading actions, if they form a batch. */
  readonly batch: CallBatch | undefined;
  /** Verifies a step and returns the step to sign or send. Every function that calls a wallet takes the result. */
  readonly verify: <Step extends PlannedStep>(step: Step) => Promise<VerifiedStep<Step>>;
}

export function orderIdOf({ protocol }: Quote): string | null | undefined {
  return protocol?.v2?.orderId;
}

/**
 * Runs right before a prompt.
 * @throws {@link InvalidStateError} when another process, such as another tab, has since started the step
 */
export function requireSameEntry(entry: object | undefined, earlier: object | undefined, stepId: string): void {
  if (JSON.stringify(entry) === JSON.stringify(earlier)) return;
  throw new InvalidStateError({
    message: `another process started step ${stepId} with this journal`,
    hint: "To follow the payment, execute the same quote with the same journal again.",
  });
}

/** Number of repeated reads. */
const READS = 5;

/** Maximum pause before a repeated read, in milliseconds. */
const PAUSE_MAX_MS = 1_000;

/**
 * Reads the account's state. After a transaction of this run, repeats a failed read, because behind a load balancer, the
 * next response can come from a node that lags behind the one that returned the receipt.
 */
export async function readAfterSent<Result>(
  { nonces, signal }: Execution,
  { pollingInterval }: Client,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let left = nonces.size * READS; ; left -= 1) {
    try {
      return await read();
    } catch (error) {
      // A lagging node shows no allowance. Otherwise, the user lowered it in the wallet.
      const isLower = Number((error as { readonly found?: unknown }).found) > 0;
      if (left === 0 || isLower || error instanceof TimedOutError) throw error;
      await sleep(Math.min(pollingInterval, PAUSE_MAX_MS), signal, "the wallet's node");
    }
  }
}

/** Last work by key. */
interface Turns<Key> {
  get(key: Key): Promise<unknown> | undefined;
  set(key: Key, turn: Promise<unknown>): unknown;
}

/** Runs work after all earlier work with the same key. An abort ends only the wait, because the work can move funds. */
export function inTurn<Key, Result>(
  turns: Turns<Key>,
  key: Key,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const earlier = turns.get(key) ?? Promise.resolve();
  const turn = abortable(earlier, signal, "the wait for another request").then(work);
  turns.set(key, Promise.allSettled([earlier, turn]));
  return turn;
}

/** Creates the error for a payment whose outcome is unknown. */
export function unresolved(
  { requestId }: Pick<Execution, "requestId">,
  { stepId, chainId, from: account }: BatchCalls[0],
  payment: Pick<UnresolvedPayment, "what" | "askedAtMs" | "reason" | "cause"> & {
    readonly reference?: string | undefined;
  },
): PaymentUnresolvedError {
  return new PaymentUnresolvedError({ requestId, stepId, chainId, account, reference: undefined, ...payment });
}

/**
 * Yields the elapsed time of a wait in milliseconds, at the client's polling interval. The last value is at or after
 * the timeout.
 */
export async function* elapsed(
  { pollingInterval }: Client,
  { clock, signal }: Pick<Run, "clock" | "signal">,
  { timeoutMs, what }: { readonly timeoutMs: number; readonly what: string },
): AsyncGenerator<number, void, undefined> {
  const startedAt = clock.now();
  // Responses also take time, and the interval can be zero.
  const pauseMs = Math.max(pollingInterval, 1);
  for (let waitedMs = 0; ; waitedMs = Math.max(waitedMs + pauseMs, clock.now() - startedAt)) {
    yield waitedMs;
    if (waitedMs >= timeoutMs) return;
    await sleep(Math.min(pauseMs, Math.max(timeoutMs - waitedMs, 1)), signal, what);
  }
}

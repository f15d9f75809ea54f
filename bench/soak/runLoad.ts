import { parseEther, zeroAddress } from "viem";

import { requestIdOf } from "../../packages/sdk/src/index.ts";
import { pause, throwIfAborted } from "../../packages/protocol/src/core/abort.ts";
import { fromQuoteV3, QuoteV3Schema } from "../../packages/protocol/src/quote/quoteV3.ts";
import { parseData } from "../../packages/protocol/src/index.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/defaults.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/index.ts";
import { createPayer } from "../service/payer.ts";

/** Parameters of {@link runLoad}. */
export interface LoadParameters {
  readonly baseUrl: string;
  readonly origin: { readonly id: number; readonly rpcUrl: string };
  readonly destinationChainId: number;
  /** HTTP requests per second. */
  readonly rate: number;
  readonly seconds: number;
  readonly onMinute: (minute: number) => void;
  readonly signal: AbortSignal;
}

export interface LoadResult {
  /**
   * Milliseconds from the scheduled time to the response, by kind. For paid requests, milliseconds from the deposit to
   * success.
   */
  readonly times: Readonly<Record<Kind | "paid", readonly number[]>>;
  /** Number of failures, by status other than 200, or by error if there is no valid response. */
  readonly failures: ReadonlyMap<string, number>;
  /** Ids of paid requests that did not succeed. */
  readonly lost: readonly string[];
}

type Kind = "status" | "quote" | "listing";

/** Mix of 20 requests, mostly status polls, as from real clients. */
const MIX: readonly Kind[] = Array.from({ length: 20 }, (_, index) =>
  index % 7 === 0 ? "quote" : index % 7 === 3 ? "listing" : "status",
);

const LISTINGS = ["limit=20", "limit=20&status=success", `limit=20&user=${localAccounts.user.address}`];

/** Milliseconds after which a request without a response is a failure. */
const TIMEOUT_MS = 60_000;

/** Milliseconds after the load within which paid requests must succeed; otherwise they count as lost. */
const DRAIN_MS = 120_000;
const DRAIN_INTERVAL_MS = 500;

/** Number of ids that are polled in turn while no paid request is open. */
const IDS_KEPT = 1_000;

/**
 * Sends requests at a fixed rate, without waiting for earlier responses, and pays one quote per second.
 *
 * @throws {@link AbortedError} when the signal fires
 */
export async function runLoad(parameters: LoadParameters): Promise<LoadResult> {
  const { baseUrl, origin, destinationChainId, rate, seconds, onMinute, signal } = parameters;
  const times: Record<Kind | "paid", number[]> = { status: [], quote: [], listing: [], paid: [] };
  const failures = new Map<string, number>();
  const lost: string[] = [];
  const ids: string[] = [];
  /** Paid requests, with the time of the deposit. */
  const open = new Map<string, number>();
  const pay = await createPayer(origin);
  let quotes = 0;
  const addFailure = (what: string): void => void failures.set(what, (failures.get(what) ?? 0) + 1);
  const addError = (error: unknown): void => addFailure(error instanceof Error ? error.name : "unknown");

  const send = async (path: string, body?: object): Promise<unknown> => {
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        headers: { "x-api-key": LOCAL_API_KEY, "content-type": "application/json" },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === 200) return JSON.parse(text) as unknown;
      addFailure(String(response.status));
    } catch (error) {
      addError(error);
    }
    return undefined;
  };

  const requestQuote = async (): Promise<(() => Promise<void>) | undefined> => {
    const answer = await send("/quote/v3", {
      user: localAccounts.user.address,
      originChainId: origin.id,
      destinationChainId,
      originCurrency: zeroAddress,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: (parseEther("0.01") + BigInt((quotes += 1))).toString(),
    });
    if (answer === undefined) return undefined;
    const quote = fromQuoteV3(parseData(QuoteV3Schema, answer, "the quote"));
    const requestId = requestIdOf(quote);
    ids.push(requestId);
    if (ids.length > IDS_KEPT) ids.shift();
    return async () => {
      try {
        await pay(quote);
        open.set(requestId, performance.now());
      } catch {
        lost.push(requestId);
      }
    };
  };
  const poll = async (requestId: string): Promise<void> => {
    const answer = (await send(`/intents/status/v3?requestId=${requestId}`)) as { status?: string } | undefined;
    const paidAt = open.get(requestId);
    if (paidAt === undefined) return;
    if (answer?.status === "success") times.paid.push(performance.now() - paidAt);
    else if (answer?.status === "failure" || answer?.status === "refund") lost.push(requestId);
    else return;
    open.delete(requestId);
  };

  let paidSecond = -1;
  const work = async (kind: Kind, index: number, scheduledAt: number): Promise<void> => {
    let payQuote: (() => Promise<void>) | undefined;
    switch (kind) {
      case "quote":
        payQuote = await requestQuote();
        break;
      case "listing":
        await send(`/requests/v3?${LISTINGS[index % LISTINGS.length] ?? ""}`);
        break;
      case "status":
        await poll(nextOf([...open.keys()], index) ?? nextOf(ids, index) ?? "");
        break;
    }
    times[kind].push(performance.now() - scheduledAt);
    const second = Math.floor(index / rate);
    if (payQuote === undefined || second <= paidSecond) return;
    paidSecond = second;
    await payQuote();
  };

  // Polls need a request id, and the first request loads code.
  await requestQuote();
  const inFlight = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const scheduledAt = startedAt + (index * 1_000) / rate;
    const waitMs = scheduledAt - performance.now();
    if (waitMs > 0) await pause(waitMs, signal);
    throwIfAborted(signal, "the load");
    if (index % (rate * 60) === 0) onMinute(index / rate / 60);
    const running = work(MIX[index % MIX.length] ?? "status", index, scheduledAt)
      .catch(addError)
      .finally(() => inFlight.delete(running));
    inFlight.add(running);
  }
  await Promise.all(inFlight);
  const drainedAt = performance.now() + DRAIN_MS;
  while (open.size > 0 && performance.now() < drainedAt) {
    for (const requestId of [...open.keys()]) await poll(requestId);
    await pause(DRAIN_INTERVAL_MS, signal);
    throwIfAborted(signal, "the wait for the paid requests");
  }
  return { times, failures, lost: [...lost, ...open.keys()] };
}

function nextOf(ids: readonly string[], index: number): string | undefined {
  return ids[index % ids.length];
}

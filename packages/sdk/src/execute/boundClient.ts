import { type Account, type Chain, type Client, createClient, type EIP1193RequestFn, type Transport } from "viem";

import {
  abortable,
  CrosscallError,
  systemTimer,
  throwIfAborted,
  TimedOutError,
  type Timer,
  TIMER_MAX_MS,
  waitOn,
  withTimeLimit,
} from "@crosscall/protocol/core";
import { isTemporary, retryAfterMs } from "./nodeErrors.ts";

/** How long a wallet and its node may take. */
export interface WaitLimits {
  readonly signal?: AbortSignal | undefined;
  /** For a request that the user confirms in the wallet; 10 minutes by default. */
  readonly promptTimeoutMs?: number | undefined;
  /** For any other request, with its retries; 30 seconds by default. */
  readonly nodeTimeoutMs?: number | undefined;
  readonly timer?: Timer | undefined;
}

const PROMPT_TIMEOUT_MS = 600_000;

const NODE_TIMEOUT_MS = 30_000;

/** Pauses between retries of a request that the node refuses for now. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000] as const;

/** A node that asks for a longer pause is not waited for. */
const PAUSE_MAX_MS = 15_000;

/** A method that may prompt the user, sign or send. It is never retried. */
const PROMPT = /^(?:eth_sendTransaction|eth_sign|eth_requestAccounts|personal_|wallet_(?!get))/u;

type Request = (call: { readonly method: string; readonly params?: unknown }, options?: object) => Promise<unknown>;

/**
 * A client with the same account, chain and node whose requests end: with the signal, and with {@link TimedOutError}
 * after a limit. Requests that neither prompt nor send are retried when the node limits their rate or lags behind. A wallet client's
 * own functions are not used, since they would use the wallet's own transport.
 */
export function boundClient<
  chain extends Chain | undefined = Chain | undefined,
  account extends Account | undefined = Account | undefined,
>(source: Client<Transport, chain, account>, limits: WaitLimits): Client<Transport, chain, account> {
  const request = source.request as Request;
  const bounded: Request = (call, options) => {
    const { method } = call;
    // A transport would retry a prompt after an internal error.
    if (PROMPT.test(method)) return withinPrompt(method, limits, () => request(call, { ...options, retryCount: 0 }));
    const what = `${method} of the wallet's node`;
    const hint = "Check the connection of the wallet to its node, or use another node, and try again.";
    return within({ ...limits, what, hint, timeoutMs: limits.nodeTimeoutMs ?? NODE_TIMEOUT_MS }, (signal) =>
      retryTemporary(() => request(call, options), { method, timer: limits.timer ?? systemTimer, signal, what }),
    );
  };
  const client: Client = createClient({
    account: source.account,
    chain: source.chain,
    // Without viem's wrapper of requests: the source's transport has one, which also classifies errors.
    transport: () => ({ config: source.transport, request: bounded as EIP1193RequestFn }),
    pollingInterval: source.pollingInterval,
    cacheTime: source.cacheTime,
  });
  return client as Client<Transport, chain, account>;
}

/**
 * Waits for the wallet or an account that signs, which may be remote.
 *
 * @param method for the error
 * @throws {@link TimedOutError} when it does not respond in time
 */
export function withinPrompt<Result>(method: string, limits: WaitLimits, work: () => Promise<Result>): Promise<Result> {
  return within(
    {
      ...limits,
      what: `${method} of the wallet`,
      hint: "Look into the wallet: the request may still be open there, or may have been confirmed. Then execute the same quote with the same journal again.",
      timeoutMs: limits.promptTimeoutMs ?? PROMPT_TIMEOUT_MS,
    },
    work,
  );
}

/** The error of the kit inside another: functions of viem wrap what a request throws. */
export function kitErrorIn(error: unknown): CrosscallError | undefined {
  const seen = new Set<unknown>();
  for (
    let cause = error;
    typeof cause === "object" && cause !== null && !seen.has(cause);
    cause = Reflect.get(cause, "cause")
  ) {
    if (cause instanceof CrosscallError) return cause;
    seen.add(cause);
  }
  return undefined;
}

interface Within extends WaitLimits {
  readonly what: string;
  readonly hint: string;
  readonly timeoutMs: number;
}

/** The work goes on unheeded after the signal or the limit: a prompt cannot be taken back. */
async function within<Result>(
  { signal, timer = systemTimer, what, hint, timeoutMs }: Within,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  throwIfAborted(signal, what);
  const onTimeout = (): TimedOutError => new TimedOutError({ what, timeoutMs, hint });
  return withTimeLimit({ timer, timeoutMs: Math.min(timeoutMs, TIMER_MAX_MS), onTimeout, signal }, (limited) =>
    abortable((async () => work(limited))(), limited, what),
  );
}

async function retryTemporary<Result>(
  ask: () => Promise<Result>,
  {
    method,
    timer,
    signal,
    what,
  }: { readonly method: string; readonly timer: Timer; readonly signal: AbortSignal; readonly what: string },
): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = Math.max(retryAfterMs(error, timer.now()) ?? 0, pauseMs);
      if (!isTemporary(error, method) || waitMs > PAUSE_MAX_MS) throw error;
      await waitOn(timer, waitMs, signal, what);
    }
  }
  return ask();
}

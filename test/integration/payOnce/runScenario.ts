import { createWalletClient, custom, type Hex } from "viem";

import {
  createServiceClient,
  CrosscallError,
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionJournal,
  QuoteRefusedError,
} from "../../../packages/sdk/src/index.ts";
import { ERROR_CODES } from "../../../packages/protocol/src/core/errors.ts";
import { requestIdOf } from "../../../packages/protocol/src/quote/planSteps.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { type MisbehavingWallet, misbehavingWallet } from "../../../packages/crosscall/src/testing/index.ts";
import type { NodeBehavior } from "../../../packages/crosscall/src/testing/misbehaving/nodeBehavior.ts";
import { openNode } from "../../../packages/crosscall/src/testing/misbehaving/nodeKinds.ts";
import type { MisbehavingWalletKind } from "../../../packages/crosscall/src/testing/misbehaving/walletOptions.ts";
import { CrashGate, ProcessDied } from "./crashGate.ts";
import {
  copyQuote,
  countPayments,
  heightOf,
  orderIdOf,
  type PayingChain,
  resultOf,
  setDelegation,
  USER,
} from "./payingChain.ts";
import { BLOCKS_BETWEEN_RUNS, isPermit, type Scenario } from "./scenarios.ts";
import { honestService, misbehavingService, type ServiceRequest } from "./standInService.ts";

/** Timeout of a run. It is short because most scenarios never reach the awaited state. */
const TIMEOUT_MS = 30;

/** Timeout of the last run, before which all payments are released. */
const LAST_TIMEOUT_MS = 20_000 * Number(process.env.CROSSCALL_TEST_TIMEOUT_FACTOR ?? 1);

const POLL_MS = 10;

/**
 * Maximum number of requests in a run, far more than a run needs within {@link TIMEOUT_MS}. The last run can poll a
 * slow solver more often.
 */
const REQUESTS_MAX = 1_500;

/** Time without requests after which a run counts as hung. Set a shorter time to debug many failures. */
const HANG_MS =
  Number(process.env.CROSSCALL_PAY_ONCE_HANG_MS ?? 30_000) * Number(process.env.CROSSCALL_TEST_TIMEOUT_FACTOR ?? 1);

/** Result of a scenario. */
export interface Verdict {
  readonly payments: number;
  /** Guarantees of `executeSteps` that were violated. */
  readonly violations: readonly string[];
  /** Events in order. */
  readonly steps: readonly string[];
}

export interface RunOptions {
  readonly chain: PayingChain;
  /** Service of the network that follows the chain. Defaults to a stand-in. */
  readonly service?: { readonly url: string; readonly apiKey: string };
}

/** Executes one quote several times, as a user who retries would, and counts the user's payments. */
export async function runScenario(scenario: Scenario, { chain, service }: RunOptions): Promise<Verdict> {
  const steps: string[] = [];
  const violations: string[] = [];
  const held: (() => Promise<unknown>)[] = [];
  const fromBlock = (await heightOf(chain)) + 1n;
  const quotes = [await chain.quote(scenario)];
  const [first] = quotes as [ReceivedQuote];
  if (scenario.journal === "reused") quotes.push(copyQuote(first, requestIdOf(first)));
  const orderIds = new Set(quotes.map(orderIdOf));
  const payments = (): Promise<readonly Hex[]> => countPayments(chain, orderIds, fromBlock);
  const { model } = scenario;
  const wallet = await openWallet(scenario, chain);
  const node: NodeBehavior =
    scenario.node === "fresh"
      ? { answer: chain.ask, release: () => Promise.resolve() }
      : openNode(scenario.node, scenario.node === "logLimit" ? { blocks: 10 } : {}, chain.ask);
  if (scenario.fallsBack || isPermit(model)) await setDelegation(chain, scenario.fallsBack);
  if (scenario.inclusion === "later") await resultOf(chain.ask, "evm_setAutomine", false);
  const entries = new Map<string, string>();

  const respondHonestly = honestService(chain, payments);
  const baseUrl = service?.url ?? "http://service.invalid";
  let hasAsked = false;
  // If the service lied from the start, it would only prevent the first payment.
  const respondAs = (kind: Scenario["service"]) =>
    misbehavingService(kind, { hasBegun: () => hasAsked, hold: (action) => held.push(action) });

  /** Requests from a run. They complete even if the run does not wait for them. */
  const underWay: Promise<unknown>[] = [];
  const begin = <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    underWay.push(answer);
    return answer;
  };

  const release = async (): Promise<void> => {
    await Promise.allSettled(underWay.splice(0));
    await wallet?.release().catch((error: unknown) => steps.push(`release refused: ${describe(error)}`));
    for (const action of held.splice(0)) await action().catch((error: unknown) => steps.push(describe(error)));
    // Mines blocks, so that pending transactions are included and a lagging node catches up.
    for (let block = 0; block < BLOCKS_BETWEEN_RUNS; block += 1) await resultOf(chain.ask, "evm_mine");
    steps.push(`released: ${(await payments()).length} payments`);
  };

  interface Run {
    readonly label: string;
    readonly quote: ReceivedQuote;
    readonly gate: CrashGate;
    readonly serviceKind: Scenario["service"];
    readonly timeoutMs: number;
    readonly isGasless: boolean;
    readonly paysAgain: boolean;
  }

  /** @returns whether the run reached the end of the request */
  async function run({ label, quote, gate, serviceKind, timeoutMs, isGasless, paysAgain }: Run): Promise<boolean> {
    const end = new AbortController();
    const hung = Promise.withResolvers<never>();
    hung.promise.catch(() => undefined);
    const requestsMax = timeoutMs === TIMEOUT_MS ? REQUESTS_MAX : Infinity;
    let requests = 0;
    const giveUp = (why: string): void => {
      if (end.signal.aborted) return;
      violations.push(`${label}: does not end (${why})`);
      end.abort();
    };
    const onNode = async (method: string, params: readonly unknown[]): Promise<unknown> => {
      gate.requireAlive();
      requests += 1;
      if (requests > requestsMax) giveUp(`${requestsMax} requests`);
      const answer = await begin(node.answer({ jsonrpc: "2.0", id: 1, method, params }));
      gate.requireAlive();
      if ("status" in answer) throw new Error("the node returned no JSON-RPC response");
      if (answer.error === undefined) {
        if (method !== "eth_sendRawTransaction") return answer.result;
        hasAsked = true;
        steps.push(`${label}: sent ${String(answer.result)}`);
        return answer.result;
      }
      throw Object.assign(new Error(answer.error.message), answer.error);
    };
    const request = async ({
      method,
      params = [],
    }: {
      method: string;
      params?: readonly unknown[];
    }): Promise<unknown> => {
      if (wallet === undefined || !asksUser(method)) {
        return method === "eth_sendRawTransaction"
          ? gate.pass("wallet", () => onNode(method, params))
          : onNode(method, params);
      }
      return gate.pass("wallet", async () => {
        hasAsked = true;
        const isRead = method.startsWith("wallet_get");
        if (!isRead) steps.push(`${label}: wallet ${method}`);
        const answer = await wallet.request({ method, params });
        if (!isRead) steps.push(`${label}: wallet answered ${JSON.stringify(answer)}`);
        return answer;
      });
    };
    const answer = respondAs(serviceKind);
    const client = createServiceClient({
      baseUrl,
      apiKey: service?.apiKey ?? "crosscall-local",
      limits: false,
      retry: false,
      ...(service === undefined ? { timeoutMs } : {}),
      fetch: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        const method = init?.method ?? "GET";
        const body = (typeof init?.body === "string" ? JSON.parse(init.body) : {}) as ServiceRequest["body"];
        requests += 1;
        if (requests > requestsMax) giveUp(`${requestsMax} requests`);
        // The service can act on the request even if the signal aborts it.
        const honest = (): Promise<Response> =>
          begin(
            service === undefined
              ? respondHonestly({ method, path: url.pathname, body })
              : fetch(url, { ...init, signal: null }),
          );
        const signal = init?.signal ?? undefined;
        return gate.pass("service", async () => {
          const response = await answer({ method, path: url.pathname, body, honest, signal });
          if (url.pathname.startsWith("/execute")) hasAsked = true;
          if (method === "POST") steps.push(`${label}: POST ${url.pathname} ${response.status}`);
          return response;
        });
      },
    });
    const journal: ExecutionJournal = {
      get: (key) => {
        gate.requireAlive();
        const value = entries.get(key);
        return Promise.resolve(
          value === undefined || scenario.journal !== "withoutHashes" ? value : withoutHash(value),
        );
      },
      set: (key, value) =>
        gate.pass("journal", () => {
          entries.set(key, value);
          return Promise.resolve();
        }),
    };
    const parameters: ExecuteStepsParameters & { readonly payAgain?: boolean } = {
      quote,
      wallet: createWalletClient({
        account: wallet?.address ?? USER,
        chain: describeChain(chain.id, chain.rpcUrl),
        transport: custom({ request }, { retryCount: 0 }),
        pollingInterval: POLL_MS,
        cacheTime: 0,
      }),
      gasless: isGasless,
      journal,
      freshness: false,
      pollIntervalMs: POLL_MS,
      timeoutMs,
      signal: end.signal,
      ...(paysAgain ? { payAgain: true } : {}),
      onEvent: (event) => {
        if (event.kind !== "status") steps.push(`${label}: event ${event.kind}`);
      },
    };
    const watchdog = setTimeout(() => {
      giveUp("hangs");
      setTimeout(() => hung.reject(new Error("hangs after its signal")), HANG_MS).unref();
    }, HANG_MS);
    try {
      const { status } = await Promise.race([executeSteps(client, parameters), hung.promise]);
      steps.push(`${label}: ${status.status}`);
      return true;
    } catch (error) {
      steps.push(`${label}: ${describe(error)}`);
      if (!gate.isDead && !isDocumented(error)) violations.push(`${label}: undocumented rejection ${describe(error)}`);
      // Without its journal, the run cannot determine who paid for a filled order.
      return scenario.journal === "lost" && isUsedOrder(error);
    } finally {
      clearTimeout(watchdog);
      // Work that continues after a hang must not affect the next run.
      gate.isDead = true;
    }
  }

  for (const index of [0, 1, 2] as const) {
    await run({
      label: `run ${index + 1}`,
      quote: (index === 0 ? undefined : quotes[1]) ?? first,
      gate: new CrashGate(index === 0 ? scenario.crash : null),
      serviceKind: scenario.service,
      timeoutMs: TIMEOUT_MS,
      isGasless: model === "gasless" && (index === 0 || !scenario.fallsBack),
      paysAgain: index === 2 && scenario.paysAgain,
    });
    if (scenario.journal === "lost") entries.clear();
    if (index < 2 && scenario.release[index === 0 ? 0 : 1]) await release();
  }
  await release();
  await node.release().catch((error: unknown) => steps.push(describe(error)));
  if (scenario.inclusion === "later") await resultOf(chain.ask, "evm_setAutomine", true);

  const allowed = scenario.paysAgain ? 2 : 1;
  const paid = (await payments()).length;
  if (paid > allowed) violations.push(`paid ${paid} times`);
  if (paid > 0 && scenario.service === "honest") {
    const succeeds = await run({
      label: "last run",
      quote: await paidQuote(chain, quotes, fromBlock),
      gate: new CrashGate(null),
      serviceKind: "honest",
      timeoutMs: LAST_TIMEOUT_MS,
      isGasless: model === "gasless" && !scenario.fallsBack,
      paysAgain: false,
    });
    if (!succeeds) violations.push("the last run did not find the payment");
    await release();
    const inTheEnd = (await payments()).length;
    if (inTheEnd > paid) violations.push(`paid ${inTheEnd} times, the last time after every transaction was included`);
  }
  await wallet?.close();
  return { payments: paid, violations, steps };
}

/** Returns undefined if the app holds the key. */
async function openWallet({ model }: Scenario, chain: PayingChain): Promise<MisbehavingWallet | undefined> {
  if (model === "localAccount" || model === "gasless") return undefined;
  const kind: MisbehavingWalletKind = isPermit(model) ? "honest" : model;
  const options = model === "neverAnswers" ? { sends: true } : {};
  return misbehavingWallet(kind, { account: USER, rpcUrl: chain.rpcUrl, hasCode: false, ...options });
}

function asksUser(method: string): boolean {
  return method.startsWith("wallet_") || method === "eth_sendTransaction" || method === "eth_signTypedData_v4";
}

function withoutHash(entry: string): string {
  const value = JSON.parse(entry) as Readonly<Record<string, unknown>>;
  if (value.signed !== undefined || Array.isArray(value)) return entry;
  const { txHash: _, ...others } = value;
  return JSON.stringify(others);
}

async function paidQuote(
  chain: PayingChain,
  quotes: readonly ReceivedQuote[],
  fromBlock: bigint,
): Promise<ReceivedQuote> {
  for (const quote of quotes) {
    if ((await countPayments(chain, new Set([orderIdOf(quote)]), fromBlock)).length > 0) return quote;
  }
  throw new Error("no quote is paid");
}

function isUsedOrder(error: unknown): boolean {
  return error instanceof QuoteRefusedError && error.unmet.some(({ code }) => code === "REQUEST_NEW");
}

function isDocumented(error: unknown): boolean {
  return error instanceof CrosscallError && Object.hasOwn(ERROR_CODES, error.code);
}

function describe(error: unknown): string {
  if (error instanceof ProcessDied) return error.message;
  if (error instanceof CrosscallError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? `${error.name}: ${error.message.split("\n", 1)[0]}` : JSON.stringify(error);
}

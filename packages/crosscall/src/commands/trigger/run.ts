import type { Address } from "viem";

import { createServiceClient, getQuote, getRequest, type ServiceClient, watchRequest } from "@crosscall/sdk";
import { InvalidStateError, pause, printableData, TimedOutError } from "@crosscall/protocol/core";
import { ChainListSchema } from "@crosscall/protocol/common";
import { type QuoteRequest, requestIdOf } from "@crosscall/protocol/quote/rules";
import { isPresent } from "@crosscall/protocol/schema";
import { demoRequest, payQuote, type RunningChain } from "../../localnet/market/demoRequest.ts";
import { LOCAL_API_KEY } from "../../localnet/defaults.ts";
import { requireScenario } from "../../localnet/scenarios/catalogue.ts";
import { fromText, parseParameters, schemaOf } from "../../localnet/scenarios/parameters.ts";
import type { Scenario } from "../../localnet/scenarios/scenario.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { callAdmin } from "../../admin/callAdmin.ts";
import { readPairs, type QuoteVersionOptions, toQuoteVersion } from "../../options/commonOptions.ts";
import { chooseKey, requireNetwork } from "../../options/network.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { createProgressLines } from "../../terminal/progressLines.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";

interface TriggerOptions extends AdminOptions, QuoteVersionOptions {
  readonly parameter: readonly string[];
  readonly apiKey?: string;
}

/** Polling interval. A local fill takes a fraction of a second. */
const POLL_INTERVAL_MS = 50;

/** Polling interval of the held fills. */
const HOLD_POLL_MS = 200;

/** Milliseconds after which the current status is shown, for example because a reorg removed the deposit. */
const FOLLOW_MS = 30_000;

/** Name for no scenario: the request is filled. */
const SUCCESS = "success";

interface Outcome {
  readonly requestId?: string;
  readonly status?: string;
  readonly failReason?: string | null;
  readonly refundFailReason?: string | null;
  /** Whether a hold of `crosscall fills` or the scenario `stuck` keeps the request pending. */
  readonly isHeld?: true;
  /** Status and body of a rejected or faulty quote; null if the connection broke. */
  readonly response?: { readonly status: number; readonly body: string } | null;
}

/** Sets a scenario for one request, and sends that request. */
export async function runTrigger(name: string, { parameter, ...options }: TriggerOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const { json = false } = options;
  const progress = createProgressLines({ isSilent: json });
  const scenario = name === SUCCESS ? undefined : requireScenario(name, "<scenario>");
  const pairs = readPairs(parameter);
  const { network, request } = await describeRequest(options, signal);
  try {
    if (scenario !== undefined) await setScenario(options, scenario, pairs, signal);
    progress.wait("following the request");
    const outcome = await play(options, scenario, network, request, signal);
    if (scenario !== undefined) await requireUsed(options, scenario, signal);
    progress.stop();
    writeOutput(
      json
        ? toJsonLine({ ok: true, scenario: scenario?.name ?? SUCCESS, ...outcome })
        : toText(scenario, printableData(outcome)),
    );
  } finally {
    progress.stop();
  }
}

/** Requests a quote from native currency on the first chain to dollars on the second. */
async function describeRequest(
  options: AdminOptions,
  signal: AbortSignal,
): Promise<{ network: readonly RunningChain[]; request: QuoteRequest }> {
  const route = { method: "GET", path: "/chains", response: ChainListSchema } as const;
  const { chains } = await callAdmin(options, route, {}, signal);
  const running = chains.filter(({ vmType, httpRpcUrl }) => vmType === "evm" && httpRpcUrl !== "");
  const [origin, destination] = running;
  const dollar = destination?.erc20Currencies.find(({ symbol }) => symbol === "USDC")?.address;
  if (origin === undefined || destination === undefined || dollar === undefined) {
    throw new InvalidStateError({
      message: "the network does not have two chains with a dollar token",
      hint: "With --url, pass the URL of a network that `crosscall up` started.",
    });
  }
  return {
    network: running.map(({ id, httpRpcUrl: rpcUrl }) => ({ id, rpcUrl })),
    request: demoRequest(origin.id, destination.id, dollar as Address),
  };
}

async function setScenario(
  options: AdminOptions,
  { name }: Scenario,
  pairs: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const schema = schemaOf(name);
  const body = { name, parameters: parseParameters(schema, fromText(schema, pairs), name), next: 1 };
  await callAdmin(options, ADMIN_ROUTES.scenarios.set, { body }, signal);
}

/** Clears a scenario that did not apply, so that the scenario does not affect a later request. */
async function requireUsed(options: AdminOptions, { name }: Scenario, signal: AbortSignal): Promise<void> {
  const { list, clear } = ADMIN_ROUTES.scenarios;
  const { scenarios } = await callAdmin(options, list, {}, signal);
  if (!scenarios.some((active) => active.name === name && active.uses === 0)) return;
  await callAdmin(options, clear, { query: { name } }, signal);
  throw new InvalidStateError({
    message: `the scenario ${name} did not apply to the request`,
    hint: `Pass parameters that match the request. Or run \`crosscall scenarios set ${name} --next 1\`, then send a request that the scenario applies to.`,
  });
}

function play(
  options: Omit<TriggerOptions, "parameter">,
  scenario: Scenario | undefined,
  network: readonly RunningChain[],
  request: QuoteRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const { url, apiKey: own } = requireNetwork(options.url, "--url");
  const choice = { given: options.apiKey, own, variable: "CROSSCALL_API_KEY", url: options.url };
  const apiKey = chooseKey(choice) ?? LOCAL_API_KEY;
  // Uses `fetch`, because the client would hide transient errors with retries.
  if (scenario?.family === "quoteError" || scenario?.family === "answer") {
    return quoteOnce(`${url}/quote/${options.quoteVersion ?? "v3"}`, apiKey, request, signal);
  }
  const client = createServiceClient({ baseUrl: url, apiKey, ...toQuoteVersion(options) });
  return makeRequest(client, { options, scenario, chains: network, request, signal });
}

async function quoteOnce(url: string, apiKey: string, request: QuoteRequest, signal: AbortSignal): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify(request),
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    });
    return { response: { status: response.status, body: await response.text() } };
  } catch {
    signal.throwIfAborted();
    return { response: null };
  }
}

/** Timeout in milliseconds that ends the scenario `http:timeout`, which never responds. */
const RESPONSE_TIMEOUT_MS = 5_000;

interface MakeRequestParameters {
  readonly options: AdminOptions;
  readonly scenario: Scenario | undefined;
  readonly chains: readonly RunningChain[];
  readonly request: QuoteRequest;
  readonly signal: AbortSignal;
}

async function makeRequest(
  client: ServiceClient,
  { options, scenario, chains, request, signal }: MakeRequestParameters,
): Promise<Outcome> {
  const quote = await getQuote(client, { ...request, signal });
  const requestId = requestIdOf(quote);
  await payQuote(quote.steps, { originChainId: request.originChainId, chains, signal });
  // A held request does not end.
  const held = new AbortController();
  const ended = new AbortController();
  const watching = watchRequest(client, {
    requestId,
    pollIntervalMs: POLL_INTERVAL_MS,
    refundGraceMs: 0,
    timeoutMs: FOLLOW_MS,
    signal: AbortSignal.any([signal, held.signal]),
    onStatus({ status }) {
      if (scenario?.name === "stuck" && status === "pending") held.abort();
    },
  }).finally(() => ended.abort());
  const holding = waitForHold(options, requestId, AbortSignal.any([signal, ended.signal])).then((isHeld) => {
    if (isHeld) held.abort();
  });
  try {
    await Promise.all([watching, holding]);
  } catch (error) {
    if (!held.signal.aborted && !(error instanceof TimedOutError)) throw error;
  }
  const { status, data } = await getRequest(client, { requestId, signal });
  return {
    requestId,
    ...(isPresent(status) ? { status } : {}),
    failReason: data?.failReason ?? null,
    refundFailReason: data?.refundFailReason ?? null,
    ...(held.signal.aborted ? { isHeld: true } : {}),
  };
}

/** Waits until a hold of `crosscall fills` stops the request. Returns false when the signal ends the wait. */
async function waitForHold(options: AdminOptions, requestId: string, signal: AbortSignal): Promise<boolean> {
  try {
    while (!signal.aborted) {
      const query = { limit: 1_000 };
      const { held } = await callAdmin(options, ADMIN_ROUTES.fills.list, { query }, signal);
      if (held.some((fill) => fill.requestId === requestId)) return true;
      await pause(HOLD_POLL_MS, signal);
    }
    return false;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

function toText(
  scenario: Scenario | undefined,
  { requestId, status, failReason, refundFailReason, response, isHeld }: Outcome,
): string {
  const isStuck = scenario?.name === "stuck";
  const injected = scenario === undefined ? "" : `   (injected by the scenario ${scenario.name})`;
  const isFailed = failReason != null && failReason !== "N/A";
  const lines = [
    ...(requestId === undefined ? [] : [`request  ${requestId}`]),
    ...(status === undefined
      ? []
      : [
          `status   ${status}${isHeld === true ? `, held by ${isStuck ? "the scenario stuck" : "`crosscall fills hold`"}` : ""}`,
        ]),
    ...(isFailed ? [`reason   ${failReason}${injected}`] : []),
    ...(refundFailReason == null ? [] : [`refund   ${refundFailReason}${injected}`]),
    ...(response === undefined
      ? []
      : [`quote    ${response === null ? "no response" : `status ${response.status}: ${response.body}`}${injected}`]),
    ...(isHeld === true
      ? [`To do:   release it with \`crosscall ${isStuck ? "scenarios clear stuck" : `fills release ${requestId}`}\``]
      : []),
    ...(scenario === undefined || isStuck ? [] : [`To do:   ${scenario.hint}`]),
  ];
  return `${lines.join("\n")}\n`;
}

import { createWalletClient, http, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { createServiceClient, getQuote, getRequest, type ServiceClient, watchRequest } from "@crosscall/sdk";
import { abortable, InvalidStateError, printableData, TimedOutError } from "@crosscall/protocol/core";
import { ChainListSchema } from "@crosscall/protocol/common";
import { type PlannedStep, planSteps, type QuoteRequest, requestIdOf } from "@crosscall/protocol/quote/rules";
import { isPresent } from "@crosscall/protocol/schema";
import { localAccounts } from "../../localnet/devchain/accounts.ts";
import { describeChain } from "../../localnet/devchain/chainClient.ts";
import { LOCAL_API_KEY } from "../../localnet/defaults.ts";
import { requireScenario } from "../../localnet/scenarios/catalogue.ts";
import { fromText, parseParameters, schemaOf } from "../../localnet/scenarios/parameters.ts";
import type { Scenario } from "../../localnet/scenarios/scenario.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { callAdmin } from "../../admin/callAdmin.ts";
import { readPairs, type QuoteVersionOptions, toQuoteVersion } from "../../options/commonOptions.ts";
import { requireNetwork } from "../../options/network.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { createProgressLines } from "../../terminal/progressLines.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";

interface TriggerOptions extends AdminOptions, QuoteVersionOptions {
  readonly parameter: readonly string[];
}

/** In wei. */
const AMOUNT = parseEther("0.01");

/** Polling interval. A local fill takes a fraction of a second. */
const POLL_INTERVAL_MS = 50;

/** Milliseconds after which the current status is shown, for example because a reorg removed the deposit. */
const FOLLOW_MS = 30_000;

/** Name that stands for no scenario: the request is filled. */
const SUCCESS = "success";

interface Outcome {
  readonly requestId?: string;
  readonly status?: string;
  readonly failReason?: string | null;
  readonly refundFailReason?: string | null;
  /** Status and body of a rejected or faulty quote; null if the connection broke. */
  readonly response?: { readonly status: number; readonly body: string } | null;
}

interface LocalChain {
  readonly id: number;
  readonly rpcUrl: string;
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
): Promise<{ network: readonly LocalChain[]; request: QuoteRequest }> {
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
  const user = localAccounts.user.address;
  return {
    network: running.map(({ id, httpRpcUrl: rpcUrl }) => ({ id, rpcUrl })),
    request: {
      user,
      recipient: user,
      refundTo: user,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: dollar,
      tradeType: "EXACT_INPUT",
      amount: AMOUNT.toString(),
    },
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
  options: AdminOptions & QuoteVersionOptions,
  scenario: Scenario | undefined,
  network: readonly LocalChain[],
  request: QuoteRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const { url, apiKey = LOCAL_API_KEY } = requireNetwork(options.url, "--url");
  // Uses `fetch`, because the client would hide transient errors with retries.
  if (scenario?.family === "quoteError" || scenario?.family === "answer") {
    return quoteOnce(`${url}/quote/${options.quoteVersion ?? "v3"}`, apiKey, request, signal);
  }
  const client = createServiceClient({ baseUrl: url, apiKey, ...toQuoteVersion(options) });
  return makeRequest(client, scenario, network, request, signal);
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

async function makeRequest(
  client: ServiceClient,
  scenario: Scenario | undefined,
  chains: readonly LocalChain[],
  request: QuoteRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const quote = await getQuote(client, { ...request, signal });
  const requestId = requestIdOf(quote);
  // Some scenarios need a wrong deposit, which `executeSteps` would reject.
  for (const step of planSteps(quote.steps, request.originChainId)) {
    if (step.kind === "transaction") await sendStep(step, chains, signal);
  }
  const held = new AbortController();
  try {
    await watchRequest(client, {
      requestId,
      pollIntervalMs: POLL_INTERVAL_MS,
      refundGraceMs: 0,
      timeoutMs: FOLLOW_MS,
      signal: AbortSignal.any([signal, held.signal]),
      onStatus({ status }) {
        // A held request does not end.
        if (scenario?.name === "stuck" && status === "pending") held.abort();
      },
    });
  } catch (error) {
    if (!held.signal.aborted && !(error instanceof TimedOutError)) throw error;
  }
  const { status, data } = await getRequest(client, { requestId, signal });
  return {
    requestId,
    ...(isPresent(status) ? { status } : {}),
    failReason: data?.failReason ?? null,
    refundFailReason: data?.refundFailReason ?? null,
  };
}

async function sendStep(
  { chainId, to, data, value }: Extract<PlannedStep, { kind: "transaction" }>,
  chains: readonly LocalChain[],
  signal: AbortSignal,
): Promise<void> {
  const chain = chains.find(({ id }) => id === chainId);
  if (chain === undefined) {
    throw new InvalidStateError({
      message: `the network has no chain ${chainId}`,
      hint: "With --url, pass the URL of a network that `crosscall up` started.",
    });
  }
  const wallet = createWalletClient({
    account: localAccounts.user,
    chain: describeChain(chainId, chain.rpcUrl),
    transport: http(chain.rpcUrl),
    pollingInterval: POLL_INTERVAL_MS,
  });
  const hash = await sendTransaction(wallet, { to, data, value });
  await abortable(waitForTransactionReceipt(wallet, { hash }), signal, "the payment");
}

function toText(
  scenario: Scenario | undefined,
  { requestId, status, failReason, refundFailReason, response }: Outcome,
): string {
  const lines = [
    ...(requestId === undefined ? [] : [`request  ${requestId}`, `status   ${status ?? ""}`]),
    ...(failReason == null || failReason === "N/A" ? [] : [`reason   ${failReason}`]),
    ...(refundFailReason == null ? [] : [`refund   ${refundFailReason}`]),
    ...(response === undefined
      ? []
      : [response === null ? "quote    no response" : `quote    status ${response.status}: ${response.body}`]),
    ...(scenario === undefined ? [] : [`To do:   ${scenario.hint}`]),
  ];
  return `${lines.join("\n")}\n`;
}

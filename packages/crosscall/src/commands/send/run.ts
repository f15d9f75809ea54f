import { dirname, join, resolve } from "node:path";

import { type Account, type Address, createWalletClient, custom } from "viem";

import type { ExecutionJournal, ExecutionResult, ServiceClient } from "@crosscall/sdk";
import {
  type ExecutionParameters,
  openRun,
  prepareExecution,
  type QuoteFreshness,
  type ViemWallet,
} from "@crosscall/sdk/kit";
import {
  originChainIdOf,
  type PlannedStep,
  planSteps,
  quoteFeeTable,
  type QuoteRequest,
  type ReceivedQuote,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import { compact, InvalidInputError, printableData } from "@crosscall/protocol/core";
import { formatFeeTable } from "@crosscall/protocol/fees";
import type { Quote } from "@crosscall/protocol/quote";
import type { ServiceTrust } from "@crosscall/sdk/verify";
import { connectChains, requireTarget, type Target } from "../../options/target.ts";
import { endpointsOf, findNetwork, openService } from "../../options/network.ts";
import { quotedAmounts } from "../../replay/report/quoteNotation.ts";
import { readQuoteCurrencies } from "../verify/readQuoteCurrencies.ts";
import { readAccount, requireAccount } from "../../options/privateKey.ts";
import { readQuote, readTrust } from "../../options/readQuote.ts";
import type { QuoteVersionOptions, ServiceOptions } from "../../options/commonOptions.ts";
import { confirm } from "../../terminal/confirm.ts";
import { type Interrupt, interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { createProgressLines } from "../../terminal/progressLines.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { createFileJournal, lockRequest } from "./fileJournal.ts";
import { sendQuote } from "./sendQuote.ts";

interface SendOptions extends QuoteVersionOptions, ServiceOptions {
  readonly rpcUrl?: readonly string[];
  readonly keyFile?: string;
  readonly journal?: string;
  readonly maxAge?: number;
  readonly toleranceBps?: number;
  readonly trust?: string;
  readonly trustService?: boolean;
  readonly gasless?: boolean;
  readonly timeout?: number;
  readonly payAgain?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function runSend(file: string, options: SendOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const quote = await readQuote(file);
  writeOutput(
    options.dryRun === true ? await look(file, quote, options, interrupt) : await send(file, quote, options, interrupt),
  );
}

async function look(file: string, quote: ReceivedQuote, options: SendOptions, { signal }: Interrupt): Promise<string> {
  const client = openPaidService(options);
  const account = await readAccount(options.keyFile);
  const targets = await connectChains(endpointsFor(quote, options), signal);
  const outcome = await dryRun(client, {
    quote,
    wallets: openWalletsOf(quote, targets, account ?? (quote.quotedRequest.user as `0x${string}`)),
    journal: createFileJournal(journalOf(file, options)),
    freshness: toFreshness(options),
    trust: await trustOf(options),
    preflight: preflightOn(targets, await readTrust(options.trust)),
    gasless: options.gasless === true,
    payAgain: options.payAgain === true,
    ...timeoutOf(options),
    signal,
  });
  const requestId = requestIdOf(outcome.quote);
  if (options.json === true) return toJsonLine({ ok: true, isDryRun: true, requestId, ...outcome });
  return `${await describeQuote(outcome.quote, quote.quotedRequest, targets, options)}${toActionText(printableData(outcome))}`;
}

async function send(file: string, quote: ReceivedQuote, options: SendOptions, { signal }: Interrupt): Promise<string> {
  const { json = false, yes = false, payAgain = false } = options;
  const folder = journalOf(file, options);
  const client = openPaidService(options);
  const account = await requireAccount(options.keyFile);
  const targets = await connectChains(endpointsFor(quote, options), signal);
  const wallets = openWalletsOf(quote, targets, account);
  const progress = createProgressLines({ isSilent: json });
  progress.line(await describeQuote(quote, quote.quotedRequest, targets, options));
  if (!yes) await confirm(payAgain ? PAY_AGAIN_QUESTION : "Send it?", "the payment", signal);
  const journal = createFileJournal(folder);
  const unlock = await lockRequest(folder, requestIdOf(quote));
  try {
    const result = await sendQuote(client, {
      quote,
      wallets,
      journal,
      signal,
      progress,
      freshness: toFreshness(options),
      trust: await trustOf(options),
      preflight: preflightOn(targets, await readTrust(options.trust)),
      gasless: options.gasless === true,
      payAgain,
      ...compact({ destinationClient: destinationOf(quote, targets, options) }),
      ...timeoutOf(options),
      resume: resumeCommand({ ...options, file, journal: folder }),
    });
    return json ? toJsonLine({ ok: true, ...result }) : toText(printableData(result));
  } finally {
    await unlock();
  }
}

/** Opens the service. Requires the URL if endpoints are given, because the quotes of this folder's network can only be paid on its own chains. */
function openPaidService(options: SendOptions): ServiceClient {
  const { apiUrl, rpcUrl = [] } = options;
  if (rpcUrl.length === 0 || (apiUrl !== undefined && apiUrl !== "")) return openService(options);
  throw new InvalidInputError({
    field: "--api-url",
    value: undefined,
    reason: "--rpc-url is given, so the command does not use the network of this folder",
    hint: "Pass the URL of the quote's service, or omit --rpc-url to use the network of `crosscall up` in this folder.",
  });
}

/** Returns the given endpoints, or those of the quote's chains in this folder's network. */
function endpointsFor({ quotedRequest }: ReceivedQuote, { apiUrl, rpcUrl }: SendOptions): readonly string[] {
  return endpointsOf(rpcUrl, findNetwork(apiUrl), [quotedRequest.originChainId, quotedRequest.destinationChainId]);
}

const PAY_AGAIN_QUESTION = "An earlier payment may still go through, and you could pay twice. Send anyway?";

function timeoutOf({ timeout }: SendOptions): { readonly timeoutMs?: number } {
  return timeout === undefined ? {} : { timeoutMs: timeout * 60_000 };
}

/** Returns the journal's path, by default next to the quote, so that a later run finds the journal. */
function journalOf(file: string, { journal }: SendOptions): string {
  return journal === undefined ? join(dirname(resolve(file)), ".crosscall", "journal") : resolve(journal);
}

async function trustOf({ trust, trustService }: SendOptions): Promise<ServiceTrust | "service"> {
  return trustService === true ? "service" : await readTrust(trust);
}

/** Confirms the fill on chain if its chain has an endpoint. */
function destinationOf(
  { quotedRequest }: ReceivedQuote,
  targets: ReadonlyMap<number, Target>,
  { trustService }: SendOptions,
): Target["client"] | undefined {
  return trustService === true ? undefined : targets.get(quotedRequest.destinationChainId)?.client;
}

/** Creates a preflight that runs on forks in this process, for chains with an endpoint. */
function preflightOn(
  targets: ReadonlyMap<number, Target>,
  trust: ServiceTrust,
): NonNullable<ExecutionParameters["preflight"]> {
  return async (preflight) => {
    const { createPreflight } = await import("../../replay/preflight/preflight.ts");
    const chains = [...targets].map(([id, { rpcUrl }]) => ({ id, rpcUrl }));
    return createPreflight({ chains, trust })(preflight);
  };
}

function toFreshness({ maxAge, toleranceBps }: SendOptions): QuoteFreshness {
  return compact({ maxAgeMs: maxAge === undefined ? undefined : maxAge * 1000, toleranceBps });
}

function toActionText({ actions }: DryRun): string {
  if (actions.length === 0) return "The request is already paid: nothing would be sent.\n";
  const lines = actions.map((action) =>
    action.kind === "transaction"
      ? `would send ${action.stepId} to ${action.to} on chain ${action.chainId}, value ${action.value} wei`
      : `would perform ${action.stepId}, a ${action.kind}`,
  );
  return `${[...lines, "The account has the funds; nothing was sent."].join("\n")}\n`;
}

function toText({ requestId, transactions, status }: ExecutionResult): string {
  const lines = transactions.map(({ chainId, txHash }) => `paid       ${txHash} on chain ${chainId}`);
  const fills = (status.txHashes ?? []).map((txHash) => `filled     ${txHash}`);
  return `${[`request    ${requestId}`, `status     ${status.status}`, ...lines, ...fills].join("\n")}\n`;
}

/** Describes a quote before payment: payer, recipient, amounts and fees. Reads symbols and decimals from the tokens. */
async function describeQuote(
  quote: Quote,
  request: QuoteRequest,
  targets: ReadonlyMap<number, Target>,
  options: SendOptions,
): Promise<string> {
  const currencies = await readQuoteCurrencies(targets, { request, quote });
  const terms = printableData({ request, quote, trust: await readTrust(options.trust), currencies });
  const { pays, gets } = quotedAmounts(terms);
  const { sender, recipient } = terms.quote.details ?? {};
  return [
    `request    ${requestIdOf(terms.quote)}`,
    `pays       ${pays} on chain ${request.originChainId}, from ${sender ?? "an unknown account"}`,
    `gets       at least ${gets} on chain ${request.destinationChainId}, to ${recipient ?? "an unknown account"}`,
    `steps      ${(terms.quote.steps ?? []).map(({ id }) => id ?? "unnamed").join(", ")}`,
    "",
    formatFeeTable(quoteFeeTable(terms.quote)),
    "",
  ].join("\n");
}

export interface DryRun {
  /** The given quote, or the new quote that replaces it. */
  readonly quote: Quote;
  /** Steps to execute; empty if the request is already paid. */
  readonly actions: readonly PlannedStep[];
}

/** Runs all checks that precede the first step, including checks of funds. Writes nothing. */
async function dryRun(
  client: ServiceClient,
  parameters: ExecutionParameters & { readonly journal: ExecutionJournal },
): Promise<DryRun> {
  const { journal } = parameters;
  const unwritten: ExecutionJournal = { get: (key) => journal.get(key), set: () => Promise.resolve() };
  const { quote, actions } = await prepareExecution(await openRun(client, { ...parameters, journal: unwritten }));
  return { quote, actions };
}

/** @param account account of the user; an address suffices for a dry run */
function openWalletsOf(
  quote: Quote,
  targets: ReadonlyMap<number, Target>,
  account: Account | Address,
): Readonly<Record<number, ViemWallet>> {
  for (const action of planSteps(quote.steps, originChainIdOf(quote))) {
    if (action.kind === "transaction") requireTarget(targets, action.chainId);
  }
  return Object.fromEntries(
    [...targets].map(([chainId, { client }]) => [
      chainId,
      // No retries or signal here: the client retries and stops on Ctrl-C.
      createWalletClient({
        account,
        transport: custom({ request: client.request as (call: unknown) => Promise<unknown> }, { retryCount: 0 }),
      }),
    ]),
  );
}

/** Arguments for the next run, except endpoints, keys and `--pay-again`. */
type ResumedRun = { readonly file: string; readonly journal: string } & Pick<
  SendOptions,
  "keyFile" | "maxAge" | "quoteVersion" | "toleranceBps" | "trust" | "trustService" | "gasless" | "timeout"
>;

/**
 * Returns the command for the next run. Omits endpoints, because their URLs may contain keys.
 *
 * @param run arguments, with an absolute `journal`
 */
export function resumeCommand(run: ResumedRun): string {
  const { file, journal, keyFile, maxAge, quoteVersion, toleranceBps, trust, trustService, gasless, timeout } = run;
  const options: [name: string, value: string | number | undefined][] = [
    ["--journal", journal],
    ["--key-file", keyFile === undefined ? undefined : resolve(keyFile)],
    ["--max-age", maxAge],
    ["--quote-version", quoteVersion],
    ["--tolerance-bps", toleranceBps],
    ["--trust", trust === undefined ? undefined : resolve(trust)],
    ["--timeout", timeout],
  ];
  const given = options.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
  if (trustService === true) given.push("--trust-service");
  if (gasless === true) given.push("--gasless");
  return ["crosscall", "send", resolve(file), ...given, "--yes"].map(quote).join(" ");
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

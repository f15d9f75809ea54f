import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { ChainError, InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import { getChains, type ServiceClient } from "@crosscall/sdk";
import type { FoundNetwork } from "../../options/network.ts";
import { parseRpcUrl, requireRpcUrl } from "../../options/target.ts";
import { fillOfRequest } from "../../replay/subject/fillOfRequest.ts";
import { toWire } from "../../replay/report/reportJson.ts";
import {
  destinationOf,
  isSvmChain,
  originOf,
  replaySvmRequest,
  replaySvmTransaction,
} from "../../replay/svm/replaySvm.ts";
import { formatSvmReport } from "../../replay/svm/report/formatSvmReport.ts";
import { type ShownSvmReport, toSvmHtml } from "../../replay/svm/report/svmReportHtml.ts";
import type { SvmReport } from "../../replay/svm/svmReport.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { writeOut } from "../../terminal/replaceFile.ts";
import type { Stages } from "../../terminal/stages.ts";
import type { RunOptions } from "./replayOptions.ts";

interface SvmContext {
  readonly options: RunOptions;
  readonly network: FoundNetwork | undefined;
  readonly stages: Stages;
  readonly signal: AbortSignal;
}

/** Returns whether only SVM chains have transactions of the request that can be shown. */
export function isSvmOnly(record: RequestRecord): boolean {
  if (isSvmChain(destinationOf(record))) return true;
  return isSvmChain(originOf(record)) && !hasFill(record);
}

function hasFill(record: RequestRecord): boolean {
  try {
    fillOfRequest(record);
    return true;
  } catch (error) {
    // A record without a fill, or with a fill on a chain of a different family.
    if (error instanceof InvalidStateError || error instanceof InvalidInputError) return false;
    throw error;
  }
}

/**
 * Prints what a transaction of an SVM chain did. Asks every chain, because a signature does not identify its chain.
 *
 * @throws {@link InvalidInputError} if no endpoint has the transaction, or the options require a fork
 */
export async function printSvmTransaction(signature: string, context: SvmContext): Promise<void> {
  const { options, network, stages, signal } = context;
  rejectForkOptions(options);
  const endpoints = endpointsOf(options, network).map(parseRpcUrl);
  const candidates = endpoints.filter(({ id }) => id === undefined || isSvmChain(id));
  const [first] = candidates;
  if (first === undefined) requireRpcUrl(undefined, SVM_CHAIN_ID);
  const found = await stages.run("Read the transaction", async () => {
    const failures: unknown[] = [];
    for (const { id: chainId, url } of candidates) {
      try {
        const rpcUrl = requireRpcUrl([url], undefined);
        return { chainId, report: await replaySvmTransaction(signature, { rpcUrl, chainId, signal }) };
      } catch (error) {
        if (!(error instanceof ChainError || error instanceof InvalidInputError)) throw error;
        failures.push(error);
      }
    }
    // A node that does not respond may have the transaction.
    throw failures.find((error) => error instanceof ChainError) ?? failures[0];
  });
  const { chainId, report } = found;
  await print([{ role: "transaction", chainId, report }], options);
}

interface RequestContext extends SvmContext {
  readonly client: ServiceClient | undefined;
}

/**
 * Prints what the transactions of a request on SVM chains did.
 *
 * @throws {@link InvalidInputError} if a chain has no endpoint, or the options require a fork
 */
export async function printSvmRequest(record: RequestRecord, context: RequestContext): Promise<void> {
  const { options, network, client, stages, signal } = context;
  rejectForkOptions(options);
  const endpoints = endpointsOf(options, network);
  const replays = await stages.run("Read the transactions", () =>
    replaySvmRequest({
      record,
      nodeOf: (chainId) => ({ rpcUrl: requireRpcUrl(endpoints, chainId), chainId, signal }),
      async solverOf(chainId) {
        const chains = client === undefined ? [] : await getChains(client, { signal });
        return chains.find(({ id }) => id === chainId)?.solverAddresses?.[0];
      },
    }),
  );
  await print(replays, options);
}

interface Printed {
  readonly role: string;
  readonly chainId: number | undefined;
  readonly report: SvmReport;
}

async function print(replays: readonly Printed[], { html, json = false }: RunOptions): Promise<void> {
  const works = replays.every(({ report }) => report.failure === undefined);
  const shown = replays.map(({ role: what, ...rest }): ShownSvmReport => ({ what, ...rest }));
  if (html !== undefined) await writeOut(html, toSvmHtml(shown));
  const text = shown.map(({ report, what, chainId }) => formatSvmReport(report, { what, chainId })).join("\n\n\n");
  writeOutput(json ? toJsonLine({ ok: works, transactions: toWire(replays) }) : `${text}\n`);
  if (!works) process.exitCode = 1;
}

function endpointsOf({ rpcUrl }: RunOptions, network: FoundNetwork | undefined): readonly string[] {
  if (rpcUrl !== undefined && rpcUrl.length > 0) return rpcUrl;
  return network?.svmRpcUrl === undefined ? [] : [`${SVM_CHAIN_ID}=${network.svmRpcUrl}`];
}

/** Options that a transaction of an SVM chain can have. */
const SVM_OPTIONS: readonly string[] = ["rpcUrl", "apiUrl", "apiKey", "cache", "html", "json"];

function rejectForkOptions(options: RunOptions): void {
  const given = Object.entries(options).find(([name, value]) => value !== undefined && !SVM_OPTIONS.includes(name));
  if (given === undefined) return;
  throw new InvalidInputError({
    field: `--${given[0].replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`,
    value: undefined,
    reason: "it requires a fork, but transactions of SVM chains are shown as the chain recorded them",
    hint: "Omit it.",
  });
}

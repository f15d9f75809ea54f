import { type Hash, type PublicClient, TransactionNotFoundError } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { ChainError, InvalidInputError, throwIfAborted } from "@crosscall/protocol/core";
import { diffReplays } from "../../replay/diffReplays.ts";
import type { EnvelopeProgress } from "../../replay/envelope/measureEnvelope.ts";
import { replay } from "../../replay/replay.ts";
import { replayRemotely } from "../../replay/replayRemotely.ts";
import type { ReplayReport } from "../../replay/replayReport.ts";
import { formatDiff } from "../../replay/report/formatDiff.ts";
import { formatEnvelope, formatReport } from "../../replay/report/formatReport.ts";
import { parseReport, toReportJson, toWire } from "../../replay/report/reportJson.ts";
import { toReportHtml } from "../../replay/report/toReportHtml.ts";
import type { ReplayInput, FillOverrides } from "../../replay/subject/findFill.ts";
import { asChainError, connectChains, requireRpcUrl } from "../../options/target.ts";
import { endpointsOf, openService } from "../../options/network.ts";
import { readJson } from "../../options/readJson.ts";
import { isModule } from "../plan/readPlan.ts";
import { NothingToReplayError } from "../../replay/subject/subject.ts";
import { isSvmSignature, svmLegsOf } from "../../replay/svm/replaySvm.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { progressBar } from "../../terminal/progressLines.ts";
import { Stages } from "../../terminal/stages.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { writeOut } from "../../terminal/replaceFile.ts";
import { findInjected, formatInjected } from "./injected.ts";
import {
  chainOf,
  isHash,
  networkOf,
  readAbis,
  readInput,
  type ReadInputParameters,
  withOwnAmount,
} from "./readInput.ts";
import { type OverrideOptions, type RunOptions, toEnvelopeRequest } from "./replayOptions.ts";
import { isSvmOnly, printSvmRequest, printSvmTransaction } from "./svm.ts";

export async function runReplay(what: string, options: RunOptions): Promise<void> {
  const { rpcUrl, exact, cache, block, node, holder, rpcOnly = false, html, json = false } = options;
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent: json, signal });
  const overrides = toOverrides(options);
  const envelope = toEnvelopeRequest(options);
  if (rpcOnly) rejectForkOptions(options);
  if (node !== undefined) rejectBlocks(options);
  const abis = await readAbis(options.abi);
  const cacheFolder = cache === false ? undefined : cache;
  const network = networkOf(options);
  if (isSvmSignature(what)) {
    await printSvmTransaction(what, { options, network, stages, signal });
    return;
  }
  const endpoints = endpointsOf(rpcUrl ?? (node === undefined ? undefined : [node]), network);
  const reading = {
    client:
      network === undefined ? undefined : openService(options, { needsKey: [what, options.diff ?? ""].some(isHash) }),
    mayBeTransaction: endpoints.length > 0,
    overrides,
    cacheFolder,
    signal,
  };
  const input = await stages.run("Find the fill", () => readInput({ ...reading, what }));
  const record = input.kind === "request" ? input.record : undefined;
  const svm = { options, network, client: reading.client, stages, signal };
  if (record !== undefined && isSvmOnly(record)) {
    await printSvmRequest(record, svm);
    return;
  }
  const compared = await findCompared(options, input, reading);
  if (node !== undefined && compared?.kind === "input" && isPast(compared.input)) {
    throw rejectNode("--diff", options.diff);
  }
  const shared = {
    input,
    rpcUrl: await findRpcUrl(input, endpoints, signal),
    overrides,
    signal,
  };
  if (rpcOnly) {
    const remote = await stages.run("Try the amounts", ({ update }) =>
      replayRemotely({
        ...shared,
        blockNumber: block,
        envelope,
        onProgress: (progress) => update(describe(progress)),
      }),
    );
    writeOutput(
      json ? toJsonLine({ ok: remote.works, ...toWire(remote) }) : `${formatEnvelope(remote.envelope, remote.plan)}\n`,
    );
    if (!remote.works) process.exitCode = 1;
    return;
  }
  const forked = {
    ...shared,
    abis,
    exact: exact === true,
    nodeUrl: node,
    holders: (holder ?? []).map((address) => parseEvmAddress(address, "--holder")),
    cacheFolder,
  };
  // Without calls, the fill cannot be replayed, but the request's transactions on SVM chains can be shown.
  const other = record !== undefined && svmLegsOf(record).length > 0 ? record : undefined;
  const report = await stages.run("Replay on a fork", async ({ update }) => {
    try {
      return await replay({
        ...forked,
        blockNumber: block,
        envelope,
        onProgress: (progress) => update(describe(progress)),
      });
    } catch (error) {
      if (other !== undefined && error instanceof NothingToReplayError) return undefined;
      throw error;
    }
  });
  if (report === undefined) {
    if (other !== undefined) await printSvmRequest(other, svm);
    return;
  }
  const before =
    compared?.kind === "input"
      ? await stages.run("Replay the fill to compare with", () =>
          replay({
            ...forked,
            // The overrides describe the sent fill, so they do not apply to a plan.
            ...(isPast(input) && !isPast(compared.input)
              ? { input: withOwnAmount(compared.input), overrides: {} }
              : { input: compared.input }),
            // A past fill has its own block. A plan runs on the state of the other replay.
            blockNumber: options.diffBlock ?? (isPast(compared.input) ? undefined : report.blockNumber),
          }),
        )
      : compared?.report;
  const diff = before === undefined ? undefined : diffReplays(before, report);
  if (html !== undefined) await writeOut(html, toReportHtml(report, diff));
  const works = report.verdict.outcome === "success";
  const scenarios = await findInjected(input, network, signal);
  writeOutput(
    json
      ? toJsonLine({
          ok: works,
          report: toReportJson(report),
          ...(diff === undefined ? {} : { diff: toWire(diff) }),
          ...(scenarios.length === 0 ? {} : { scenarios: scenarios.map(({ name }) => name) }),
        })
      : `${formatInjected(scenarios)}${formatReport(report)}\n${diff === undefined ? "" : `\n${formatDiff(diff, report)}\n`}`,
  );
  if (!works) process.exitCode = 1;
}

/** Finds the endpoint of the fill's chain. For a transaction hash, requests the transaction from each chain. */
async function findRpcUrl(input: ReplayInput, endpoints: readonly string[], signal: AbortSignal): Promise<string> {
  if (input.kind !== "transaction" || endpoints.length < 2) return requireRpcUrl(endpoints, chainOf(input));
  const { hash } = input;
  const failures: ChainError[] = [];
  for (const { chainId, client, rpcUrl } of (await connectChains(endpoints, signal)).values()) {
    try {
      const found = await asChainError(chainId, () => findTransaction(client, hash));
      if (found !== undefined) return rpcUrl;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      failures.push(error);
    }
    throwIfAborted(signal, "the replay");
  }
  if (failures[0] !== undefined) throw failures[0];
  throw new InvalidInputError({
    field: "what",
    value: hash,
    reason: "it is neither the id of a request nor a transaction of these chains",
    hint: "Check the hash, or pass the endpoint of its chain with --rpc-url.",
  });
}

async function findTransaction(client: PublicClient, hash: Hash): Promise<object | undefined> {
  try {
    return await client.getTransaction({ hash });
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
}

/** Finds the fill or report to compare with. Returns undefined without `--diff`. */
async function findCompared(
  { diff, diffBlock }: RunOptions,
  input: ReplayInput,
  reading: Omit<ReadInputParameters, "what">,
): Promise<Compared | undefined> {
  if (diff === undefined) return diffBlock === undefined ? undefined : { kind: "input", input };
  const compared = await readCompared({ ...reading, what: diff });
  if (compared.kind === "input" || diffBlock === undefined) return compared;
  throw new InvalidInputError({
    field: "--diff-block",
    value: diffBlock.toString(),
    reason: "a saved report already has its own block",
    hint: "Omit --diff-block, or pass a plan instead of the saved report.",
  });
}

function rejectBlocks({ block, diffBlock }: RunOptions): void {
  if (block !== undefined) throw rejectNode("--block", block.toString());
  if (diffBlock !== undefined) throw rejectNode("--diff-block", diffBlock.toString());
}

function rejectNode(field: string, value: string | undefined): InvalidInputError {
  return new InvalidInputError({
    field,
    value,
    reason: "a running node replays fills in its current state",
    hint: "Omit --node, and pass the chain's URL with --rpc-url.",
  });
}

/** Returns whether the input is a past fill, which determines its state. */
function isPast({ kind }: ReplayInput): boolean {
  return kind === "request" || kind === "transaction";
}

function describe({ tried, planned }: EnvelopeProgress): string {
  return `amounts ${progressBar(tried, planned)}`;
}

function rejectForkOptions({ html, exact, abi, node, diff, diffBlock }: RunOptions): void {
  const given = Object.entries({ html, exact, abi, node, diff, "diff-block": diffBlock }).find(
    ([, value]) => value !== undefined,
  );
  if (given === undefined) return;
  throw new InvalidInputError({
    field: `--${given[0]}`,
    value: undefined,
    reason: "it requires a fork, but --rpc-only does not use one",
    hint: "Omit it or --rpc-only.",
  });
}

/** A saved report, or another fill to replay. */
export type Compared =
  | { readonly kind: "report"; readonly report: ReplayReport }
  | { readonly kind: "input"; readonly input: ReplayInput };

/** Maximum JSON depth of a report. Each call in its call tree takes two levels. */
const REPORT_DEPTH = 1_000;

/** Reads a report of `crosscall replay --json`, or anything that can be replayed. */
async function readCompared(parameters: ReadInputParameters): Promise<Compared> {
  const { what } = parameters;
  if (isHash(what) || isModule(what)) return { kind: "input", input: await readInput(parameters) };
  const content = await readJson(what, "--diff", { maxDepth: REPORT_DEPTH });
  const isObject = typeof content === "object" && content !== null;
  if (!isObject || !("report" in content || "verdict" in content)) {
    return { kind: "input", input: await readInput(parameters) };
  }
  return {
    kind: "report",
    report: parseReport("report" in content ? content.report : content, `the report in ${what}`),
  };
}

function toOverrides({ amount, router, currency, recipient }: OverrideOptions): FillOverrides {
  return {
    ...(amount === undefined ? {} : { amount }),
    ...(router === undefined ? {} : { router: parseEvmAddress(router, "--router") }),
    ...(currency === undefined ? {} : { currency: parseEvmAddress(currency, "--currency") }),
    ...(recipient === undefined ? {} : { recipient: parseEvmAddress(recipient, "--recipient") }),
  };
}

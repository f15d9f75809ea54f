import { Command } from "commander";

import { parseEvmAddress } from "../src/chains/address.ts";
import { InvalidInputError } from "../src/core/errors.ts";
import { diffReplays } from "../src/replay/diff/diffReplays.ts";
import type { EnvelopeProgress } from "../src/replay/envelope/measureEnvelope.ts";
import { formatDiff } from "../src/replay/report/formatDiff.ts";
import { formatEnvelope, formatReport } from "../src/replay/report/formatReport.ts";
import { toReportHtml } from "../src/replay/report/toReportHtml.ts";
import { toReportJson, toWire } from "../src/replay/report/toReportJson.ts";
import { replay } from "../src/replay/replay.ts";
import { replayRemotely } from "../src/replay/replayRemotely.ts";
import { requireRpcUrl } from "./options/rpcUrls.ts";
import { openService } from "./options/serviceOptions.ts";
import { campaignCommand } from "./replay/campaign.ts";
import { chainOf } from "./replay/chainOf.ts";
import { readAbis } from "./replay/readAbis.ts";
import { readInput } from "./replay/readInput.ts";
import { readSavedReport } from "./replay/readSavedReport.ts";
import {
  addEnvelopeOptions,
  addOverrideOptions,
  addReplayOptions,
  collect,
  type EnvelopeOptions,
  exactOption,
  type OverrideOptions,
  parseBlock,
  type ReplayOptions,
  toEnvelopeRequest,
  toOverrides,
} from "./replay/replayOptions.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { progressBar } from "./terminal/progressBar.ts";
import { Stages } from "./terminal/stages.ts";
import { toJsonLine } from "./terminal/toJson.ts";
import { writeOut } from "./terminal/writeOut.ts";

interface Options extends ReplayOptions, OverrideOptions, EnvelopeOptions {
  readonly exact?: boolean;
  readonly block?: bigint;
  readonly node?: string;
  readonly holder?: readonly string[];
  readonly rpcOnly?: boolean;
  readonly diff?: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** `crosscall replay`: a fill, past or planned, on a fork of its chain. */
export function replayCommand(): Command {
  const command = new Command("replay")
    .description(
      "Run a fill again, or before it happens, on a fork of its chain: why it fails, what it leaves behind, and for " +
        "which delivered amounts it works. Nothing is sent anywhere.",
    )
    .argument("<what>", "a request id, the hash of a fill, quote.json, plan.json, or a module that exports plan");
  addEnvelopeOptions(addOverrideOptions(addReplayOptions(command).addOption(exactOption())))
    .option("--block <number>", "on the state after this block (default: the fill's own, else the latest)", parseBlock)
    .option("--node <url>", "a running anvil or Hardhat node to run it on, in its present state, in place of a fork")
    .option("--holder <address>", "an account that holds what is delivered, for odd tokens; repeatable", collect)
    .option("--rpc-only", "only the range of amounts, by a few calls of the chain's node, without a fork")
    .option("--diff <file>", "tell in what it differs from a replay that was saved with --json")
    .option("--html <file>", "write the report as one page that needs no network")
    .option("--json", "print one JSON object with the whole report instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall replay 0x… --rpc-url 10=https://rpc.example.com --html report.html",
        "  crosscall replay quote.json --rpc-url http://127.0.0.1:8546 --envelope",
        "  crosscall replay plan.json --amount 990000 --rpc-url http://127.0.0.1:8546 --json",
        "  crosscall replay campaign run --help",
      ].join("\n"),
    )
    .action(runReplay);
  return command.addCommand(campaignCommand());
}

async function runReplay(what: string, options: Options): Promise<void> {
  const { rpcUrl, exact, cache, block, node, holder, rpcOnly = false, diff: other, html, json = false } = options;
  const interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent: json, signal });
  try {
    const overrides = toOverrides(options);
    const envelope = toEnvelopeRequest(options);
    if (rpcOnly) refuseForkOptions(options);
    const abis = await readAbis(options.abi);
    const before = other === undefined ? undefined : await readSavedReport(other);
    const input = await stages.run("Find the fill", () =>
      readInput({
        what,
        client: options.apiUrl === undefined || options.apiUrl === "" ? undefined : openService(options),
        mayBeTransaction: rpcUrl !== undefined || node !== undefined,
        overrides,
        signal,
      }),
    );
    const shared = {
      input,
      rpcUrl: requireRpcUrl(rpcUrl ?? (node === undefined ? undefined : [node]), chainOf(input)),
      overrides,
      signal,
      blockNumber: block,
      envelope,
    };
    if (rpcOnly) {
      const remote = await stages.run("Try the amounts", ({ update }) =>
        replayRemotely({ ...shared, onProgress: (progress) => update(describe(progress)) }),
      );
      process.stdout.write(
        json
          ? toJsonLine({ ok: remote.works, ...toWire(remote) })
          : `${formatEnvelope(remote.envelope, remote.plan)}\n`,
      );
      if (!remote.works) process.exitCode = 1;
      return;
    }
    const report = await stages.run("Replay it on a fork", ({ update }) =>
      replay({
        ...shared,
        abis,
        exact: exact === true,
        nodeUrl: node,
        holders: (holder ?? []).map((address) => parseEvmAddress(address, "--holder")),
        cacheFolder: cache === false ? undefined : cache,
        onProgress: (progress) => update(describe(progress)),
      }),
    );
    const diff = before === undefined ? undefined : diffReplays(before, report);
    if (html !== undefined) await writeOut(html, toReportHtml(report, diff));
    const works = report.verdict.outcome === "success";
    process.stdout.write(
      json
        ? toJsonLine({ ok: works, report: toReportJson(report), ...(diff === undefined ? {} : { diff: toWire(diff) }) })
        : `${formatReport(report)}\n${diff === undefined ? "" : `\n${formatDiff(diff, report)}\n`}`,
    );
    if (!works) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}

function describe({ tried, planned }: EnvelopeProgress): string {
  return `amounts ${progressBar(tried, planned)}`;
}

/** @throws {@link InvalidInputError} when an option needs what only a fork tells */
function refuseForkOptions({ html, exact, abi, node, diff }: Options): void {
  const given = Object.entries({ html, exact, abi, node, diff }).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new InvalidInputError({
    field: `--${given[0]}`,
    value: undefined,
    reason: "without a fork there is no call tree and no state of its own",
    cure: "Leave it or --rpc-only out.",
  });
}

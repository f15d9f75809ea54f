import { InvalidInputError, systemClock } from "@crosscall/protocol/core";
import { type ChainsNotServedError, workCampaigns } from "../../../campaign/workCampaigns.ts";
import {
  eachFinishedItem,
  junitLines,
  type CampaignSummary,
  summarizeCampaign,
} from "../../../campaign/campaignResults.ts";
import { runCampaign } from "../../../campaign/runCampaign.ts";
import { toColumns } from "../../../replay/report/tables.ts";
import { formatReport } from "../../../replay/report/formatReport.ts";
import { parseReport } from "../../../replay/report/reportJson.ts";
import { toReportHtml } from "../../../replay/report/toReportHtml.ts";
import { findItemReport, listCampaigns } from "../../../localnet/store/campaigns.ts";
import { openStore, type Store } from "../../../localnet/store/store.ts";
import type { Command } from "../../../options/command.ts";
import { databaseOf, type DatabaseOptions, type DatabasePlace } from "../../../options/commonOptions.ts";
import type { FilterOptions } from "../../requests/toQuery.ts";
import { interruptOnCtrlC } from "../../../terminal/interrupt.ts";
import { progressBar } from "../../../terminal/progressLines.ts";
import { replaceFile, writeOut } from "../../../terminal/replaceFile.ts";
import { Stages } from "../../../terminal/stages.ts";
import { toJsonLine, writeNotice, writeOutput } from "../../../terminal/output.ts";
import type { ReplayOptions } from "../replayOptions.ts";
import { replayingBy, selectFills } from "./selection.ts";

const CAMPAIGN_FOLDER = ".crosscall/campaigns";

function campaignPlace(options: DatabaseOptions, command: Command): DatabasePlace {
  return databaseOf(options, command) ?? { folder: CAMPAIGN_FOLDER };
}

async function withCampaignStore<Result>(
  options: DatabaseOptions,
  command: Command,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({
    ...campaignPlace(options, command),
    // Only prints the error, because the queue retries.
    onError: (error) => writeNotice(`the job queue: ${error.message}\n`),
  });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

interface RunOptions extends ReplayOptions, DatabaseOptions, FilterOptions {
  readonly exact?: boolean;
  readonly plans?: string;
  readonly amount?: bigint;
  readonly limit?: number;
  readonly name?: string;
  readonly workers: number;
  readonly retryErrors?: boolean;
  readonly junit?: string;
  readonly json?: boolean;
}

/** Milliseconds that fills wait for another worker with a node for their chain. */
const OTHERS_WAIT_MS = 45_000;

export async function runRun(options: RunOptions, command: Command): Promise<void> {
  const { name, workers, retryErrors, junit, json } = options;
  const isSilent = json === true;
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent, signal });
  const replay = await replayingBy(options);
  const { name: usualName, selection, list } = await selectFills(options, signal);
  const id = name ?? usualName;
  const isShared = "url" in campaignPlace(options, command);
  const summary = await withCampaignStore(options, command, async (store) => {
    const result = await stages.run(`Campaign ${id}`, ({ update }) =>
      runCampaign({
        store,
        id,
        selection,
        list,
        replay,
        workers,
        retryErrors: retryErrors === true,
        ...(isShared ? { othersWaitMs: OTHERS_WAIT_MS } : {}),
        clock: systemClock,
        signal,
        onProgress: ({ total, waiting }) => update(progressBar(total - waiting, total)),
      }),
    );
    if (junit !== undefined) await writeJunit(junit, store, id, result);
    return result;
  });
  report(id, summary, isSilent);
}

/** Prints the summary. Sets exit code 1 if a fill fails or could not be replayed. */
function report(id: string, summary: CampaignSummary, isJson: boolean): void {
  const fails = summary.fails + summary.errors > 0;
  writeOutput(isJson ? toJsonLine({ ok: !fails, campaign: id, ...summary }) : describeCampaign(id, summary));
  if (fails) process.exitCode = 1;
}

interface WorkOptions extends ReplayOptions, DatabaseOptions {
  readonly workers: number;
  readonly json?: boolean;
}

export async function runWork(options: WorkOptions, command: Command): Promise<void> {
  const { workers, json = false } = options;
  const place = databaseOf(options, command);
  if (place === undefined || "folder" in place) {
    throw new InvalidInputError({
      field: "--database-url",
      value: undefined,
      reason: "only a database on a server can be shared",
      hint: "Pass --database-url, here and to the campaign's run command.",
    });
  }
  using interrupt = interruptOnCtrlC();
  const replay = await replayingBy(options);
  await withCampaignStore(options, command, async (store) => {
    const reported = new Set<number>();
    const onNotServed = (_job: unknown, { chainIds }: ChainsNotServedError): void => {
      for (const chainId of chainIds.filter((each) => !reported.has(each))) {
        reported.add(chainId);
        writeNotice(`this worker has no endpoint for chain ${chainId}: other workers must replay its fills\n`);
      }
    };
    const work = await workCampaigns({ store, replay, workers, clock: systemClock, onNotServed });
    writeOutput(json ? toJsonLine({ ok: true, workers }) : `${workers} workers   Press Ctrl-C to stop.\n`);
    await interrupt.fired;
    await work.stop();
  });
}

interface ShowOptions extends DatabaseOptions {
  readonly html?: string;
  readonly junit?: string;
  readonly json?: boolean;
}

export async function runShow(
  name: string | undefined,
  fill: string | undefined,
  options: ShowOptions,
  command: Command,
): Promise<void> {
  const { html, junit, json = false } = options;
  if (html !== undefined && fill === undefined) {
    throw refuse("--html", html, "an HTML page shows one fill", "Pass a fill of the campaign, or omit --html.");
  }
  if (junit !== undefined && (name === undefined || fill !== undefined)) {
    throw refuse("--junit", junit, "JUnit XML covers a whole campaign", "Pass a campaign without a fill.");
  }
  await withCampaignStore(options, command, async (store) => {
    const names = await listCampaigns(store.db);
    if (name === undefined) {
      writeOutput(json ? toJsonLine({ ok: true, campaigns: names }) : names.map((each) => `${each}\n`).join(""));
      return;
    }
    if (!names.includes(name)) {
      const hint = "`crosscall replay campaign show` without a name lists all campaigns in the database.";
      throw refuse("name", name, "no campaign has this name", hint);
    }
    await (fill === undefined ? showCampaign(store, name, options) : showFill(store, { name, fill }, options));
  });
}

function refuse(field: string, value: string, reason: string, hint: string): InvalidInputError {
  return new InvalidInputError({ field, value, reason, hint });
}

async function showCampaign(store: Store, name: string, { junit, json = false }: ShowOptions): Promise<void> {
  const summary = await summarizeCampaign(store.db, name);
  if (junit !== undefined) await writeJunit(junit, store, name, summary);
  if (!json) {
    writeOutput(describeCampaign(name, summary));
    return;
  }
  const fills: object[] = [];
  for await (const item of eachFinishedItem(store.db, name)) fills.push(item);
  writeOutput(toJsonLine({ ok: true, campaign: name, ...summary, fills }));
}

async function showFill(
  { db }: Store,
  { name, fill }: { readonly name: string; readonly fill: string },
  { html, json = false }: ShowOptions,
): Promise<void> {
  const report = await findItemReport(db, name, fill);
  if (report === undefined) {
    const hint = "Pass a fill that was replayed; `crosscall replay campaign show <name> --json` lists them.";
    throw refuse("fill", fill, `campaign ${name} has no report of this fill`, hint);
  }
  const parsed = parseReport(report, `the report of ${fill}`);
  if (html !== undefined) await writeOut(html, toReportHtml(parsed));
  writeOutput(json ? toJsonLine({ ok: true, report }) : `${formatReport(parsed)}\n`);
}

function describeCampaign(name: string, summary: CampaignSummary): string {
  const { total, works, fails, errors, waiting, causes } = summary;
  const parts = [
    `${works} work`,
    `${fails} fail`,
    `${errors} could not be replayed`,
    ...(waiting === 0 ? [] : [`${waiting} not replayed yet`]),
  ];
  const table = toColumns(
    [{ title: "outcome" }, { title: "cause" }, { title: "fills", isNumber: true }],
    causes.map(({ outcome, cause, count }) => [outcome, cause, String(count)]),
  );
  return [
    `campaign ${name}: ${total} fills; ${parts.join(", ")}`,
    ...(causes.length === 0 ? [] : table.map((line) => `  ${line}`)),
    "",
  ].join("\n");
}

async function writeJunit(file: string, { db }: Store, name: string, summary: CampaignSummary): Promise<void> {
  await replaceFile(file, async (handle) => {
    for await (const line of junitLines(name, summary, eachFinishedItem(db, name))) await handle.write(line);
  });
}

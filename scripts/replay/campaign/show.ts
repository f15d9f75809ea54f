import { eachFinishedItem } from "../../../src/campaign/eachFinishedItem.ts";
import { summarizeCampaign } from "../../../src/campaign/summarizeCampaign.ts";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { formatReport } from "../../../src/replay/report/formatReport.ts";
import { parseReport } from "../../../src/replay/report/parseReport.ts";
import { toReportHtml } from "../../../src/replay/report/toReportHtml.ts";
import { findItemReport, listCampaigns } from "../../../src/store/campaigns.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Command } from "../../options/command.ts";
import type { DatabaseOptions } from "../../options/databaseOptions.ts";
import { toJsonLine } from "../../terminal/toJson.ts";
import { writeOut } from "../../terminal/writeOut.ts";
import { withCampaignStore } from "./campaignStore.ts";
import { describeCampaign, writeJunit } from "./describeCampaign.ts";

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
    throw refuse("--html", html, "a page is the report of one fill", "Name a fill of the campaign, or leave it out.");
  }
  if (junit !== undefined && (name === undefined || fill !== undefined)) {
    throw refuse("--junit", junit, "JUnit's XML is of a whole campaign", "Name a campaign without a fill.");
  }
  await withCampaignStore(options, command, async (store) => {
    const names = await listCampaigns(store.db);
    if (name === undefined) {
      process.stdout.write(
        json ? toJsonLine({ ok: true, campaigns: names }) : names.map((each) => `${each}\n`).join(""),
      );
      return;
    }
    if (!names.includes(name)) {
      const hint = "`crosscall replay campaign show` without a name lists those of a database; mind --database.";
      throw refuse("name", name, "there is no campaign of this name", hint);
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
    process.stdout.write(describeCampaign(name, summary));
    return;
  }
  const fills: object[] = [];
  for await (const item of eachFinishedItem(store.db, name)) fills.push(item);
  process.stdout.write(toJsonLine({ ok: true, campaign: name, ...summary, fills }));
}

async function showFill(
  { db }: Store,
  { name, fill }: { readonly name: string; readonly fill: string },
  { html, json = false }: ShowOptions,
): Promise<void> {
  const report = await findItemReport(db, name, fill);
  if (report === undefined) {
    const hint = "Name a fill that was replayed; `crosscall replay campaign show <name> --json` lists them.";
    throw refuse("fill", fill, `campaign ${name} has no report of it`, hint);
  }
  const parsed = parseReport(report, `the report of ${fill}`);
  if (html !== undefined) await writeOut(html, toReportHtml(parsed));
  process.stdout.write(json ? toJsonLine({ ok: true, report }) : `${formatReport(parsed)}\n`);
}

import { runCampaign } from "../../../src/campaign/runCampaign.ts";
import type { CampaignSummary } from "../../../src/campaign/summarizeCampaign.ts";
import { systemClock } from "@crosscall/sdk/internal/core/clock";
import type { Command } from "../../options/command.ts";
import type { DatabaseOptions } from "../../options/databaseOptions.ts";
import type { FilterOptions } from "../../requests/toQuery.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { progressBar } from "../../terminal/progressBar.ts";
import { Stages } from "../../terminal/stages.ts";
import { toJsonLine } from "../../terminal/toJson.ts";
import type { ReplayOptions } from "../replayOptions.ts";
import { campaignPlace, withCampaignStore } from "./campaignStore.ts";
import { describeCampaign, writeJunit } from "./describeCampaign.ts";
import { replayingBy } from "./replaySubject.ts";
import { selectFills } from "./selection.ts";

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

/** Time that fills wait for a worker with a node of their chain. */
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

/** Fails if a fill fails or could not be replayed. */
function report(id: string, summary: CampaignSummary, isJson: boolean): void {
  const fails = summary.fails + summary.errors > 0;
  process.stdout.write(isJson ? toJsonLine({ ok: !fails, campaign: id, ...summary }) : describeCampaign(id, summary));
  if (fails) process.exitCode = 1;
}

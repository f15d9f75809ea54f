import type { ChainsNotServedError } from "../../../src/campaign/chainsNotServedError.ts";
import { workCampaigns } from "../../../src/campaign/workCampaigns.ts";
import { systemClock } from "@crosscall/sdk/internal/core/clock";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { Command } from "../../options/command.ts";
import { databaseOf, type DatabaseOptions } from "../../options/databaseOptions.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { toJsonLine } from "../../terminal/toJson.ts";
import type { ReplayOptions } from "../replayOptions.ts";
import { withCampaignStore } from "./campaignStore.ts";
import { replayingBy } from "./replaySubject.ts";

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
    const told = new Set<number>();
    const onNotServed = (_job: unknown, { chainIds }: ChainsNotServedError): void => {
      for (const chainId of chainIds.filter((each) => !told.has(each))) {
        told.add(chainId);
        process.stderr.write(`chain ${chainId} has no endpoint here: its fills are left to other workers\n`);
      }
    };
    const work = await workCampaigns({ store, replay, workers, clock: systemClock, onNotServed });
    process.stdout.write(json ? toJsonLine({ ok: true, workers }) : `${workers} workers   Ctrl-C stops them.\n`);
    await interrupt.fired;
    await work.stop();
  });
}

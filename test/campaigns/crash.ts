// Kills the service and its solver again and again while requests are in flight, and holds what comes of it to what no
// crash may change: `npm run crash -- --help`.
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Command, Option } from "commander";

import { parsePositive } from "../../scripts/options/numbers.ts";
import { startPostgres } from "../support/postgres.ts";
import { stopPrograms } from "../integration/support/processes.ts";
import { expectSettled } from "./crash/expectSettled.ts";
import { runCrashCampaign } from "./crash/runCrashCampaign.ts";
import { seededRandom } from "./crash/seededRandom.ts";

const DATABASES = ["pglite", "postgresql"] as const;

interface CrashOptions {
  readonly requests: number;
  readonly kills: number;
  readonly database?: (typeof DATABASES)[number];
  readonly seed: number;
}

await new Command("crash")
  .description("Kill the service with SIGKILL while requests are in flight, and count what its chains tell.")
  .option("--requests <count>", "requests in flight", parsePositive, 200)
  .option("--kills <count>", "how often it is killed", parsePositive, 50)
  .addOption(new Option("--database <kind>", "on this database only").choices(DATABASES))
  .option("--seed <number>", "the same moments again", parsePositive, randomInt(1, 2 ** 31))
  .action(async (options: CrashOptions) => {
    console.log(`Seed: ${options.seed}`);
    for (const kind of options.database === undefined ? DATABASES : [options.database]) await run(kind, options);
  })
  .parseAsync();

async function run(kind: (typeof DATABASES)[number], { requests, kills, seed }: CrashOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-crash-"));
  const server = kind === "postgresql" ? await startPostgres() : undefined;
  try {
    const result = await runCrashCampaign({
      database: server === undefined ? ["--database", folder] : ["--database-url", await server.createDatabase()],
      requests,
      kills,
      random: seededRandom(seed),
      onProgress: (text) => process.stderr.write(`${kind}: ${text}\n`),
    });
    await expectSettled(result);
    const count = (status: string): number => [...result.statuses.values()].filter((each) => each === status).length;
    console.log(
      `${kind}: ${kills} kills, ${requests} deposits, ${count("success")} fills, ${count("refund")} refunds, ` +
        `${result.deliveries} webhook deliveries of ${[...result.told.values()].flat().length} events, ` +
        `${(result.durationMs / 1_000).toFixed(0)} s`,
    );
  } finally {
    await stopPrograms();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

// Kills the service and its solver repeatedly while requests are in flight, then checks that no crash changed a
// result: `npm run crash -- --help`.
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Command, Option } from "commander";

import { parsePositive } from "../../packages/crosscall/src/options/commonOptions.ts";
import { startPostgres } from "../support/postgres.ts";
import { stopPrograms } from "../integration/support/processes.ts";
import { expectSettled } from "./crash/expectSettled.ts";
import { runCrashCampaign } from "./crash/runCrashCampaign.ts";
import { seededRandom } from "./crash/orders.ts";

const ORIGINS = ["evm", "svm"] as const;
const DATABASES = ["pglite", "postgresql"] as const;

interface CrashOptions {
  readonly requests: number;
  readonly kills: number;
  readonly origin?: (typeof ORIGINS)[number];
  readonly database?: (typeof DATABASES)[number];
  readonly seed: number;
}

await new Command("crash")
  .description("Kill the service with SIGKILL while requests are in flight, and check the result on its chains.")
  .option("--requests <count>", "requests in flight", parsePositive, 200)
  .option("--kills <count>", "number of kills", parsePositive, 50)
  .addOption(new Option("--origin <kind>", "only requests from chains of this kind").choices(ORIGINS))
  .addOption(new Option("--database <kind>", "use only this database").choices(DATABASES))
  .option("--seed <number>", "repeat a run with the same timing", parsePositive, randomInt(1, 2 ** 31))
  .action(async (options: CrashOptions) => {
    console.log(`Seed: ${options.seed}`);
    for (const kind of options.database === undefined ? DATABASES : [options.database]) await run(kind, options);
  })
  .parseAsync();

async function run(kind: (typeof DATABASES)[number], { requests, kills, seed, origin }: CrashOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-crash-"));
  const server = kind === "postgresql" ? await startPostgres() : undefined;
  try {
    const result = await runCrashCampaign({
      database: server === undefined ? ["--database", folder] : ["--database-url", await server.createDatabase()],
      requests,
      interruptions: kills,
      origins: origin === undefined ? ORIGINS : [origin],
      random: seededRandom(seed),
      onProgress: (text) => process.stderr.write(`${kind}: ${text}\n`),
    });
    await expectSettled(result);
    const count = (status: string): number => [...result.statuses.values()].filter((each) => each === status).length;
    console.log(
      `${kind}: ${kills} kills, ${requests} deposits, ${count("success")} fills, ${count("refund")} refunds, ` +
        `${result.deliveries} webhook deliveries of ${[...result.reported.values()].flat().length} events, ` +
        `${(result.durationMs / 1_000).toFixed(0)} s`,
    );
  } finally {
    await stopPrograms();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

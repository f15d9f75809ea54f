import { SEED } from "../../tools/tests/seed.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { expectSettled } from "./crash/expectSettled.ts";
import { KINDS, seededRandom } from "./crash/orders.ts";
import { runCrashCampaign } from "./crash/runCrashCampaign.ts";
import { stopPrograms } from "../integration/support/processes.ts";

// The full campaign is `npm run crash`: 200 requests and 50 kills on each kind of database.
describe("a service that is killed repeatedly with requests in flight", () => {
  after(() => stopPrograms());

  it("settles each payment once, to the smallest unit, and reports every step", async () => {
    const kills = 6;
    const result = await runCrashCampaign({
      database: ["--database-url", await newPostgresDatabase()],
      // One request of each kind.
      requests: Object.keys(KINDS).length,
      interruptions: kills,
      origins: ["evm", "svm"],
      random: seededRandom(SEED),
    });
    await expectSettled(result);
    console.log(`      ${kills} kills`);
  });
});

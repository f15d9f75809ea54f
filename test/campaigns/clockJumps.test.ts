import { expect } from "chai";

import { SEED } from "../../tools/tests/seed.ts";
import { callAdmin } from "../integration/support/adminCalls.ts";
import { stopPrograms } from "../integration/support/processes.ts";
import { inputs } from "../support/inputs.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { expectSettled } from "./crash/expectSettled.ts";
import { EVM_KINDS, seededRandom } from "./crash/orders.ts";
import { type Interruption, runCrashCampaign } from "./crash/runCrashCampaign.ts";

/**
 * Length of a clock jump in either direction. Two jumps are shorter than the ten minutes allowed for a deposit and its
 * inclusion.
 */
const JUMP_MS = 250_000;

describe("a service whose clock jumps while requests are in flight", () => {
  after(() => stopPrograms());

  it("settles each payment once", async () => {
    const interruptions = inputs(4);
    const interrupt: Interruption = async (service, { random }) => {
      const offsetMs = Math.round((random() * 2 - 1) * JUMP_MS);
      const { status } = await callAdmin(service.ready, "PUT", "/admin/clock", { offsetMs });
      expect(status).to.equal(200);
      return service;
    };
    const result = await runCrashCampaign({
      database: ["--database-url", await newPostgresDatabase()],
      requests: Object.keys(EVM_KINDS).length,
      interruptions,
      interrupt,
      webhookToleranceMs: 2 * JUMP_MS,
      random: seededRandom(SEED),
    });
    await expectSettled(result);
    console.log(`      ${interruptions} clock jumps`);
  });
});

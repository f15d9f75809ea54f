import { execFile } from "node:child_process";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect } from "chai";

import { SEED } from "../../tools/tests/seed.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { inputs } from "../support/inputs.ts";
import { until } from "../support/until.ts";
import { expectSettled } from "./crash/expectSettled.ts";
import { EVM_KINDS, seededRandom } from "./crash/orders.ts";
import { type Interruption, runCrashCampaign } from "./crash/runCrashCampaign.ts";
import { API_KEY, type Service, startService } from "./crash/service.ts";

const run = promisify(execFile);

/** Size of the disk. The database uses a quarter and reserves another quarter. */
const DISK_MB = 200;

// The disk is an in-memory file system, which can be mounted only with privileges.
describe("a service with a full disk", () => {
  let disk: string;

  before(async function () {
    disk = await mkdtemp(join(tmpdir(), "crosscall-disk-"));
    try {
      await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", disk]);
    } catch {
      await rm(disk, { recursive: true });
      this.skip();
    }
  });
  after(async () => {
    await stopPrograms();
    await run("umount", [disk]).catch(() => undefined);
    await rm(disk, { recursive: true, force: true });
  });

  it("settles each payment once while the disk repeatedly fills up and is cleared", async () => {
    const interruptions = inputs(3);
    const interrupt: Interruption = async (service) => {
      await fill(disk);
      expect((await get(service, "/ready")).status).to.equal(503);
      await clear(disk);
      return service;
    };
    const result = await runCrashCampaign({
      database: ["--database", join(disk, "campaign")],
      requests: Object.keys(EVM_KINDS).length,
      interruptions,
      interrupt,
      random: seededRandom(SEED),
    });
    await expectSettled(result);
    await rm(join(disk, "campaign"), { recursive: true });
    console.log(`      the disk filled up ${interruptions} times`);
  });

  it("rejects writes, serves reads, continues when space is free, and exits on SIGTERM while the disk is full", async () => {
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    const chains = nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready }));
    const parameters = { chains, database: ["--database", join(disk, "service")] };
    const service = await startService(parameters);
    const quoted = await postQuote(service);
    const requestId = quoted.body.steps[0]?.requestId;

    await fill(disk);
    expect(await get(service, "/ready")).to.deep.equal({
      status: 503,
      body: { status: "unready", database: "read-only" },
    });
    const refused = await postQuote(service);
    expect([refused.status, refused.body.errorCode]).to.deep.equal([503, "SERVICE_UNAVAILABLE"]);
    expect((await get(service, "/lives")).status).to.equal(200);
    expect((await get(service, `/intents/status/v3?requestId=${requestId}`)).body).to.include({ status: "waiting" });

    await clear(disk);
    await until(async () => (await get(service, "/ready")).status === 200);
    expect((await postQuote(service)).status).to.equal(200);

    await fill(disk);
    await service.stop("SIGTERM");
    await clear(disk);
    const again = await startService(parameters);
    expect((await get(again, `/intents/status/v3?requestId=${requestId}`)).body).to.include({ status: "waiting" });
  });
});

async function fill(disk: string): Promise<void> {
  const block = Buffer.alloc(1_048_576);
  try {
    for (;;) await appendFile(join(disk, "fill"), block);
  } catch (error) {
    expect(error).to.have.property("code", "ENOSPC");
  }
}

function clear(disk: string): Promise<void> {
  return rm(join(disk, "fill"));
}

async function get({ ready: { url } }: Service, path: string) {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function postQuote({ ready: { url, chains } }: Service) {
  const dollars = chains.map(({ contracts }) => contracts.dollar);
  const response = await fetch(`${url}/quote/v2`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": API_KEY },
    body: JSON.stringify({
      user: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      originChainId: chains[0]?.id,
      destinationChainId: chains[1]?.id,
      originCurrency: dollars[0],
      destinationCurrency: dollars[1],
      tradeType: "EXACT_INPUT",
      amount: "25000000",
    }),
  });
  const body = (await response.json()) as { errorCode?: string; steps: { requestId?: string }[] };
  return { status: response.status, body };
}

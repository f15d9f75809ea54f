import { expect } from "chai";
import pg from "pg";

import { SEED } from "../../tools/tests/seed.ts";
import { startAnvil, startProgram, stopPrograms } from "../integration/support/processes.ts";
import { inputs } from "../support/inputs.ts";
import { type PostgresServer, type ShutdownMode, startPostgres } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { expectSettled } from "./crash/expectSettled.ts";
import { EVM_KINDS, seededRandom } from "./crash/orders.ts";
import { type Interruption, runCrashCampaign } from "./crash/runCrashCampaign.ts";
import { API_KEY, type Service, startService } from "./crash/service.ts";

const MODES: readonly ShutdownMode[] = ["fast", "immediate", "kill"];

const SESSIONS_PER_ROUND = 5;

const UNKNOWN = `0x${"00".repeat(32)}`;

/** Endpoints that cover every error format. */
const ENDPOINTS: readonly (readonly [path: string, posted?: object])[] = [
  [`/intents/status/v3?requestId=${UNKNOWN}`],
  [`/requests/v3?id=${UNKNOWN}`],
  [`/requests/${UNKNOWN}/signature`],
  [`/console/requests/${UNKNOWN}`],
  ["/quote/v3", {}],
  ["/execute", {}],
  ["/transactions/index", { chainId: "31337", txHash: UNKNOWN, requestId: UNKNOWN }],
];

describe("a service that loses its database", () => {
  let server: PostgresServer;

  before(async () => {
    // Committed data survives the shutdown of the server.
    server = await startPostgres("synchronous_commit=on");
  });
  after(async () => {
    await stopPrograms();
    await server.stop();
  });

  it("settles each payment once while sessions are terminated at random and the server restarts", async () => {
    const rounds = inputs(6);
    let round = 0;
    let ended = 0;
    const interrupt: Interruption = async (service) => {
      ended += await endSessions(database);
      const mode = round % 2 === 1 ? MODES[((round - 1) / 2) % MODES.length] : undefined;
      round += 1;
      if (mode !== undefined) {
        await server.shutDown(mode);
        await server.start();
      }
      // The service's process is not restarted.
      return service;
    };
    const database = await server.createDatabase();
    const result = await runCrashCampaign({
      database: ["--database-url", database],
      requests: Object.keys(EVM_KINDS).length,
      interruptions: rounds,
      interrupt,
      random: seededRandom(SEED),
    });
    await expectSettled(result);
    expect(ended).to.be.greaterThan(rounds);
    console.log(`      ${ended} sessions terminated, ${Math.floor(rounds / 2)} restarts of the server`);
  });

  it("reports that it is not ready while the server is down, continues after each restart, and exits on SIGTERM while the server is down", async () => {
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    const chains = nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready }));
    const service = await startService({ chains, database: ["--database-url", await server.createDatabase()] });
    const mirror = await startMirror(service, await server.createDatabase());
    for (const mode of MODES) {
      await server.shutDown(mode);
      const down = await get(service, "/ready");
      const refused = await Promise.all(ENDPOINTS.map((endpoint) => get(service, ...endpoint)));
      const alive = await get(service, "/lives");
      await server.start();
      await until(async () => (await get(service, "/ready")).status === 200);
      expect([down.status, down.body]).to.deep.equal([503, { status: "unready", database: "unreachable" }]);
      for (const [index, { status, retryAfter }] of refused.entries()) {
        const endpoint = String(ENDPOINTS[index]?.[0]);
        expect([status, retryAfter], endpoint).to.deep.equal([503, "1"]);
      }
      expect(refused[0]?.body).to.include({ errorCode: "SERVICE_UNAVAILABLE" });
      expect([alive.status, alive.body]).to.deep.equal([200, { status: "ok" }]);
    }
    await until(async () => (await get(mirror, "/ready")).status === 200);
    await server.shutDown("fast");
    await service.stop("SIGTERM");
    await server.start();
  });
});

/** @returns the number of sessions that were terminated */
async function endSessions(database: string): Promise<number> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() order by random() limit $1`,
    [SESSIONS_PER_ROUND],
  );
  await client.end();
  return rowCount ?? 0;
}

function startMirror(service: Service, database: string) {
  const source = ["--api-url", service.ready.url, "--api-key", API_KEY];
  const command = [
    "packages/crosscall/src/main.ts",
    "mirror",
    ...source,
    "--database-url",
    database,
    "--serve",
    "0",
    "--json",
  ];
  return startProgram(process.execPath, [...command, "--every", "1"], (line) => JSON.parse(line) as { url: string });
}

async function get({ ready: { url } }: { readonly ready: { readonly url: string } }, path: string, posted?: object) {
  // Known keys are cached for a second, so this uses an unknown key.
  const headers = { "content-type": "application/json", "x-api-key": "unknown" };
  const call = posted === undefined ? {} : { method: "POST", body: JSON.stringify(posted) };
  const response = await fetch(`${url}${path}`, { headers, ...call });
  const text = await response.text();
  const body = (text.startsWith("{") ? JSON.parse(text) : {}) as { errorCode?: string };
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
}

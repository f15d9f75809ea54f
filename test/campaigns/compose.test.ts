import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";
import pg from "pg";
import type { Address } from "viem";
import { parse } from "yaml";

import { createServiceClient, getStatus } from "../../packages/sdk/src/index.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/defaults.ts";
import { type RunningProgram, startProgram, stopPrograms } from "../integration/support/processes.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import type { CampaignChain } from "./crash/accounting.ts";
import { createDepositor, readSolverTransactions, setBlockTime } from "./crash/chain.ts";
import { type CampaignOrder, quoteOrder } from "./crash/orders.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = new URL("docker/local/", ROOT);
const ANVIL = `${fileURLToPath(ROOT)}node_modules/.bin/anvil`;
const REQUESTS = 30;

interface ComposeService {
  readonly build?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** JSON output of `crosscall up`. A worker prints fewer fields. */
interface Up {
  readonly ok: boolean;
  readonly url: string;
  readonly solver: Address;
  readonly chains: readonly Pick<CampaignChain, "id" | "contracts">[];
}

type Program = RunningProgram & { readonly ready: Up };

/** Runs the containers as processes. A container's name and port map to a port on loopback. */
describe("services, workers and chains from docker/local/compose.yaml, run as processes", () => {
  let services: Record<string, ComposeService>;
  let entrypoint: readonly string[];
  let healthcheck: readonly string[];
  let server: PostgresServer;
  let chains: readonly CampaignChain[];
  const places = new Map<string, string>();
  const programs = new Map<string, Program>();

  before(async () => {
    server = await startPostgres();
    const variables = { POSTGRES_PASSWORD: new URL(server.url).password, CROSSCALL_ADMIN_KEY: "compose-admin" };
    const text = await readFile(new URL("compose.yaml", FOLDER), "utf8");
    ({ services } = parse(interpolate(text, variables), { merge: true }) as { services: typeof services });
    const dockerfile = await readFile(new URL("Dockerfile", FOLDER), "utf8");
    entrypoint = arrayOf(/^ENTRYPOINT (.*)$/mu, dockerfile);
    healthcheck = arrayOf(/^HEALTHCHECK CMD (.*)$/mu, dockerfile);
    await startDatabase();
    const urls = await Promise.all([startChain("origin"), startChain("destination")]);
    // Services start concurrently, as containers do.
    await Promise.all(namesOf("service", "worker").map(start));
    chains = nonEmpty(programs.get("service-1")).ready.chains.map(({ id, contracts }, index) => ({
      id,
      contracts,
      rpcUrl: nonEmpty(urls[index]),
    }));
  });
  after(async () => {
    await stopPrograms();
    await server.stop();
  });

  it("are three services, two workers, two chains and a database", () => {
    expect(Object.keys(services).toSorted()).to.deep.equal([
      ...["destination", "origin", "postgres"],
      ...["service-1", "service-2", "service-3", "worker-1", "worker-2"],
    ]);
    expect(namesOf("service", "worker").map((name) => services[name]?.build)).to.deep.equal(Array(5).fill("."));
  });

  it("settle each request once while workers are killed and a service stops", async () => {
    const [origin, destination] = [nonEmpty(chains[0]), nonEmpty(chains[1])];
    const names = namesOf("service");
    const orders: CampaignOrder[] = [];
    for (let index = 0; index < REQUESTS; index += 1) {
      const client = clientOf(names[index % names.length]);
      orders.push(await quoteOrder(client, { origin, destination }, "nativeToNative", index));
    }
    const depositor = await createDepositor({ origin, destination });
    // Transactions wait for the next block, so they are pending when a worker is killed.
    await Promise.all([origin, destination].map(({ rpcUrl }) => setBlockTime(rpcUrl, 1)));
    const interruptions: (() => Promise<void>)[] = [
      () => restart("worker-1", "SIGKILL"),
      () => restart("worker-2", "SIGKILL"),
      () => restart("service-3", "SIGTERM"),
    ];
    for (const [index, order] of orders.entries()) {
      await depositor.deposit(order);
      if (index % 10 === 6) await interruptions.shift()?.();
    }
    await depositor.settle();
    await until(async () => (await countSuccesses()) === REQUESTS);

    for (const name of names) {
      const client = clientOf(name);
      const statuses = await Promise.all(orders.map(({ requestId }) => getStatus(client, { requestId })));
      expect(statuses.map(({ status }) => status)).to.deep.equal(Array(REQUESTS).fill("success"));
    }
    const { solver } = nonEmpty(programs.get("worker-1")).ready;
    const sent = await Promise.all(
      [origin, destination].map(({ id, rpcUrl }) => readSolverTransactions(id, rpcUrl, solver)),
    );
    const settlements = sent.flat().map(({ orderId }) => orderId);
    for (const { orderId } of orders) expect(settlements.filter((id) => id === orderId)).to.deep.equal([orderId]);
  });

  it("are ready and healthy after processes were killed", async () => {
    for (const [name, { ready }] of programs) {
      const response = await fetch(`${ready.url}/ready`);
      expect([name, response.status, await response.json()]).to.deep.equal([
        name,
        200,
        { status: "ready", database: "ok" },
      ]);
      const [, ...check] = healthcheck.map((part) => part.replace("127.0.0.1:3000", new URL(ready.url).host));
      await promisify(execFile)(process.execPath, check);
    }
  });

  const namesOf = (...kinds: readonly string[]): string[] =>
    Object.keys(services).filter((name) => kinds.includes(name.split("-")[0] ?? ""));

  const clientOf = (name = "") => {
    const baseUrl = nonEmpty(programs.get(name)).ready.url;
    return createServiceClient({ baseUrl, apiKey: LOCAL_API_KEY, limits: false });
  };

  async function startDatabase(): Promise<void> {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB = "" } = services.postgres?.environment ?? {};
    const { username, password, host } = new URL(server.url);
    expect([POSTGRES_USER, POSTGRES_PASSWORD]).to.deep.equal([username, password]);
    const client = new pg.Client({ connectionString: `${server.url}/postgres` });
    await client.connect();
    await client.query(`create database ${client.escapeIdentifier(POSTGRES_DB)}`);
    await client.end();
    places.set("postgres:5432", host);
  }

  async function startChain(name: string): Promise<string> {
    const [program, ...args] = services[name]?.entrypoint ?? [];
    expect(program).to.equal("anvil");
    const { ready: port } = await startProgram(
      ANVIL,
      freePort(args),
      (line) => /Listening on .*:(\d+)/u.exec(line)?.[1],
    );
    places.set(`${name}:8545`, `127.0.0.1:${port}`);
    return `http://127.0.0.1:${port}`;
  }

  async function start(name: string): Promise<void> {
    const { command = [], environment = {} } = services[name] ?? {};
    const [, ...args] = entrypoint;
    const variables = Object.entries(environment).map(([variable, value]) => `${variable}=${placed(value)}`);
    const program = ["packages/crosscall/src/main.ts", ...freePort(args), ...command.map(placed), "--json"];
    const started = await startProgram("env", [...variables, process.execPath, ...program], (line) => {
      const up = JSON.parse(line) as Up;
      if (!up.ok) throw new Error(line);
      return up;
    });
    programs.set(name, started);
  }

  async function restart(name: string, signal: NodeJS.Signals): Promise<void> {
    const program = nonEmpty(programs.get(name));
    await program.stop(signal);
    const { exitCode, signalCode } = program.child;
    expect([name, exitCode, signalCode]).to.deep.equal(signal === "SIGKILL" ? [name, null, signal] : [name, 0, null]);
    await start(name);
  }

  const placed = (text: string): string =>
    [...places].reduce((moved, [place, local]) => moved.replace(place, local), text);

  async function countSuccesses(): Promise<number> {
    const metrics = await (await fetch(`${nonEmpty(programs.get("service-1")).ready.url}/metrics`)).text();
    return Number(/^crosscall_requests\{status="success"\} (\d+)$/mu.exec(metrics)?.[1] ?? 0);
  }
});

/** Replaces `${NAME:?}` as `docker compose` does. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+):\?\}/gu, (_, name: string) => nonEmpty(variables[name]));
}

function arrayOf(pattern: RegExp, text: string): readonly string[] {
  return JSON.parse(nonEmpty(pattern.exec(text)?.[1])) as string[];
}

/** Containers can listen on the same port; processes cannot. */
function freePort(args: readonly string[]): string[] {
  return args.map((arg, index) => (args[index - 1] === "--port" ? "0" : arg));
}

function nonEmpty<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("a value is missing");
  return value;
}

import type { Stages } from "../../packages/crosscall/src/terminal/stages.ts";
import { type RunningProgram, startAnvil, startProgram } from "../../test/integration/support/processes.ts";
import type { PostgresServer } from "../../test/support/postgres.ts";
import { cpuOf } from "./cpuOf.ts";
import { runEndToEnd } from "./endToEnd.ts";

/** CPU cost of a request from quote to success. */
export interface RequestCost {
  readonly name: string;
  readonly requestsPerSecond: number;
  /** CPU time per request in milliseconds; `database` and `chains` are 0 if they are in the service's process. */
  readonly cpuMs: { readonly service: number; readonly database: number; readonly chains: number } | undefined;
}

/** Number of processes on one PostgreSQL database. */
const PROCESSES = [1, 2, 4];

/** Warm-up requests per process. They load and compile code, and plan the statements of every connection. */
const WARM_UP = 150;

const ORIGIN_ID = 31_337;
const DESTINATION_ID = 31_338;

interface Network {
  readonly services: readonly (RunningProgram & { readonly ready: Service })[];
  readonly databasePid?: number;
  readonly chains: readonly RunningProgram[];
}

interface Service {
  readonly url: string;
  readonly chains: readonly { readonly id: number; readonly rpcUrl: string }[];
}

/** @param count number of requests per measurement, all sent concurrently */
export async function measureRequestCosts(
  stages: Stages,
  server: PostgresServer,
  count: number,
  signal: AbortSignal,
): Promise<readonly RequestCost[]> {
  const costs = [await stages.run("Fill requests in memory", () => inMemory(count, signal))];
  const chains = await Promise.all([startAnvil(ORIGIN_ID), startAnvil(DESTINATION_ID)]);
  const databaseUrl = await server.createDatabase();
  const urls = chains.flatMap(({ ready }, index) => ["--chain", `${ORIGIN_ID + index}=${ready}`]);
  const services: Network["services"][number][] = [];
  try {
    for (const processes of PROCESSES) {
      while (services.length < processes) services.push(await startService("--database-url", databaseUrl, ...urls));
      const name = `PostgreSQL, ${processes} ${processes === 1 ? "process" : "processes"}`;
      const network = { services, databasePid: server.pid, chains };
      costs.push(await stages.run(`Fill requests on ${name}`, () => measureNetwork(name, network, count, signal)));
    }
  } finally {
    for (const program of [...services, ...chains]) await program.stop("SIGTERM");
  }
  return costs;
}

async function inMemory(count: number, signal: AbortSignal): Promise<RequestCost> {
  const service = await startService();
  try {
    return await measureNetwork("in memory, 1 process", { services: [service], chains: [] }, count, signal);
  } finally {
    await service.stop("SIGTERM");
  }
}

async function measureNetwork(
  name: string,
  network: Network,
  count: number,
  signal: AbortSignal,
): Promise<RequestCost> {
  const [origin] = network.services.flatMap(({ ready }) => ready.chains);
  if (origin === undefined) throw new Error("the service reports no chain");
  const baseUrls = network.services.map(({ ready }) => ready.url);
  const run = (requests: number): Promise<number> =>
    runEndToEnd({ baseUrls, origin, destinationChainId: DESTINATION_ID, count: requests, signal });
  await run(WARM_UP * network.services.length);
  const before = cpuTimes(network);
  const requestsPerSecond = await run(count);
  const after = cpuTimes(network);
  const cpuMs = before &&
    after && {
      service: (after.service - before.service) / count,
      database: (after.database - before.database) / count,
      chains: (after.chains - before.chains) / count,
    };
  return { name, requestsPerSecond, cpuMs };
}

/** Returns the CPU time in milliseconds, or undefined if the system does not report it. */
function cpuTimes({ services, databasePid, chains }: Network): RequestCost["cpuMs"] {
  const sum = (pids: readonly (number | undefined)[]): number | undefined =>
    pids.reduce<number | undefined>((total, pid) => {
      const ms = pid === undefined ? undefined : cpuOf(pid);
      return total === undefined || ms === undefined ? undefined : total + ms;
    }, 0);
  const service = sum(services.map(({ child }) => child.pid));
  const database = sum(databasePid === undefined ? [] : [databasePid]);
  const nodes = sum(chains.map(({ child }) => child.pid));
  if (service === undefined || database === undefined || nodes === undefined) return undefined;
  return { service, database, chains: nodes };
}

function startService(...args: readonly string[]): Promise<RunningProgram & { readonly ready: Service }> {
  const command = ["packages/crosscall/src/main.ts", "up", "--json", "--port", "0", "--limits", "off"];
  return startProgram(process.execPath, [...command, ...args], (line) => JSON.parse(line) as Service);
}

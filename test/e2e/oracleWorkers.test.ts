import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

import { expect } from "chai";
import { encodeFunctionData, zeroAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import type { DepositsAttestation } from "../../packages/protocol/src/attestation/messages/deposits.ts";
import { hashOrder, type Order } from "../../packages/protocol/src/index.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { startOracleNetwork } from "../integration/support/oracleNetwork.ts";
import { attestStatement, ORACLE_ENV, signStatement, STATEMENT_ROUTE } from "../support/attestStatement.ts";
import { type RunningProgram, runCrosscall, startCrosscall, startProgram } from "../support/programs.ts";
import { until } from "../support/until.ts";
import { serve } from "../support/httpServer.ts";
import { encodeFillContract } from "../../packages/protocol/src/order/index.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const SIGNER = privateKeyToAddress(`0x${ORACLE_ENV.ECDSA_PRIVATE_KEY}`).toLowerCase();
const API_KEY = "the-key";
const env = { ...ORACLE_ENV, API_KEYS: `${API_KEY}:tests` };
const CHAIN = "local-31337";

describe("an oracle with several processes", () => {
  it("returns the same signature from each process, and combines their metrics", async () => {
    const { url, pids, program } = await startWorkers(["--workers", "2"]);
    // Each process logs the message once.
    await until(async () => {
      await send(url, "/ready");
      return pids.every((pid) => program.stderr().includes(`"pid":${pid},"hostname"`));
    });
    const body = await signStatement();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(url, STATEMENT_ROUTE, body)));
    const { genericMapping } = JSON.parse(answers[0]?.body ?? "") as Signed;
    expect(genericMapping.signatures.map(({ oracleSigner }) => oracleSigner)).to.deep.equal([SIGNER]);
    expect(new Set(answers.map(({ status, body: own }) => `${status} ${own}`)).size).to.equal(1);

    const metrics = await metricsOf(url);
    expect(metrics.get("oracle_workers")).to.equal(2);
    expect(metrics.get(`oracle_signer_info{address="${SIGNER}"}`)).to.equal(1);
    expect(metrics.get("oracle_ready")).to.equal(0);
    expect(metrics.get(COUNT)).to.equal(8);
    const startedAt = metrics.get("process_start_time_seconds") ?? 0;
    expect(startedAt).to.be.above(0);

    // A hung process accepts no connections.
    await pause(pids[0]!);
    for (const meanwhile of await Promise.all([metricsOf(url), metricsOf(url)])) {
      expect([meanwhile.get(COUNT), meanwhile.get("oracle_workers")]).to.deep.equal([8, 1]);
    }
    process.kill(pids[0]!, "SIGCONT");
    await until(async () => (await metricsOf(url)).get("oracle_workers") === 2);
    await stop(program, pids);
  });

  it("restarts a killed process while the others serve requests", async () => {
    const { url, pids, program } = await startWorkers([], { WORKERS: "2" });
    const body = await signStatement();
    for (let sent = 0; sent < 4; sent += 1) await send(url, STATEMENT_ROUTE, body);
    expect((await metricsOf(url)).get(COUNT)).to.equal(4);

    const kill = (pid: number): void => void process.kill(pid, "SIGKILL");
    const restarted = (times: number) => () => restartedPids(program).length === times;
    kill(pids[0]!);
    await program.until("a worker exited and is restarted");
    let answered = 0;
    await until(async () => {
      expect((await send(url, "/lives/v1")).status).to.equal(200);
      answered += 1;
      return restarted(1)();
    });
    expect(answered).to.be.above(0);
    // A counter must not decrease, because Prometheus would count the difference again.
    const metrics = await metricsOf(url);
    expect([metrics.get(COUNT), metrics.get("oracle_workers")]).to.deep.equal([4, 2]);

    // Kills the restarted worker and the other one, so no process responds until a worker restarts.
    const [second] = restartedPids(program);
    kill(second!);
    kill(pids[1]!);
    await until(restarted(3));
    expect((await send(url, "/lives/v1")).status).to.equal(200);
    expect(exitsOf(program)).to.have.deep.members([
      { worker: 1, signal: "SIGKILL" },
      { worker: 1, signal: "SIGKILL" },
      { worker: 2, signal: "SIGKILL" },
    ]);
    await stop(program, [...pids, ...restartedPids(program)]);
  });

  it("leaves no connection open when processes are killed under load", async () => {
    const { url, program, ...first } = await startWorkers(["--workers", "2"]);
    let pids = first.pids;
    const outcomes = { answered: 0, lost: 0 };
    let isLoaded = true;
    const load = async (): Promise<void> => {
      while (isLoaded) {
        const isResponded = await send(url, "/lives/v1").then(
          ({ status }) => status === 200,
          () => false,
        );
        outcomes[isResponded ? "answered" : "lost"] += 1;
        // Leaves the CPU to the processes that restart.
        await setTimeout(10);
      }
    };
    const callers = Array.from({ length: 8 }, load);
    for (let kills = 1; kills <= 4; kills += 1) {
      const [victim] = pids;
      // A stopped process neither accepts nor closes connections.
      await pause(victim!);
      // The stopped process can hold all callers' connections. The other process serves new ones.
      await Promise.all(callers.map(() => send(url, "/lives/v1")));
      process.kill(victim!, "SIGKILL");
      await until(() => restartedPids(program).length === kills);
      pids = [...pids.slice(1), restartedPids(program)[kills - 1]!];
    }
    isLoaded = false;
    // Every connection is closed, including those to a killed process.
    await Promise.all(callers);
    expect(outcomes.answered).to.be.above(outcomes.lost);
    await stop(program, [...first.pids, ...pids]);
  });

  it("compiles the signing code to optimized WebAssembly at the first signature", async () => {
    for (const WORKERS of ["1", "2"]) {
      const nodeOptions = ["--trace-wasm-compilation-times"];
      const program = startProgram("packages/oracle/src/main.ts", [], { nodeOptions, env: { ...ORACLE_ENV, WORKERS } });
      await program.until("the oracle is up");
      const started = program.stdout();
      const { port } = JSON.parse(/^\{.*"the oracle is up"\}$/mu.exec(started)?.[0] ?? "") as { port: number };
      expect(await attestStatement(`http://127.0.0.1:${port}`)).to.equal(200);
      program.child.kill("SIGTERM");
      const { stdout } = await program.finished;
      const compiled = [...stdout.slice(started.length).matchAll(/^Compiled function .* using (\w+)/gmu)];
      expect(new Set(compiled.map(([, compiler]) => compiler))).to.deep.equal(new Set(["TurboFan"]));
    }
  });

  it("counts requests without a key across all processes", async () => {
    const limit = { UNAUTHENTICATED_RATE_LIMIT_MAX: "5", UNAUTHENTICATED_RATE_LIMIT_WINDOW_MS: "3600000" };
    const { url, pids, program } = await startWorkers(["--workers", "3"], { ...limit, API_KEYS: "" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(url, "/chains/v1")));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([
      ...Array<number>(5).fill(200),
      ...Array<number>(15).fill(429),
    ]);
    await stop(program, pids);
  });

  it("counts a payment once across all processes, even after a restart", async () => {
    const network = await startOracleNetwork();
    const { url, pids, program } = await startWorkers(["--workers", "2"], { LOCAL_31337_RPC_URL: network.rpcUrl });
    const { order, orderId } = unpaidOrder();
    const orderSignature = await localAccounts.solver.signMessage({ message: { raw: orderId } });
    const fill = {
      transactionId: await network.send({ to: localAccounts.stranger.address, data: orderId, value: 1n }),
    };
    const bodies: string[] = [];
    for (let deposit = 0; deposit < 2; deposit += 1) {
      const args = [localAccounts.user.address, orderId] as const;
      const transactionId = await network.send({
        to: network.contracts.depository,
        data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args }),
        value: 1000n,
      });
      const request = JSON.stringify({ chainId: CHAIN, transactionId });
      const { body } = await send(url, "/attestations/depository-deposits/v1", request);
      const [message] = (JSON.parse(body) as DepositsAttestation).messages;
      const inputs = [{ transactionId, onchainId: message?.result.onchainId, inputIndex: 0 }];
      bodies.push(JSON.stringify({ order, orderSignature, inputs, fill }));
    }
    const [first, second] = pids as [number, number];
    /** Reaches the other process, because a stopped process accepts no connections. */
    const askWithout = async (pid: number, body: string | undefined) => {
      await pause(pid);
      const answer = await send(url, "/attestations/solver-fills/v1", body);
      process.kill(pid, "SIGCONT");
      return answer;
    };
    expect((await askWithout(first, bodies[0])).status).to.equal(200);
    const meaning = `the fill of order ${orderId}`;
    const message = `Ambiguous payment of 1: it could be ${meaning} or ${meaning}, and counts once`;
    const refused = { status: 400, body: JSON.stringify({ message }) };
    expect(await askWithout(second, bodies[1])).to.deep.equal(refused);
    process.kill(second, "SIGKILL");
    await until(() => restartedPids(program).length === 1);
    expect(await send(url, "/attestations/solver-fills/v1", bodies[1])).to.deep.equal(refused);
    await stop(program, [...pids, ...restartedPids(program)]);
    await network.close();
  });

  it("completes requests in progress on Ctrl-C, which reaches every process, and leaves no process running", async () => {
    const asked = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    const node = await serve(async (_request, response, content) => {
      const calls = JSON.parse(content) as { id: number } | { id: number }[];
      // Each worker requests the chain ID when it starts.
      if (!Array.isArray(calls)) {
        response.end(JSON.stringify({ jsonrpc: "2.0", id: calls.id, result: "0x7a69" }));
        return;
      }
      asked.resolve(undefined);
      await held.promise;
      response.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: null }))));
    });
    const { url, pids, program } = await startWorkers(["--workers", "2"], { LOCAL_31337_RPC_URL: node.url });
    const deposit = JSON.stringify({ chainId: CHAIN, transactionId: `0x${"ab".repeat(32)}` });
    const underWay = send(url, "/attestations/depository-deposits/v1", deposit).then(
      ({ status }) => status,
      () => "lost",
    );
    await asked.promise;
    for (const pid of [...pids, program.child.pid!]) process.kill(pid, "SIGINT");
    await until(() =>
      send(url, "/lives/v1").then(
        () => false,
        () => true,
      ),
    );
    held.resolve(undefined);
    // The stand-in for the node has no blocks.
    expect(await underWay).to.equal(500);
    expect((await program.finished).exitCode).to.equal(0);
    expect(pids.filter(isRunning)).to.deep.equal([]);
    await node.close();
  });

  it("leaves no worker running if its main process is killed", async () => {
    const { pids, program } = await startWorkers(["--workers", "2"]);
    program.child.kill("SIGKILL");
    await until(() => !pids.some(isRunning));
  });

  it("reports the reason once if it cannot start, and leaves no process running", async () => {
    const broken = await runCrosscall(["oracle", "start", "--workers", "many", "--json"], { env });
    const { error } = JSON.parse(broken.stdout) as { error: { code: string; problems: { at: string }[] } };
    expect([broken.exitCode, error.code, error.problems.map(({ at }) => at)]).to.deep.equal([
      1,
      "INVALID_CONFIGURATION",
      ["WORKERS"],
    ]);

    const { url, pids, program } = await startWorkers(["--workers", "2"]);
    const HTTP_PORT = new URL(url).port;
    const used = await startCrosscall(["oracle", "--workers", "2"], { env: { ...env, HTTP_PORT } }).finished;
    expect([used.exitCode, occurrences(used.stderr, `cannot listen on port ${HTTP_PORT}`)]).to.deep.equal([1, 1]);
    await stop(program, pids);

    // Only the workers connect to the key service.
    const keyless = {
      ...{ SIGNING_MODULE: "cloud-kms", CLOUD_KMS_SIGNER_KEY_ID: "key", CLOUD_KMS_SIGNER_KEY_REGION: "eu" },
      ...{ AWS_ENDPOINT_URL_KMS: "http://127.0.0.1:1", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" },
      AWS_MAX_ATTEMPTS: "1",
    };
    const failed = await startCrosscall(["oracle", "--workers", "2"], { env: { ...env, ...keyless } }).finished;
    expect([failed.exitCode, occurrences(failed.stderr, "the key service")]).to.deep.equal([1, 1]);
  });

  it("requires the permission to start processes if Node.js restricts permissions", async () => {
    const rights = ["--permission", "--allow-fs-read=*"];
    const options = { env: { ...env, WORKERS: "2" } };
    const refused = await startProgram("packages/oracle/src/main.ts", [], { ...options, nodeOptions: rights }).finished;
    expect(refused.exitCode).to.equal(1);
    expect(refused.stderr).to.include("--allow-child-process");
    const allowed = [...rights, "--allow-child-process"];
    const program = startProgram("packages/oracle/src/main.ts", [], { ...options, nodeOptions: allowed });
    const { port, workers } = JSON.parse(await program.firstLine()) as { port: number; workers: number[] };
    expect((await send(`http://127.0.0.1:${port}`, STATEMENT_ROUTE, await signStatement())).status).to.equal(200);
    await stop(program, workers);
  });
});

const COUNT = `oracle_request_duration_seconds_count{route="${STATEMENT_ROUTE}",status="200"}`;

interface Signed {
  readonly genericMapping: { readonly signatures: readonly { readonly oracleSigner: string }[] };
}

/** Returns an order without payments. Any transaction that contains its id fills it. */
function unpaidOrder() {
  const [deadline, extraData] = [4_000_000_000, encodeFillContract(localAccounts.stranger.address)];
  const currency = zeroAddress;
  const refund = { chainId: CHAIN, recipient: currency, currency, minimumAmount: "1000", deadline, extraData };
  const order: Order = {
    ...{ version: "v1", solverChainId: CHAIN, solver: localAccounts.solver.address, salt: `0x${"01".repeat(32)}` },
    inputs: [{ payment: { chainId: CHAIN, currency, amount: "1000", weight: "1" }, refunds: [refund] }],
    output: { chainId: CHAIN, payments: [], calls: [], deadline, extraData },
    fees: [],
  };
  return { order, orderId: hashOrder(order) };
}

async function startWorkers(args: readonly string[], changes: Readonly<Record<string, string>> = {}) {
  const program = startCrosscall(["oracle", "start", "--json", ...args], { env: { ...env, ...changes } });
  const { url } = JSON.parse(await program.firstLine()) as { url: string };
  const [pids = []] = logged(program).flatMap(({ workers }) => (workers === undefined ? [] : [workers]));
  expect(pids).to.not.deep.equal([]);
  return { program, url, pids };
}

/** Sends each request on a new connection, so that the processes take turns. */
function send(url: string, path: string, body?: string): Promise<{ readonly status: number; readonly body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const headers = { "x-api-key": API_KEY, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  request(`${url}${path}`, { agent: false, method: body === undefined ? "GET" : "POST", headers })
    .on("response", (response) => {
      text(response).then((content) => resolve({ status: response.statusCode ?? 0, body: content }), reject);
    })
    .on("error", reject)
    .end(body);
  return promise;
}

async function metricsOf(url: string): Promise<ReadonlyMap<string, number>> {
  const { body } = await send(url, "/metrics");
  return new Map(
    body
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

interface LogLine {
  readonly msg: string;
  readonly workerPid?: number;
  readonly workers?: readonly number[];
  readonly worker?: number;
  readonly signal?: string | null;
}

function logged(program: RunningProgram): readonly LogLine[] {
  const lines = program.stderr().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LogLine);
}

function restartedPids(program: RunningProgram): readonly number[] {
  return logged(program).flatMap(({ workerPid }) => (workerPid === undefined ? [] : [workerPid]));
}

function exitsOf(program: RunningProgram) {
  return logged(program).flatMap(({ msg, worker, signal }) =>
    msg === "a worker exited and is restarted" ? [{ worker, signal }] : [],
  );
}

/** Stops the process, so that it accepts no connections until it is continued. */
async function pause(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  // The process stops with a delay. A connection accepted before then gets no response.
  if (existsSync("/proc")) await until(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") T "));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function occurrences(content: string, part: string): number {
  return content.split(part).length - 1;
}

async function stop(program: RunningProgram, pids: readonly number[]): Promise<void> {
  program.child.kill("SIGTERM");
  expect((await program.finished).exitCode).to.equal(0);
  expect(pids.filter(isRunning)).to.deep.equal([]);
}

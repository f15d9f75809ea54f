import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { privateKeyToAddress } from "viem/accounts";

import { type RunningProgram, runCrosscall, startCrosscall, startProgram } from "../support/programs.ts";
import { serve } from "../support/httpServer.ts";

const KEY = "4d".repeat(32);
const SIGNER = privateKeyToAddress(`0x${KEY}`).toLowerCase();
const env = {
  ENVIRONMENT: "localnet",
  ECDSA_PRIVATE_KEY: KEY,
  // The tests do not read from the chains.
  LOCAL_31337_RPC_URL: "http://127.0.0.1:1",
  LOCAL_31338_RPC_URL: "http://127.0.0.1:2",
  HTTP_PORT: "0",
};
const TX = `0x${"ab".repeat(32)}`;
const chains = ["local-31337", "local-31338"];

interface CheckReport {
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly isMet: boolean; readonly seen: string }[];
}

describe("crosscall oracle", () => {
  const check = async (...args: string[]): Promise<[number | null, CheckReport]> => {
    const { exitCode, stdout } = await runCrosscall(["oracle", "check", ...args, "--json"]);
    return [exitCode, JSON.parse(stdout) as CheckReport];
  };

  it("starts, reports its signer, passes the operational checks and stops on SIGTERM", async () => {
    const program = startCrosscall(["oracle", "--json"], { env: { ...env, API_KEYS: "the-key:tests" } });
    const { url, ...about } = JSON.parse(await program.firstLine()) as { url: string };
    expect(about).to.deep.equal({ ok: true, signer: SIGNER, chains });

    const [first, second] = ["127.0.0.1:1 unreachable", "127.0.0.1:2 unreachable"];
    const silent = [`local-31337 (${first})`, `local-31338 (${second})`, `hub (${first})`, `allocator (${first})`];
    const [exitCode, report] = await check(url, "--api-key", "the-key", "--chain", ...chains, "--signer", SIGNER);
    expect([exitCode, report.ok, report.checks.map(({ isMet, seen }) => (isMet ? isMet : seen))]).to.deep.equal([
      1,
      false,
      [true, true, true, `no response from ${silent.join(", ")}`, true, true],
    ]);
    const [failed, broken] = await check(url, "--chain", "base");
    expect([failed, broken.ok, broken.checks.map(({ isMet }) => isMet)]).to.deep.equal([
      1,
      false,
      [true, true, false, false, false],
    ]);
    expect((await runCrosscall(["oracle", "check", url])).stdout).to.include("--api-key");
    const wrong = await runCrosscall(["oracle", "check", url, "--api-key", "the-key:tests"]);
    expect(wrong.stdout).to.include("rejects this API key");
    await stop(program);
    const [, gone] = await check(url);
    expect(gone.checks.map(({ isMet }) => isMet)).to.deep.equal([false]);
  });

  it("runs with its container's entry point", async () => {
    const program = startProgram("packages/oracle/src/main.ts", [], { env });
    await program.until("the oracle is up");
    expect(program.stdout()).to.include(`"signer":"${SIGNER}"`).and.not.to.include(KEY);
    await stop(program);
  });

  it("completes requests in progress on SIGTERM, accepts no new requests, and exits with 0", async () => {
    await using node = await startHeldNode();
    const program = startProgram("packages/oracle/src/main.ts", [], { env: { ...env, LOCAL_31337_RPC_URL: node.url } });
    await program.until("the oracle is up");
    const port = /"port":(\d+)/u.exec(program.stdout())?.[1] ?? "";
    const transactionId = `0x${"ab".repeat(32)}`;
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/attestations/depository-deposits/v1`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ chainId: "local-31337", transactionId }),
      });
    const underWay = ask();
    await node.isAsked;
    program.child.kill("SIGTERM");
    await program.until("the oracle stops");
    const refused = await ask().then(
      ({ status }) => status,
      () => "refused",
    );
    expect(["refused", 503]).to.include(refused);
    node.answer();
    const answer = await underWay;
    expect([answer.status, await answer.json()]).to.deep.equal([
      400,
      { message: `Missing transaction ${transactionId} on chain local-31337` },
    ]);
    expect((await program.finished).exitCode).to.equal(0);
  });

  it("lists all errors in its configuration", async () => {
    const broken = { ...env, ENVIRONMENT: "localnet", HTTP_PORT: "x", ECDSA_PRIVATE_KEY: "secret-word" };
    const { exitCode, stdout } = await runCrosscall(["oracle", "start", "--json"], { env: broken });
    const { error } = JSON.parse(stdout) as { error: { code: string; problems: { at: string }[] } };
    expect([exitCode, error.code]).to.deep.equal([1, "INVALID_CONFIGURATION"]);
    expect(error.problems.map(({ at }) => at)).to.deep.equal(["ECDSA_PRIVATE_KEY", "HTTP_PORT"]);
    const container = await startProgram("packages/oracle/src/main.ts", [], { env: broken }).finished;
    expect(container.exitCode).to.equal(1);
    expect(container.stderr).to.include("HTTP_PORT").and.not.to.include("secret-word");
  });

  it("compares the responses of two oracles to the requests in a file", async () => {
    const program = startCrosscall(["oracle", "--json"], { env });
    const { url } = JSON.parse(await program.firstLine()) as { url: string };
    await using node = await startHeldNode();
    node.answer();
    const other = startCrosscall(["oracle", "--json"], { env: { ...env, LOCAL_31337_RPC_URL: node.url } });
    const { url: otherUrl } = JSON.parse(await other.firstLine()) as { url: string };
    const requestOf = (chainId: string) =>
      JSON.stringify({ route: "recover/v1", body: { chainId, transactionId: TX, onchainId: TX } });
    const folder = await mkdtemp(join(tmpdir(), "crosscall-diff-"));
    const file = join(folder, "requests.jsonl");
    await writeFile(file, `${requestOf("base")}\n\n${requestOf("local-31337")}\n`);
    const run = async (...args: string[]) => {
      const { exitCode, stdout } = await runCrosscall(["oracle", "diff", url, ...args, "--requests", file]);
      return { exitCode, stdout };
    };
    const different = await run(otherUrl, "--json");
    const report = JSON.parse(different.stdout) as { ok: boolean; compared: number; differences: { line: number }[] };
    expect([different.exitCode, report.ok, report.compared]).to.deep.equal([1, false, 2]);
    expect(report.differences.map(({ line }) => line)).to.deep.equal([3]);
    expect((await run(otherUrl)).stdout).to.include("line 3, recover/v1: different");
    expect(await run(url)).to.deep.equal({ exitCode: 0, stdout: "2 requests: 2 both refused\n" });
    await rm(folder, { recursive: true });
    await stop(program);
    await stop(other);
  });

  it("rejects an invalid URL", async () => {
    const { exitCode, stdout } = await runCrosscall(["oracle", "check", "nothing", "--json"]);
    expect([exitCode, (JSON.parse(stdout) as { error: { code: string } }).error.code]).to.deep.equal([
      1,
      "INVALID_INPUT",
    ]);
  });
});

/** Starts a node without transactions. It holds its responses until the test releases them. */
async function startHeldNode() {
  const held = Promise.withResolvers<undefined>();
  const asked = Promise.withResolvers<undefined>();
  const server = await serve(async (_request, response, body) => {
    const calls = JSON.parse(body) as { id: number; method: string } | { id: number; method: string }[];
    // The oracle sends a request that is not a batch only when it starts.
    if (!Array.isArray(calls)) return response.end(JSON.stringify({ jsonrpc: "2.0", id: calls.id, result: "0x7a69" }));
    asked.resolve(undefined);
    await held.promise;
    const block = { hash: `0x${"1".repeat(64)}`, number: "0x64", timestamp: "0x64" };
    const resultOf = (method: string) => (method === "eth_getTransactionReceipt" ? null : block);
    return response.end(
      JSON.stringify(calls.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: resultOf(method) }))),
    );
  });
  return { ...server, isAsked: asked.promise, answer: () => held.resolve(undefined) };
}

async function stop(program: RunningProgram): Promise<void> {
  program.child.kill("SIGTERM");
  expect((await program.finished).exitCode).to.equal(0);
}

import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { useNetwork } from "../support/useNetwork.ts";
import { runCrosscall } from "../support/programs.ts";
import { serve, type TestServer } from "../support/httpServer.ts";
import { rememberIn } from "../support/rememberIn.ts";
import { useFolder } from "../support/useFolder.ts";

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly state: string;
    readonly seen: string;
    readonly hint?: string;
  }[];
}

describe("crosscall doctor", () => {
  const network = useNetwork();
  const cwd = useFolder();

  const examine = (...args: string[]) => examineWith({}, ...args);
  const examineWith = async (
    env: Readonly<Record<string, string>>,
    ...args: string[]
  ): Promise<Report & { exitCode: number | null }> => {
    const { exitCode, stdout } = await runCrosscall(["doctor", "--json", ...args], { cwd, env });
    return { ...(JSON.parse(stdout) as Report), exitCode };
  };
  const stateOf = ({ checks }: Report, name: string) => checks.find((check) => check.name === name)?.state;

  it("passes for a running network", async () => {
    const [{ id, rpcUrl }] = network.chains;
    const report = await examine(
      ...["--api-url", network.url, "--api-key", network.apiKey, "--rpc-url", `${id}=${rpcUrl}`],
    );
    expect(report).to.include({ ok: true, exitCode: 0 });
    for (const name of [
      "it responds",
      "the API key is valid",
      "this machine's clock is correct",
      "the service's endpoints end on the known dates",
    ]) {
      expect([name, stateOf(report, name)]).to.deep.equal([name, "ok"]);
    }
    expect(stateOf(report, `the endpoint of ${id} responds`)).to.equal("ok");
    expect(stateOf(report, `chain ${id} reports finality`)).to.equal("ok");
  });

  it("needs no options in a local network's folder, and prints no warnings", async () => {
    const folder = await mkdtemp(join(cwd, "local-"));
    await rememberIn(folder, network);
    for (const url of [[], ["--api-url", `${network.url}/`]]) {
      const { exitCode, stdout } = await runCrosscall(["doctor", "--json", ...url], { cwd: folder });
      const { ok, checks } = JSON.parse(stdout) as Report;
      expect([exitCode, ok]).to.deep.equal([0, true]);
      expect(checks.filter(({ state }) => state === "warning" || state === "failed")).to.deep.equal([]);
      const seenOf = (named: string) => checks.find(({ name }) => name === named)?.seen;
      expect(seenOf("its addresses are pinned")).to.equal("2 chains");
      expect(seenOf("it responds")).to.match(/^2 chains and \d+ simulated in /u);
      expect(seenOf("the API key is valid")).to.equal("it lists requests");
    }
  });

  it("does not warn of old blocks of this folder's idle chains, but of other nodes", async () => {
    const folder = await mkdtemp(join(cwd, "idle-"));
    const node = await serveNode({ chainId: 31_337, secondsAhead: -900, tags: ["safe", "finalized"] });
    await rememberIn(folder, { ...network, chains: [{ ...network.chains[0], rpcUrl: node.url }, network.chains[1]] });
    const stateIn = async (...args: string[]) => {
      const { stdout } = await runCrosscall(["doctor", "--json", ...args], { cwd: folder });
      return stateOf(JSON.parse(stdout) as Report, "chain 31337 is current");
    };
    const states = [await stateIn(), await stateIn("--api-url", "http://127.0.0.1:9", "--rpc-url", node.url)];
    await node.close();
    expect(states).to.deep.equal(["ok", "warning"]);
  });

  it("reports a wrong key, a wrong chain, a node that is down, and unknown addresses, with a hint for each", async () => {
    const [{ id, rpcUrl }] = network.chains;
    const trust = join(cwd, "trust.json");
    const other = "0x4444444444444444444444444444444444444444";
    await writeFile(trust, JSON.stringify({ [id]: { name: "local", depositories: [other], solvers: [other] } }));
    const report = await examine(
      ...["--api-url", network.url, "--api-key", "wrong", "--trust", trust],
      ...["--rpc-url", `5=${rpcUrl}`, "--rpc-url", "6=http://127.0.0.1:9"],
    );
    expect(report).to.include({ ok: false, exitCode: 1 });
    expect(stateOf(report, "the API key is valid")).to.equal("failed");
    expect(report.checks.find(({ name }) => name === "the endpoint of 5 responds")).to.include({
      state: "failed",
      seen: `chain ${id}`,
    });
    expect(stateOf(report, "the endpoint of 6 responds")).to.equal("failed");
    const pinned = report.checks.find(({ name }) => name === "its addresses are pinned");
    expect(pinned).to.have.property("state", "warning");
    expect(pinned?.seen).to.include(network.chains[0].contracts.depository);
    for (const { state, hint = "" } of report.checks) if (state !== "ok") expect(hint).to.not.equal("");
    expect(JSON.stringify(report)).to.not.include("wrong").and.not.include("127.0.0.1:9");
  });

  it("reports a service that is down, and a wrong clock", async () => {
    const down = await examine("--api-url", "http://127.0.0.1:9");
    expect([down.exitCode, stateOf(down, "it responds")]).to.deep.equal([1, "failed"]);
    const late = await serve((_request, response) =>
      response.writeHead(200, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end('{"chains":[]}'),
    );
    const report = await examine("--api-url", late.url);
    await late.close();
    const clock = report.checks.find(({ name }) => name === "this machine's clock is correct");
    expect(clock).to.include({ state: "failed" });
    expect(clock?.seen).to.match(/^36\d\d s ahead$/u);
  });

  it("compares the endpoints' chains with the service's chains", async () => {
    const [{ id, rpcUrl }] = network.chains;
    const node = await serveNode({ chainId: 77, secondsAhead: 0, tags: [] });
    const report = await examine("--api-url", network.url, "--rpc-url", `${id}=${rpcUrl}`, "--rpc-url", node.url);
    await node.close();
    expect(report).to.include({ ok: true, exitCode: 0 });
    expect(stateOf(report, `the service supports chain ${id}`)).to.equal("ok");
    expect(stateOf(report, "the service supports chain 77")).to.equal("warning");
  });

  it("exits with an error for warnings if --strict is given", async () => {
    const node = await serveNode({ chainId: 77, secondsAhead: 900, tags: ["safe", "finalized"] });
    const results = [await examine("--rpc-url", node.url), await examine("--rpc-url", node.url, "--strict")];
    await node.close();
    expect(results.map(({ ok, exitCode }) => [ok, exitCode])).to.deep.equal([
      [true, 0],
      [false, 1],
    ]);
  });

  it("checks the block time and the finality of an endpoint", async () => {
    const seenOf = async (node: NodeFacts): Promise<readonly (readonly [string, string])[]> => {
      const { url, close } = await serveNode(node);
      const { checks } = await examine("--rpc-url", url);
      await close();
      const own = checks.filter(({ name }) => name.startsWith("chain 77"));
      return own.map(({ state, seen }) => [state, seen.replace(/\d+ s/u, "N s")]);
    };
    expect(await seenOf({ chainId: 77, secondsAhead: 0, tags: ["safe", "finalized"] })).to.deep.equal([
      ["ok", "block 100, N s old"],
      ["ok", "finalized 20 blocks behind, safe 10"],
    ]);
    expect(await seenOf({ chainId: 77, secondsAhead: 900, tags: ["finalized"] })).to.deep.equal([
      ["warning", "block 100, N s in the future"],
      ["ok", "finalized 20 blocks behind, no safe block"],
    ]);
    expect(await seenOf({ chainId: 77, secondsAhead: -900, tags: [] })).to.deep.equal([
      ["warning", "block 100, N s old"],
      ["warning", "no finalized block"],
    ]);
  });

  it("checks the private key and its funds, and never prints the key", async () => {
    const [{ id, rpcUrl }] = network.chains;
    const name = "the private key is valid";
    const funded = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
    const report = await examineWith({ CROSSCALL_PRIVATE_KEY: funded }, "--rpc-url", rpcUrl);
    expect(report.checks.find((check) => check.name === name)).to.include({
      state: "ok",
      seen: network.accounts.user.address,
    });
    expect(stateOf(report, `the account has funds on chain ${id}`)).to.equal("ok");
    const file = join(cwd, "key");
    await writeFile(file, `0x${"5".repeat(64)}\n`);
    const empty = await examineWith({ CROSSCALL_PRIVATE_KEY: funded }, "--rpc-url", rpcUrl, "--key-file", file);
    expect(stateOf(empty, `the account has funds on chain ${id}`)).to.equal("warning");
    const wrong = await examineWith({ CROSSCALL_PRIVATE_KEY: "0x5555" });
    expect([wrong.exitCode, stateOf(wrong, name)]).to.deep.equal([1, "failed"]);
    expect(JSON.stringify([report, empty, wrong]))
      .to.not.include("5555")
      .and.not.include(funded.slice(2));
    expect(stateOf(await examine(), name)).to.equal("skipped");
  });

  it("skips checks without input, and prints all checks as text", async () => {
    const { exitCode, stdout } = await runCrosscall(["doctor"], { cwd });
    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/^ok +project: Node\.js/mu)
      .and.match(/^skipped +service: it responds: no URL$/mu);
  });
});

interface NodeFacts {
  readonly chainId: number;
  readonly secondsAhead: number;
  /** Supported block tags besides `latest`. */
  readonly tags: readonly string[];
}

/** Starts a node with latest block 100, safe block 90 and finalized block 80. */
function serveNode({ chainId, secondsAhead, tags }: NodeFacts): Promise<TestServer> {
  const timestamp = Math.floor(Date.now() / 1_000) + secondsAhead;
  const numbers: Readonly<Record<string, number>> = { latest: 100, safe: 90, finalized: 80 };
  const resultOf = (method: string, [tag = ""]: readonly string[]): object => {
    if (method === "eth_chainId") return { result: `0x${chainId.toString(16)}` };
    const number = tag === "latest" || tags.includes(tag) ? numbers[tag] : undefined;
    if (number === undefined) return { error: { code: -32_602, message: `unknown block ${tag}` } };
    const [hex, time] = [number, timestamp].map((value) => `0x${value.toString(16)}`);
    return { result: { number: hex, timestamp: time, hash: `0x${"1".repeat(64)}`, transactions: [] } };
  };
  return serve((_request, response, body) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params?: string[] };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...resultOf(method, params ?? []) }));
  });
}

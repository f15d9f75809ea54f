import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";

import { expect } from "chai";
import { zeroAddress, zeroHash } from "viem";

import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { startReceiver } from "../integration/support/webhookReceiver.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { type FinishedProgram, type RunningProgram, runCrosscall, startCrosscall } from "../support/programs.ts";
import { rememberIn } from "../support/rememberIn.ts";
import { useFolder } from "../support/useFolder.ts";
import { useNetwork } from "../support/useNetwork.ts";

/** Key of the network's user account. */
const USER_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

interface Started {
  readonly url: string;
  readonly adminKey: string;
  readonly oracle: { readonly url: string };
  readonly chains: readonly { readonly id: number; readonly rpcUrl: string }[];
  readonly svm?: { readonly rpcUrl: string };
}

describe("crosscall up and status in a project folder", () => {
  const cwd = useFolder();

  const up = async (...args: string[]): Promise<{ program: RunningProgram; network: Started }> => {
    const program = startCrosscall(["up", "--json", ...args], { cwd });
    return { program, network: JSON.parse(await program.firstLine()) as Started };
  };
  const stop = async ({ child, finished }: RunningProgram): Promise<void> => {
    child.kill("SIGINT");
    expect((await finished).exitCode).to.equal(0);
  };
  const urlsOf = ({ url, oracle, chains }: Started): readonly string[] => [
    url,
    oracle.url,
    ...chains.map(({ rpcUrl }) => rpcUrl),
  ];

  it("copies live chains by name", async () => {
    const [port = 0] = await freePorts();
    const { program, network } = await up(
      "--port",
      String(port),
      "--like-mainnet",
      "--chains",
      "base,arbitrum",
      "--svm",
      "--gas-price",
      "0.5",
    );
    expect(network.chains.map(({ id }) => id)).to.deep.equal([8_453, 42_161]);
    const [base] = network.chains;
    expect(await chainClient(8_453, base?.rpcUrl ?? "").getGasPrice()).to.equal(500_000_000n);
    const params = ["11111111111111111111111111111112", 1_000_000_000];
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "requestAirdrop", params });
    const response = await fetch(network.svm?.rpcUrl ?? "", { method: "POST", body });
    const { result: sent } = (await response.json()) as { result: string };
    const replayed = await runCrosscall(["replay", sent], { cwd });
    expect([replayed.exitCode, replayed.stdout.split("\n")[0]]).to.deep.equal([0, "The transaction works."]);
    expect(replayed.stdout).to.include("System transfer(lamports: 1 SOL)").and.include("chain 792703809");
    await stop(program);
    const { exitCode, stdout } = await runCrosscall(["up", "--json", "--chains", "base"], { cwd });
    expect(exitCode).to.equal(1);
    const { error } = JSON.parse(stdout) as { readonly error: object };
    expect(error).to.include({ code: "INVALID_INPUT", field: "chains" });
  });

  it("listen on the same ports as before, show them, and report that nothing is running", async () => {
    const [port = 0, rpcPort = 0] = await freePorts();
    const first = await up("--port", String(port), "--rpc-port", String(rpcPort));
    expect(urlsOf(first.network)).to.deep.equal([
      `http://127.0.0.1:${port}`,
      first.network.oracle.url,
      `http://127.0.0.1:${rpcPort}`,
      `http://127.0.0.1:${rpcPort + 1}`,
    ]);
    const taken = await runCrosscall(["up", "--json", "--port", "0", "--rpc-port", String(rpcPort)], { cwd });
    expect(taken.exitCode).to.equal(1);
    expect(taken.stdout).to.include(`port ${rpcPort}`);
    await stop(first.program);

    const again = await up();
    expect(urlsOf(again.network)).to.deep.equal(urlsOf(first.network));
    await expectOwnKey(first.network, again.network);
    const { pid } = JSON.parse(await readFile(join(cwd, ".crosscall/network.json"), "utf8")) as { pid: number };
    for (const samePort of [[], ["--port", String(port)]]) {
      const second = await runCrosscall(["up", "--json", ...samePort], { cwd });
      const { error } = JSON.parse(second.stdout) as { error: { code: string; message: string; hint: string } };
      expect([second.exitCode, error.code]).to.deep.equal([1, "INVALID_STATE"]);
      expect(error.message).to.include(again.network.url);
      expect(error.hint).to.include(`kill ${pid}`);
    }
    const oracle = await runCrosscall(["oracle", "check"], { cwd });
    expect([oracle.exitCode, oracle.stderr]).to.deep.equal([0, usingOwn(again.network)]);
    const { exitCode, stdout } = await runCrosscall(["status", "--json"], { cwd });
    expect(exitCode).to.equal(0);
    const status = JSON.parse(stdout) as Record<string, unknown>;
    expect(status).to.include({ ok: true, url: again.network.url, oracleUrl: again.network.oracle.url });
    const [origin] = status.chains as { id: number; rpcUrl: string; blockNumber: number }[];
    expect(origin).to.include({ id: 31_337, rpcUrl: `http://127.0.0.1:${rpcPort}` });
    expect(origin?.blockNumber).to.be.greaterThan(0);
    expect(status.requests).to.deep.equal({});
    expect((await runCrosscall(["status"], { cwd })).stdout).to.match(/^requests {2}none$/mu);
    await stop(again.program);

    const noOracle = await runCrosscall(["oracle", "check", "--json"], { cwd });
    expect(JSON.parse(noOracle.stdout)).to.have.nested.property("error.field", "<url>");
    const stopped = await runCrosscall(["status", "--json"], { cwd });
    expect(stopped.exitCode).to.equal(1);
    expect(JSON.parse(stopped.stdout)).to.have.nested.property("error.code", "INVALID_STATE");
  });

  const usingOwn = ({ url }: Started): string => `Using the network of this folder at ${url}\n`;

  /** The admin key is random, the same for each run in a folder, and readable only by the folder's owner. */
  async function expectOwnKey(before: Started, now: Started): Promise<void> {
    expect(now.adminKey)
      .to.match(/^[0-9a-f]{64}$/u)
      .and.equal(before.adminKey);
    expect((await stat(join(cwd, ".crosscall/network.json"))).mode & 0o777).to.equal(0o600);
    const { port } = new URL(now.url);
    for (const url of [[], ["--url", `${now.url}/`], ["--url", `http://localhost:${port}`]]) {
      const { exitCode, stderr } = await runCrosscall(["keys", "list", "--json", ...url], { cwd });
      expect([exitCode, stderr]).to.deep.equal([0, url.length === 0 ? usingOwn(now) : ""]);
    }
    // Checks that the key is never sent to another service.
    for (const url of [`http://127.0.0.1:${Number(port) + 1}`, `http://evil.example:${port}`]) {
      const { exitCode, stdout } = await runCrosscall(["keys", "list", "--json", "--url", url], { cwd });
      expect([exitCode, JSON.parse(stdout)]).to.have.nested.property("[1].error.field", "--admin-key");
    }
  }

  it("do not write a given admin key to the folder", async () => {
    const [port = 0] = await freePorts();
    const { program, network } = await up(
      "--port",
      String(port),
      "--no-oracle",
      "--admin-key",
      "given",
      "--api-key",
      "own",
    );
    expect(network.adminKey).to.equal("given");
    expect(await readFile(join(cwd, ".crosscall/network.json"), "utf8"))
      .to.not.include("given")
      .and.not.include("adminKey");
    expect((await runCrosscall(["keys", "list", "--json"], { cwd })).exitCode).to.equal(1);
    const env = { CROSSCALL_ADMIN_KEY: "given", CROSSCALL_API_KEY: "own" };
    const triggered = await runCrosscall(["trigger", "success", "--json"], { cwd, env });
    expect(JSON.parse(triggered.stdout)).to.include({ ok: true, status: "success" });
    const given = await runCrosscall(["keys", "list", "--json"], { cwd, env: { CROSSCALL_ADMIN_KEY: "given" } });
    expect([given.exitCode, given.stderr]).to.deep.equal([0, usingOwn(network)]);
    const second = await runCrosscall(["up", "--json"], { cwd });
    expect(JSON.parse(second.stdout)).to.have.nested.property("error.message").that.includes(network.url);

    // A second network on another port takes its place while it runs.
    const [otherPort = 0] = await freePorts();
    const other = await up("--port", String(otherPort), "--no-oracle");
    expect((await runCrosscall(["status"], { cwd })).stderr).to.equal(usingOwn(other.network));
    await stop(other.program);
    expect((await runCrosscall(["status"], { cwd })).stderr).to.equal(usingOwn(network));
    await stop(program);
  });

  it("save a network, show the snapshot, and start from it", async () => {
    const first = await up("--port", "0", "--default-api-key", "crosscall-local");
    const at = ["--url", first.network.url, "--admin-key", first.network.adminKey];
    const [{ id, rpcUrl } = { id: 0, rpcUrl: "" }] = first.network.chains;
    await runCrosscall(["chain", "mine", String(id), "--blocks", "3", ...at], { cwd });
    expect((await runCrosscall(["trigger", "stuck", ...at], { cwd })).exitCode).to.equal(0);
    const saved = await runCrosscall(["snapshot", "save", "stuck.snapshot", "--json", ...at], { cwd });
    expect([saved.exitCode, saved.stderr]).to.deep.equal([0, ""]);
    const { chains, requests } = JSON.parse(saved.stdout) as { chains: { blockHash: string }[]; requests: unknown };
    expect(requests).to.deep.equal({ pending: 1 });
    const { hash } = await chainClient(id, rpcUrl).getBlock();
    expect(chains[0]).to.include({ id, blockHash: hash });
    await stop(first.program);

    const listed = await runCrosscall(["snapshot", "list", "stuck.snapshot"], { cwd });
    expect(listed.stdout).to.match(
      /^stuck\.snapshot {2}20.*\n {2}chain 31337 at block \d+\n.*\n {2}1 request: 1 pending\n$/u,
    );
    const again = await up("--port", "0", "--from", "stuck.snapshot");
    const [continued] = again.network.chains;
    expect((await chainClient(id, continued?.rpcUrl ?? "").getBlock()).hash).to.equal(hash);
    const cleared = await runCrosscall(
      ["scenarios", "clear", "--url", again.network.url, "--admin-key", again.network.adminKey],
      {
        cwd,
      },
    );
    expect(again.network.adminKey).to.not.equal(first.network.adminKey);
    expect(cleared.exitCode).to.equal(0);
    // The saved network still has the default key.
    expect((await fetch(`${again.network.url}/requests/v3`)).status).to.equal(200);
    await stop(again.program);
  });

  it("reject snapshots that cannot be loaded", async () => {
    const failure = async (...args: string[]) => {
      const { exitCode, stdout } = await runCrosscall([...args, "--json"], { cwd });
      return [exitCode, (JSON.parse(stdout) as { error: { code: string; field?: string } }).error.field];
    };
    expect(await failure("snapshot", "list", ".crosscall/network.json")).to.deep.equal([1, "file"]);
    expect(await failure("up", "--port", "0", "--from", "missing")).to.deep.equal([1, "file"]);
  });

  it("run one part of a network, warn about an address reachable from other hosts, and do not save workers", async () => {
    const [port = 0, workerPort = 0] = await freePorts();
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    const chains = nodes.flatMap(({ ready }, index) => ["--chain", `${31_337 + index}=${ready}`]);
    const shared = ["--database-url", await newPostgresDatabase(), ...chains];
    const reached = ["--listen", "0.0.0.0", "--port", String(port), "--no-oracle"];
    const service = await up("--role", "service", ...reached, ...shared);
    const worker = await up("--role", "worker", "--port", String(workerPort), ...shared);
    expect(service.network.url).to.equal(`http://127.0.0.1:${port}`);
    expect(service.program.stderr()).to.include("0.0.0.0");
    expect(Object.keys(worker.network)).to.deep.equal(["ok", "url", "solver", "chains"]);
    expect(worker.program.stderr()).to.equal("");
    const remembered = JSON.parse(await readFile(join(cwd, ".crosscall/network.json"), "utf8")) as Started;
    expect(remembered.url).to.equal(service.network.url);
    await stop(worker.program);
    await stop(service.program);
    await stopPrograms();
  });

  it("save nothing for a network on free ports", async () => {
    const remembered = await readFile(join(cwd, ".crosscall/network.json"), "utf8");
    const { program, network } = await up("--port", "0");
    expect(remembered).to.not.include(network.url);
    expect(await readFile(join(cwd, ".crosscall/network.json"), "utf8")).to.equal(remembered);
    await stop(program);
  });
});

describe("commands in a copied folder", () => {
  const cwd = useFolder();

  it("send no keys or requests to a remote host that network.json lists", async () => {
    const host = "http://198.51.100.7:1";
    await mkdir(join(cwd, ".crosscall"));
    await writeFile(
      join(cwd, ".crosscall/network.json"),
      JSON.stringify({ url: host, oracleUrl: host, rpcUrls: { 1: host } }),
    );
    const env = { CROSSCALL_API_KEY: "live-key", CROSSCALL_ADMIN_KEY: "live-admin-key" };
    for (const command of [
      ["status", zeroHash],
      ["requests", "list"],
      ["fills", "list"],
    ]) {
      const { exitCode, stdout, stderr } = await runCrosscall([...command, "--json"], { cwd, env });
      expect([exitCode, JSON.parse(stdout)]).to.have.nested.property("[1].error.code", "INVALID_INPUT");
      expect(stdout + stderr).to.not.include(host);
    }
  });
});

describe("the commands that interact with a running network", () => {
  const network = useNetwork();
  const folder = useFolder();

  const env = () => ({ CROSSCALL_ADMIN_KEY: network.adminKey });
  const run = (...args: string[]): Promise<FinishedProgram> =>
    runCrosscall([...args, "--url", network.url], { env: env() });
  const listenTo = (...args: string[]): RunningProgram =>
    startCrosscall(["listen", "--url", network.url, ...args], { env: env() });
  const trigger = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { exitCode, stdout, stderr } = await run("trigger", ...args, "--json");
    expect([exitCode, stderr]).to.deep.equal([0, ""]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const webhooks = async (): Promise<unknown> =>
    (JSON.parse((await run("webhooks", "show", "--json")).stdout) as { webhooks: unknown }).webhooks;

  it("trigger a request that is filled, a request that fails for a given reason, and a rejected quote", async () => {
    expect(await trigger("success")).to.include({ ok: true, scenario: "success", status: "success" });
    expect(await trigger("SLIPPAGE")).to.include({ scenario: "SLIPPAGE", status: "refund", failReason: "SLIPPAGE" });
    expect(await trigger("refund:AMOUNT_TOO_LOW_TO_REFUND")).to.include({
      status: "failure",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    });
    const { response } = (await trigger("quote:NO_QUOTES")) as { response: { status: number; body: string } };
    expect(JSON.parse(response.body)).to.have.property("errorCode", "NO_QUOTES");
    expect(await trigger("http:503")).to.have.nested.property("response.status", 503);
    const older = ["--parameter", "routes=/quote/v2", "--quote-version", "v2"];
    expect(await trigger("http:503", ...older)).to.have.nested.property("response.status", 503);
    expect(await trigger("http:disconnect")).to.have.property("response", null);
    const stuck = await run("trigger", "stuck");
    expect(stuck.stdout)
      .to.include("pending, held by the scenario stuck")
      .and.include("crosscall scenarios clear stuck");
    await run("scenarios", "clear");
    await network.fills.hold();
    const held = await run("trigger", "success");
    const [, heldId] = /^request {2}(\S+)$/mu.exec(held.stdout) ?? [];
    expect(held.stdout).to.include("held by `crosscall fills hold`").and.include(`crosscall fills release ${heldId}`);
    await network.fills.releaseAll();
    expect(await trigger("success")).to.include({ status: "success" });
    expect((await run("trigger", "NOTHING")).exitCode).to.equal(1);
    expect((await run("trigger", "SLIPPAGE")).stdout)
      .to.include("SLIPPAGE   (injected by the scenario SLIPPAGE)")
      .and.to.include("To do:");
  });

  it("need no options in the network's folder, and name the network once", async () => {
    await rememberIn(folder, network);
    const using = `Using the network of this folder at ${network.url}\n`;
    const inFolder = async (...args: string[]): Promise<Record<string, unknown>> => {
      const { exitCode, stdout, stderr } = await runCrosscall([...args, "--json"], { cwd: folder });
      expect([args, exitCode, stderr]).to.deep.equal([args, 0, using]);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const { requestId } = (await inFolder("trigger", "success")) as { requestId: string };
    const { inTxHashes } = (await inFolder("status", requestId)) as { inTxHashes: [string] };
    expect(await inFolder("watch", requestId)).to.include({ requestId, status: "success" });
    expect(await inFolder("signature", requestId)).to.have.nested.property("requestData.originChainId", 31_337);
    expect(await inFolder("signature", "verify", requestId)).to.include({ ok: true });
    expect(await inFolder("requests", "get", requestId)).to.have.nested.property("request.id", requestId);
    expect((await inFolder("requests", "list")).requests).to.be.an("array").that.is.not.empty;
    expect((await inFolder("fees", "--request-id", requestId)).fees).to.have.length(2);
    expect(await inFolder("mirror", "--database", "mirror")).to.include({ ok: true });
    const request = [
      "--user",
      network.accounts.user.address,
      "--trade-type",
      "EXACT_INPUT",
      "--amount",
      "10000000000000000",
    ];
    const chains = ["--origin-chain", "31337", "--destination-chain", "31338"];
    const currencies = ["--origin-currency", zeroAddress, "--destination-currency", zeroAddress];
    expect(await inFolder("quote", ...request, ...chains, ...currencies, "--out", "quote.json")).to.include({
      ok: true,
    });
    expect(await inFolder("preflight", "quote.json")).to.include({ ok: true });
    // A key in the environment may be that of another service.
    const otherKeys = { CROSSCALL_API_KEY: "other", CROSSCALL_ADMIN_KEY: "other" };
    for (const command of [
      ["requests", "list"],
      ["fills", "list"],
    ]) {
      const { exitCode } = await runCrosscall([...command, "--json"], { cwd: folder, env: otherKeys });
      expect([command, exitCode]).to.deep.equal([command, 0]);
    }
    const key = { CROSSCALL_PRIVATE_KEY: USER_KEY };
    const sent = await runCrosscall(["send", "quote.json", "--yes", "--json"], { cwd: folder, env: key });
    expect([sent.exitCode, sent.stderr]).to.deep.equal([0, using]);
    // The fill of a transfer has no calls. The hash of the deposit is on the other chain.
    for (const what of [requestId, ...inTxHashes]) {
      const replayed = await runCrosscall(["replay", what, "--json"], { cwd: folder });
      expect(JSON.parse(replayed.stdout)).to.have.nested.property("error.cause.code", "NOTHING_TO_REPLAY");
    }
    const unknown = await runCrosscall(["replay", zeroHash, "--json"], { cwd: folder });
    expect(JSON.parse(unknown.stdout)).to.have.nested.property("error.field", "what");
    const elsewhere = ["send", "quote.json", "--yes", "--json", "--rpc-url", network.chains[0].rpcUrl];
    const mixed = await runCrosscall(elsewhere, { cwd: folder, env: key });
    expect(JSON.parse(mixed.stdout)).to.have.nested.property("error.field", "--api-url");
  });

  it("listen to webhooks, forward them with their signature, and remove the webhook on Ctrl-C", async () => {
    const receiver = await startReceiver(network.apiKey, () => Date.now());
    const listen = listenTo("--forward-to", receiver.url);
    await listen.until("Press Ctrl-C to stop.");
    const { requestId } = (await trigger("success")) as { requestId: string };
    await listen.until(`success     ${requestId}  -> 200`);
    expect(receiver.errors).to.deep.equal([]);
    expect(receiver.events.map(({ data }) => data.status)).to.include.members(["pending", "success"]);
    listen.child.kill("SIGINT");
    expect((await listen.finished).exitCode).to.equal(0);
    expect(await webhooks()).to.deep.equal([]);
    await receiver.close();
  });

  it("print events as JSON, even while no receiver runs", async () => {
    const listen = listenTo("--json", "--forward-to", "http://127.0.0.1:9/");
    await listen.until("Press Ctrl-C to stop.");
    await trigger("success");
    const { event, forwarded } = JSON.parse(await listen.firstLine()) as Record<string, Record<string, unknown>>;
    expect(event).to.have.nested.property("data.status");
    expect(forwarded).to.have.property("problem");
    listen.child.kill("SIGTERM");
    expect((await listen.finished).exitCode).to.equal(0);
  });

  it("replace only the webhook of a killed listener", async () => {
    const killed = listenTo();
    await killed.until("Press Ctrl-C to stop.");
    killed.child.kill("SIGKILL");
    await killed.finished;
    const listen = listenTo();
    await listen.until("Press Ctrl-C to stop.");
    listen.child.kill("SIGINT");
    await listen.finished;
    await run("webhooks", "set", "http://127.0.0.1:9/", "--api-key", network.apiKey);
    const refused = await listenTo("--json").finished;
    expect(refused.exitCode).to.equal(1);
    expect(JSON.parse(refused.stdout)).to.have.nested.property("error.code", "INVALID_STATE");
    expect(await webhooks()).to.have.length(1);
    expect((await listenTo("--forward-to", "nothing").finished).exitCode).to.equal(1);
  });
});

/** Returns successive ports below the range that the system assigns to other test programs. */
async function freePorts(): Promise<readonly number[]> {
  for (let first = 20_000 + (process.pid % 3_000) * 4; ; first = first < 32_000 ? first + 4 : 20_000) {
    const ports = [first, first + 1, first + 2];
    const servers = ports.map(() => createServer());
    const areFree = await Promise.all(servers.map((server, index) => canListen(server, ports[index] ?? 0)));
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    if (areFree.every(Boolean)) return ports;
  }
}

function canListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}

import { expect } from "chai";

import { type Localnet, localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { SCENARIOS } from "../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import { createSender, endOf, quoteDollars, requestIdOf } from "../integration/support/scenarioRuns.ts";
import { startReceiver } from "../integration/support/webhookReceiver.ts";
import { type FinishedProgram, runCrosscall, startCrosscall } from "../support/programs.ts";
import { until } from "../support/until.ts";

describe("the commands that control a running network", () => {
  let network: Localnet;

  before(async () => {
    network = await localnet({ adminKey: "secret" });
  });
  after(() => network.close());

  const run = (...args: string[]): Promise<FinishedProgram> =>
    runCrosscall([...args, "--url", network.url, "--admin-key", "secret"]);
  const start = (...args: string[]): Promise<FinishedProgram> =>
    startCrosscall([...args, "--url", network.url, "--admin-key", "secret"]).finished;
  const runJson = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { exitCode, stdout } = await run(...args, "--json");
    expect(exitCode).to.equal(0);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const listingWith = async (apiKey: string) =>
    (await fetch(`${network.url}/requests/v3`, { headers: { "x-api-key": apiKey } })).status;

  it("add a key, list it without showing it, and revoke it", async () => {
    const { apiKey, key } = (await runJson("keys", "add", "--label", "shop", "--quote-limit", "7")) as {
      apiKey: string;
      key: { id: string; limits: unknown };
    };
    expect(key.limits).to.deep.equal({ quote: 7 });
    expect(await listingWith(apiKey)).to.equal(200);

    const { stdout } = await run("keys", "list");
    expect(stdout).to.include(key.id).and.to.include("shop").and.not.to.include(apiKey);

    expect((await run("keys", "remove", key.id)).exitCode).to.equal(0);
    expect(await listingWith(apiKey)).to.equal(401);
    expect((await run("keys", "remove", "nothing")).exitCode).to.equal(1);
  });

  it("set the clock, and show it", async () => {
    const time = Date.parse("2026-11-24T00:00:00Z");
    expect((await runJson("clock", "--set", "2026-11-24T00:00:00Z")).now).to.be.within(time, time + 60_000);
    expect((await fetch(`${network.url}/requests/v2`)).status).to.equal(410);
    expect(await runJson("clock", "--offset", "-60")).to.include({ offsetMs: -60_000 });
    expect((await run("clock", "--reset")).stdout).to.include("(the system time)");
    expect((await run("clock", "--set", "tomorrow")).exitCode).to.equal(2);
    expect((await run("clock", "--offset", "1", "--reset")).exitCode).to.equal(1);
  });

  it("set a webhook, test it, and show its deliveries", async () => {
    const receiver = await startReceiver(network.apiKey, () => Date.now());
    const url = receiver.url;
    const { webhook } = (await runJson("webhooks", "set", url, "--api-key", network.apiKey, "--header", "a=b=c")) as {
      webhook: { keyId: string };
    };
    expect((await start("webhooks", "show")).stdout).to.equal(`${webhook.keyId}  ${url}  (a)\n`);
    expect(await runJson("webhooks", "test", webhook.keyId)).to.include({ ok: true, answerStatus: 200 });
    expect(receiver.calls[0]).to.include({ a: "b=c" });
    receiver.misbehave((_request, response) => response.writeHead(500).end());
    expect((await run("webhooks", "test", webhook.keyId)).exitCode).to.equal(1);
    expect((await run("webhooks", "deliveries", "--state", "undelivered")).stdout).to.equal("No deliveries.\n");
    expect((await run("webhooks", "remove", webhook.keyId)).exitCode).to.equal(0);
    expect(await runJson("webhooks", "show")).to.deep.equal({ ok: true, webhooks: [] });
    expect((await run("webhooks", "set", "http://10.0.0.1/", "--api-key", network.apiKey)).exitCode).to.equal(1);
    await receiver.close();
  });

  it("set scenarios, show them, and clear them", async () => {
    const { scenario } = (await runJson(
      ...[
        "scenarios",
        "set",
        "http:503",
        "--next",
        "2",
        "--parameter",
        "probability=1",
        "--parameter",
        "routes=/lives;/chains",
      ],
    )) as { scenario: Record<string, unknown> };
    const { createdAt: _, ...fields } = scenario;
    const parameters = { probability: 1, routes: ["/lives", "/chains"] };
    expect(fields).to.deep.equal({ name: "http:503", parameters, next: 2, uses: 0 });
    expect((await fetch(`${network.url}/chains`)).status).to.equal(503);
    expect((await run("scenarios", "show")).stdout).to.equal(
      "http:503 probability=1 routes=/lives,/chains: 1 to come, used 1 so far\n",
    );
    expect((await run("scenarios", "clear", "503")).stdout).to.match(/^cleared:\nhttp:503 /u);
    expect(await runJson("scenarios", "show")).to.deep.equal({ ok: true, scenarios: [] });
    for (const refused of [["SLIPAGE"], ["SLIPPAGE", "--parameter", "bps=1"], ["delivery", "--parameter", "bps"]]) {
      expect((await run("scenarios", "set", ...refused)).exitCode).to.equal(1);
    }
    expect((await run("scenarios", "set", "SLIPPAGE", "--next", "0")).exitCode).to.equal(2);
  });

  it("hold fills, list them, and release them", async () => {
    const { hold } = await runJson(
      ...["fills", "hold", "--filter", "originChainId=31337", "--filter", "user=0x01", "--filter", "user=0x02"],
    );
    expect(hold).to.have.deep.property("filter", { originChainId: [31_337], user: ["0x01", "0x02"] });
    expect((await run("fills", "hold")).stdout).to.equal("holding all fills\n");
    const quote = await quoteDollars(network);
    await createSender(network)(quote);
    const requestId = requestIdOf(quote);
    await until(async () => (await network.fills.list()).total === 1);
    expect((await run("fills", "list")).stdout).to.match(
      new RegExp(
        `^holding originChainId=31337 user=0x01,0x02\nholding all fills\n${requestId}  31337 to 31338  24\\.\\d+ USDC \\(\\$24\\.\\d\\d\\) for user  EXACT_INPUT  held since `,
        "u",
      ),
    );
    for (const [args, field] of [
      [["hold", "--filter", "colour=red"], undefined],
      [["hold", "--filter", "user"], "--filter"],
      [["release"], "[requestId]"],
      [["release", requestId, "--all"], "[requestId]"],
      [["release", requestId, "--scenario", "SLIPAGE"], "--scenario"],
      [["release", requestId, "--amount", "1"], undefined],
    ] as const) {
      const { exitCode, stdout } = await run("fills", ...args, "--json");
      const { error } = JSON.parse(stdout) as { error: { field?: string; hint: string } };
      expect([exitCode, error.field]).to.deep.equal([1, field]);
      expect(error.hint).to.not.equal("");
    }
    expect((await run("fills", "release", requestId, "--deposit", "lose")).exitCode).to.equal(2);
    expect(await runJson("fills", "release", "--oldest", "--amount", quote.details.currencyOut.amount)).to.deep.equal({
      ok: true,
      released: [requestId],
    });
    expect((await endOf(network, requestId)).status).to.equal("success");
    expect((await run("fills", "release", requestId)).exitCode).to.equal(1);
    expect((await run("fills", "release", "--all")).stdout).to.equal("nothing was held\n");
    expect((await run("fills", "list")).stdout).to.match(
      /^nothing is held\nHold the next fills with `crosscall fills hold`/u,
    );
  });

  it("list the available scenarios, without a network", async () => {
    const { stdout, exitCode } = await startCrosscall(["scenarios"]).finished;
    expect(exitCode).to.equal(0);
    for (const { name, what, hint } of SCENARIOS) expect(stdout).to.include(name).and.include(what).and.include(hint);
    const listed = await runCrosscall(["scenarios", "list", "--family", "behavior", "--json"]);
    expect(JSON.parse(listed.stdout)).to.deep.equal({
      ok: true,
      scenarios: SCENARIOS.filter(({ family }) => family === "behavior"),
    });
  });

  it("fund accounts, mine, replace blocks, and add latency to a chain", async () => {
    const [{ id }] = network.chains;
    const chainId = String(id);
    const emptyAccount = "0x5555555555555555555555555555555555555555";
    const faucet = await runJson("chain", "faucet", chainId, emptyAccount, "--currency", "USDT", "--amount", "5");
    expect(faucet).to.include({ ok: true, chainId: id, address: emptyAccount, symbol: "USDT", amount: "5" });
    const given = await run("chain", "faucet", chainId, emptyAccount, "--currency", "USDT", "--amount", "1500000");
    expect(given.stdout).to.equal(`${emptyAccount} got 1.5 USDT\n`);
    const mined = await runJson("chain", "mine", chainId, "--blocks", "3");
    const replaced = await runJson("chain", "reorg", chainId, "--blocks", "2");
    expect(replaced.blockNumber).to.equal(mined.blockNumber);
    expect(replaced.blockHash).to.not.equal(mined.blockHash);
    expect(await runJson("chain", "mining", chainId, "--interval", "600000")).to.include({ miningIntervalMs: 600_000 });
    expect(await runJson("chain", "mining", chainId, "--automatic")).to.include({ miningIntervalMs: null });
    expect(await runJson("chain", "latency", chainId, "--ms", "3")).to.include({ latencyMs: 3 });
    expect((await run("chain", "state", chainId)).stdout).to.include("latency 3 ms");
    expect((await run("chain", "mining", chainId)).exitCode).to.equal(1);
    expect((await run("chain", "mining", chainId, "--automatic", "--interval", "20")).exitCode).to.equal(2);
    expect((await run("chain", "reorg", chainId, "--blocks", "0")).exitCode).to.equal(1);
    expect((await run("chain", "mine", "5")).exitCode).to.equal(1);
  });

  it("list the accounts, without a network", async () => {
    const { stdout } = await startCrosscall(["chain", "accounts", "--json"]).finished;
    const { accounts } = JSON.parse(stdout) as { accounts: { name: string; address: string }[] };
    expect(accounts).to.have.length(10);
    expect(accounts.find(({ name }) => name === "solver")?.address).to.equal(network.solver);
  });

  it("print a hint if the key is wrong or the network does not respond", async () => {
    const at = (url: string) => ["--url", url, "--json", "--admin-key", "wrong"];
    const wrong = await startCrosscall(["keys", "list", ...at(network.url)]).finished;
    expect([wrong.exitCode, JSON.parse(wrong.stdout)]).to.have.nested.property("[1].error.status", 401);
    const silent = await runCrosscall(["clock", ...at("http://127.0.0.1:9")]);
    expect([silent.exitCode, JSON.parse(silent.stdout)]).to.have.nested.property(
      "[1].error.code",
      "SERVICE_UNREACHABLE",
    );
    expect((await startCrosscall(["clock", ...at("nowhere")]).finished).exitCode).to.equal(1);
  });
});

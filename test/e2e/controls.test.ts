import { expect } from "chai";

import { type Localnet, localnet } from "../../src/localnet/index.ts";
import { type FinishedProgram, startCrosscall } from "../support/programs.ts";

describe("the commands that control a running network", () => {
  let network: Localnet;

  before(async () => {
    network = await localnet({ adminKey: "secret" });
  });
  after(() => network.close());

  const run = (...args: string[]): Promise<FinishedProgram> =>
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
    expect((await run("clock", "--reset")).stdout).to.include("the machine's own");
    expect((await run("clock", "--set", "tomorrow")).exitCode).to.equal(2);
    expect((await run("clock", "--offset", "1", "--reset")).exitCode).to.equal(1);
  });

  it("say what to do when the key is wrong, or nothing answers", async () => {
    const wrong = await startCrosscall(["keys", "list", "--url", network.url, "--json"]).finished;
    expect([wrong.exitCode, JSON.parse(wrong.stdout)]).to.have.nested.property("[1].error.status", 401);
    const silent = await startCrosscall(["clock", "--url", "http://127.0.0.1:9", "--json"]).finished;
    expect([silent.exitCode, JSON.parse(silent.stdout)]).to.have.nested.property(
      "[1].error.code",
      "SERVICE_UNREACHABLE",
    );
    expect((await startCrosscall(["clock", "--url", "nowhere", "--json"]).finished).exitCode).to.equal(1);
  });
});

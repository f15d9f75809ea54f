import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { useNetwork } from "../support/useNetwork.ts";
import { runCrosscall } from "../support/programs.ts";

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
  let cwd: string;
  before(async () => (cwd = await mkdtemp(join(tmpdir(), "crosscall-doctor-"))));
  after(() => rm(cwd, { recursive: true }));

  const examine = async (...args: string[]): Promise<Report & { exitCode: number | null }> => {
    const { exitCode, stdout } = await runCrosscall(["doctor", "--json", ...args], { cwd });
    return { ...(JSON.parse(stdout) as Report), exitCode };
  };
  const stateOf = ({ checks }: Report, name: string) => checks.find((check) => check.name === name)?.state;

  it("passes for a network that runs", async () => {
    const [{ id, rpcUrl }] = network.chains;
    const report = await examine(
      ...["--api-url", network.url, "--api-key", network.apiKey, "--rpc-url", `${id}=${rpcUrl}`],
    );
    expect(report).to.include({ ok: true, exitCode: 0 });
    for (const name of ["it responds", "the API key is valid", "this machine's clock is right"]) {
      expect([name, stateOf(report, name)]).to.deep.equal([name, "ok"]);
    }
    expect(stateOf(report, `the endpoint of ${id} responds`)).to.equal("ok");
    expect(stateOf(report, `chain ${id} reports finality`)).to.equal("ok");
  });

  it("names a wrong key, a wrong chain, a node that is down, and unknown addresses, each with a hint", async () => {
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

  it("reports a service that is down, and a clock that is wrong", async () => {
    const down = await examine("--api-url", "http://127.0.0.1:9");
    expect([down.exitCode, stateOf(down, "it responds")]).to.deep.equal([1, "failed"]);
    const late = await serve({ date: new Date(Date.now() - 3_600_000).toUTCString() });
    const report = await examine("--api-url", `http://127.0.0.1:${(late.address() as AddressInfo).port}`);
    late.close();
    const clock = report.checks.find(({ name }) => name === "this machine's clock is right");
    expect(clock).to.include({ state: "failed" });
    expect(clock?.seen).to.match(/^36\d\d s ahead$/u);
  });

  it("skips what it is not given, as text", async () => {
    const { exitCode, stdout } = await runCrosscall(["doctor"], { cwd });
    expect(exitCode).to.equal(0);
    expect(stdout)
      .to.match(/^ok +project: Node\.js/mu)
      .and.match(/^skipped +service: it responds: no URL$/mu);
  });
});

async function serve(headers: Record<string, string>): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(200, headers).end('{"chains":[]}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { encodeFunctionData, erc20Abi, parseEther, zeroHash } from "viem";

import { getQuote } from "../support/complete.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { parseReport } from "../../packages/crosscall/src/replay/report/reportJson.ts";
import { failureOf } from "../integration/support/failureOf.ts";
import { userWallet } from "../integration/support/parties.ts";
import { startWatchedRpcProxy } from "../integration/replay/support/watchedRpcProxy.ts";
import { runCrosscall } from "../support/programs.ts";
import { freeUrl } from "../unit/sdk/client/service.ts";
import { etherRequest } from "../integration/support/requests.ts";
import { useFolder } from "../support/useFolder.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";

describe("crosscall replay of requests", () => {
  const network = useNetwork();
  const [origin, destination] = chainsOf(network);
  const folder = useFolder();
  let requestId: string;

  before(async () => {
    requestId = await payForMoreThanArrives();
  });

  const environment = () => ({
    CROSSCALL_API_URL: network.url,
    CROSSCALL_API_KEY: network.apiKey,
    CROSSCALL_RPC_URL: destination.rpcUrl,
  });

  /** Pays for a request whose call transfers more than a fill delivers. */
  async function payForMoreThanArrives(amount = parseEther("1")): Promise<string> {
    const client = createServiceClient({ baseUrl: network.url });
    const { dollar } = destination.contracts;
    const args = [network.accounts.user.address, amount] as const;
    const quote = await getQuote(
      client,
      etherRequest(network, {
        refundTo: network.accounts.stranger.address,
        destinationCurrency: dollar,
        txs: [{ to: dollar, data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }), value: "0" }],
      }),
    );
    await failureOf(executeSteps(client, { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 }));
    return quote.steps[0]?.requestId ?? "";
  }

  it("explains why the service's fill failed", async () => {
    const run = await runCrosscall(["replay", requestId, "--no-cache", "--json"], { env: environment() });
    expect(run.exitCode).to.equal(1);
    const report = parseReport((JSON.parse(run.stdout) as { report: unknown }).report);
    expect(report.source).to.deep.equal({ kind: "request", requestId, status: "refund" });
    expect(report.verdict).to.deep.include({
      outcome: "failure",
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      txIndex: 0,
    });
    expect(report.verdict)
      .to.have.property("condition")
      .that.deep.includes({ needed: parseEther("1") });
  });

  it("names the missing option if a request id is replayed without an API key", async () => {
    const env = { CROSSCALL_API_KEY: "" };
    const { exitCode, stderr } = await runCrosscall(["replay", zeroHash, "--api-url", "http://127.0.0.1:9"], { env });
    expect([exitCode, stderr.includes("--api-key is missing")]).to.deep.equal([1, true]);
  });

  it("returns the cached explanation without the service and the chain", async () => {
    const args = ["replay", requestId, "--cache", join(folder, "cache"), "--json"];
    const proxy = await startWatchedRpcProxy(destination.rpcUrl);
    const first = await runCrosscall(args, { env: { ...environment(), CROSSCALL_RPC_URL: proxy.url } });
    await proxy.close();
    const cut = { ...environment(), CROSSCALL_API_URL: await freeUrl(), CROSSCALL_RPC_URL: proxy.url };
    const second = await runCrosscall(args, { env: cut });
    expect([first.exitCode, second.exitCode]).to.deep.equal([1, 1]);
    expect(second.stdout).to.equal(first.stdout);
    expect(second.stderr).to.contain(requestId);
    const other = await runCrosscall(["replay", requestId, "--no-cache", "--json"], { env: cut });
    expect(JSON.parse(other.stdout)).to.have.nested.property("error.cause.code", "SERVICE_UNREACHABLE");
  });

  it("replays all matching requests, and skips those already replayed", async () => {
    const filter = ["--destination-chain-id", String(destination.id), "--status", "refund"];
    const args = [...filter, "--no-cache", "--database", join(folder, "campaign"), "--json"];
    for (let round = 0; round < 2; round++) {
      const run = await runCrosscall(["replay", "campaign", "run", ...args], { env: environment() });
      expect([run.exitCode, run.stderr]).to.deep.equal([1, ""]);
      expect(JSON.parse(run.stdout)).to.deep.include({
        ok: false,
        total: 1,
        works: 0,
        fails: 1,
        errors: 0,
        waiting: 0,
        causes: [{ outcome: "failure", cause: "TRANSFER_AMOUNT_EXCEEDS_BALANCE", count: 1 }],
      });
    }
  });

  it("names the scenario that injected the failure, and prints values in US dollars", async () => {
    await network.scenarios.set("SLIPPAGE", { next: 1 });
    const injected = await payForMoreThanArrives(1n);
    await mkdir(join(folder, ".crosscall"));
    const { url, adminKey } = network;
    await writeFile(join(folder, ".crosscall/network.json"), JSON.stringify({ url, adminKey, rpcUrls: {} }));
    const { stdout } = await runCrosscall(["replay", injected, "--no-cache"], { cwd: folder, env: environment() });
    expect(stdout)
      .to.match(/^Injected by the scenario SLIPPAGE: the network caused this outcome, not your calls\./u)
      .and.match(/delivered +[\d.]+ USDC \(\$[\d,.]+\)/u);
    for (const command of ["status", "watch"]) {
      const shown = await runCrosscall([command, injected], { cwd: folder, env: environment() });
      expect(shown.stdout).to.match(/^Injected by the scenario SLIPPAGE: the network caused this outcome/mu);
    }
    const own = await runCrosscall(["replay", requestId, "--no-cache"], { cwd: folder, env: environment() });
    expect(own.stdout).to.match(/^The fill fails/u);

    await network.scenarios.set("slow-fill", { next: 1, parameters: { delayMs: 1 } });
    const slow = await payForMoreThanArrives();
    const { stdout: late } = await runCrosscall(["replay", slow, "--no-cache"], { cwd: folder, env: environment() });
    expect(late)
      .to.match(/^The network applied the scenario slow-fill\.\n\nThe fill fails/u)
      .and.not.include("not your calls");
  });

  it("reports the failure of a node if the other nodes do not have the transaction", async () => {
    const proxy = await startWatchedRpcProxy(origin.rpcUrl, (method) =>
      isDown && method === "eth_getTransactionByHash" ? { error: { code: -32_000, message: "syncing" } } : undefined,
    );
    let isDown = false;
    const urls = [destination.rpcUrl, proxy.url].flatMap((url) => ["--rpc-url", url]);
    const errorOf = async () => {
      const { stdout } = await runCrosscall(["replay", zeroHash, ...urls, "--no-cache", "--json"]);
      return (JSON.parse(stdout) as { error: object }).error;
    };
    expect(await errorOf()).to.include({ code: "INVALID_INPUT", field: "what" });
    isDown = true;
    expect(await errorOf()).to.include({ code: "CHAIN_ERROR", chainId: origin.id });
    await proxy.close();
  });
});

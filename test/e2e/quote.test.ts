import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createWalletClient, http, zeroAddress } from "viem";

import { approve } from "../../packages/sdk/src/calls/index.ts";
import { createServiceClient, executeSteps, requestIdOf, watchRequest } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import { minimumOutput, quoteFeeTable, recordFeeTable } from "../../packages/protocol/src/index.ts";
import type { ReceivedQuote } from "../../packages/protocol/src/quote/quoteFreshness.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { getRequest } from "../support/complete.ts";
import { runCrosscall, startCrosscall } from "../support/programs.ts";
import { useNetwork } from "../support/useNetwork.ts";

describe("crosscall quote and crosscall fees", () => {
  const network = useNetwork();
  let folder = "";
  let plan: Record<string, unknown>;
  let planFile = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-quote-"));
    const [origin, destination] = network.chains;
    const { dollar, vault, vaultProxy } = destination.contracts;
    const user = network.accounts.user.address;
    plan = {
      recipe: "erc4626Deposit",
      args: { vault, asset: dollar },
      proxy: vaultProxy,
      tradeType: "EXACT_INPUT",
      amount: "1000000000000000000",
      minimumOut: "1000000",
      user,
      refundTo: user,
      originChainId: origin.id,
      originCurrency: zeroAddress,
      destinationChainId: destination.id,
    };
    planFile = await write("plan.json", plan);
  });
  after(() => rm(folder, { recursive: true }));

  async function write(name: string, content: unknown): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(content));
    return path;
  }

  /** Formats an amount as the commands print it. */
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)));

  const asUser = () => ({ CROSSCALL_API_URL: network.url, CROSSCALL_API_KEY: network.apiKey });

  async function errorOf(args: readonly string[], env: Record<string, string> = asUser()): Promise<object> {
    const { exitCode, stdout } = await runCrosscall([...args, "--json"], { env });
    const { ok, error } = JSON.parse(stdout) as { ok: boolean; error: { cause?: object } };
    expect([exitCode, ok]).to.deep.equal([1, false]);
    return error.cause ?? error;
  }

  it("requests quotes in the selected version", async () => {
    const feesOf = async (...args: string[]) => {
      const { stdout } = await runCrosscall(["quote", planFile, ...args, "--json"], { env: asUser() });
      return (JSON.parse(stdout) as { quote: ReceivedQuote }).quote.fees;
    };
    expect(await feesOf("--quote-version", "v2")).to.have.property("relayer");
    expect(await feesOf("--quote-version", "v3")).to.equal(undefined);
    expect((await runCrosscall(["quote", planFile, "--quote-version", "v4"], { env: asUser() })).exitCode).to.equal(2);
  });

  it("quotes a plan, reports the fees and the minimum output, and writes a quote file for `send`", async () => {
    const out = join(folder, "quote.json");
    const rpcUrl = network.chains[1].rpcUrl;
    const { exitCode, stdout, stderr } = await runCrosscall(
      ["quote", planFile, "--rpc-url", rpcUrl, "--out", out, "--json"],
      { env: asUser() },
    );
    expect([exitCode, stderr]).to.deep.equal([0, ""]);
    const { quote, ...report } = JSON.parse(stdout) as { quote: ReceivedQuote };
    expect(JSON.parse(await readFile(out, "utf8"))).to.deep.equal(quote);
    expect(quote.quotedRequest).to.deep.include({ user: plan.user, amount: plan.amount, tradeType: "EXACT_INPUT" });
    expect(quote.quotedRequest.txs).to.have.length(3);
    expect(quote.quotedRequest).to.not.have.any.keys("router", "contracts", "recipe");
    expect(report).to.deep.equal({
      ok: true,
      requestId: requestIdOf(quote),
      quotedAtMs: quote.quotedAtMs,
      freshUntilMs: quote.quotedAtMs + 30_000,
      minimumOutput: String(minimumOutput(quote)),
      fees: plain(quoteFeeTable(quote)),
      findings: [],
      file: out,
    });
  });

  it("prints a readable quote for input from options only", async () => {
    const { user, originChainId, originCurrency, destinationChainId, amount } = plan as Record<string, string>;
    const { exitCode, stdout, stderr } = await startCrosscall([
      "quote",
      "--api-url",
      network.url,
      "--user",
      user!,
      "--trade-type",
      "EXACT_INPUT",
      "--amount",
      amount!,
      "--origin-chain",
      String(originChainId),
      "--origin-currency",
      originCurrency!,
      "--destination-chain",
      String(destinationChainId),
      "--destination-currency",
      zeroAddress,
    ]).finished;
    expect([exitCode, stderr.includes("Request the quote")]).to.deep.equal([0, true]);
    for (const label of ["request", "pays", "expects", "minimum", "fresh until", "steps", "total", "user pays"]) {
      expect(stdout).to.match(new RegExp(`^${label} +\\S`, "mu"));
    }
    expect(stdout).to.include("arrives at least ");
  });

  it("requests and writes no quote if the checker reports an error", async () => {
    const out = join(folder, "none.json");
    const { dollar, router } = network.chains[1].contracts;
    const { recipe: _recipe, args: _args, proxy: _proxy, ...terms } = plan;
    const txs = [approve({ token: dollar, spender: router })];
    const faulty = await write("faulty.json", { ...terms, destinationCurrency: dollar, txs });
    const { exitCode, stdout } = await runCrosscall(["quote", faulty, "--out", out, "--json"], {
      env: { CROSSCALL_API_URL: "http://127.0.0.1:1" },
    });
    const { ok, findings, quote } = JSON.parse(stdout) as Outcome;
    expect([exitCode, ok, quote]).to.deep.equal([1, false, undefined]);
    expect(findings.filter(({ severity }) => severity === "error")).to.have.length.above(0);
    expect(await readFile(out, "utf8").catch(() => "not written")).to.equal("not written");
  });

  it("rejects calls that use more than the quote's minimum output", async () => {
    const { dollar, vault } = network.chains[1].contracts;
    const { recipe: _recipe, args: _args, proxy: _proxy, ...terms } = plan;
    const depositOf = (amount: string): object => ({
      ...terms,
      destinationCurrency: dollar,
      actions: [
        {
          kind: "contract",
          address: vault,
          abi: ["function deposit(uint256 assets, address receiver)"],
          functionName: "deposit",
          args: [amount, plan.user],
          approvals: [{ token: dollar, amount }],
        },
      ],
    });
    const files = [
      await write("little.json", depositOf("1000000")),
      await write("much.json", depositOf("9".repeat(18))),
    ];
    const runs = await Promise.all(files.map((file) => runCrosscall(["quote", file, "--json"], { env: asUser() })));
    const seen = runs.map(({ exitCode, stdout }) => {
      const { ok, findings, quote } = JSON.parse(stdout) as Outcome;
      return [exitCode, ok, quote !== undefined, findings.some(({ code }) => code === "AMOUNT_IN_CALL_DATA")];
    });
    expect(seen).to.deep.equal([
      [0, true, true, false],
      [1, false, true, true],
    ]);
  });

  it("reports missing options without printing the API key", async () => {
    expect(await errorOf(["quote", planFile], {})).to.include({ code: "INVALID_INPUT", field: "--api-url" });
    const lacking = await write("lacking.json", { ...plan, originCurrency: undefined });
    expect(await errorOf(["quote", lacking])).to.include({ code: "INVALID_INPUT", field: "originCurrency" });
    const [origin] = network.chains;
    expect(await errorOf(["quote", planFile, "--rpc-url", origin.rpcUrl])).to.include({
      code: "WRONG_CHAIN",
      actualChainId: origin.id,
    });
    expect(await errorOf(["check", planFile, "--rpc-url", "http://127.0.0.1:1"], {})).to.include({
      code: "CHAIN_ERROR",
    });
    for (const [command, rpcUrl] of [
      ["check", "wss://node.example/secret-key"],
      ["quote", "http://127.0.0.1:1/secret-key"],
    ] as const) {
      const { exitCode, stdout, stderr } = await runCrosscall([command, planFile, "--rpc-url", rpcUrl], {
        env: asUser(),
      });
      expect([exitCode, stderr.includes("Failed"), `${stdout}${stderr}`.includes("secret-key")]).to.deep.equal([
        1,
        true,
        false,
      ]);
    }
    const key = "secret-key";
    const { stdout, stderr } = await runCrosscall(["fees", "--request-id", `0x${"00".repeat(32)}`], {
      env: { CROSSCALL_API_URL: network.url, CROSSCALL_API_KEY: key },
    });
    expect([stdout, stderr.includes("Failed"), stderr.includes(key)]).to.deep.equal(["", true, false]);
  });

  it("uses the node in the environment variable if the node is on the destination chain", async () => {
    const [origin, destination] = network.chains;
    const asked = (rpcUrl: string) =>
      runCrosscall(["check", planFile, "--fail-on", "never"], { env: { CROSSCALL_RPC_URL: rpcUrl } });
    expect((await asked(destination.rpcUrl)).stderr)
      .to.include("Read the destination chain")
      .and.not.include("nothing");
    const other = await asked(`${origin.id}=${origin.rpcUrl}`);
    expect([other.exitCode, other.stderr.includes("on-chain checks are skipped")]).to.deep.equal([0, true]);
    expect((await asked("")).stderr).to.equal("");
  });

  it("reports the fees of a quote and of a filled request", async () => {
    const out = join(folder, "sent.json");
    await runCrosscall(["quote", planFile, "--out", out], { env: asUser() });
    const quote = JSON.parse(await readFile(out, "utf8")) as ReceivedQuote;
    const ofQuote = await runCrosscall(["fees", "--from", out, "--json"]);
    expect(JSON.parse(ofQuote.stdout)).to.deep.equal({
      ok: true,
      fees: [{ phase: "quoted", table: plain(quoteFeeTable(quote)) }],
    });

    const [origin] = network.chains;
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const wallet = createWalletClient({
      account: network.accounts.user,
      chain: describeChain(origin.id, origin.rpcUrl),
      transport: http(origin.rpcUrl),
    });
    const { requestId } = await executeSteps(client, { quote, wallet });
    await watchRequest(client, { requestId, pollIntervalMs: 50 });
    const record = await getRequest(client, { requestId });
    const tables = (["quoted", "actual"] as const).map((phase) => ({ phase, table: recordFeeTable(record, phase) }));
    const listed = await runCrosscall(["fees", "--request-id", requestId, "--json"], { env: asUser() });
    expect([listed.exitCode, JSON.parse(listed.stdout)]).to.deep.equal([0, { ok: true, fees: plain(tables) }]);
    const file = await write("record.json", record);
    const printed = await startCrosscall(["fees", "--record", file]).finished;
    expect([printed.exitCode, printed.stdout.match(/^(quoted|actual|total)\b/gmu)]).to.deep.equal([
      0,
      ["quoted", "total", "actual", "total"],
    ]);
  });

  it("rejects `crosscall fees` without a source, with two sources, or with a file that is not a quote", async () => {
    expect(await errorOf(["fees"])).to.include({ code: "INVALID_INPUT", field: "--from" });
    expect(await errorOf(["fees", "--from", planFile])).to.include({
      code: "MALFORMED_DATA",
      path: "details.expandedPriceImpact",
    });
    expect((await runCrosscall(["fees", "--from", planFile, "--record", planFile])).exitCode).to.equal(2);
  });
});

interface Outcome {
  readonly ok: boolean;
  readonly findings: readonly { readonly code: string; readonly severity: string }[];
  readonly quote?: Quote;
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import type { Hex } from "viem";

import { createProgram } from "../../packages/crosscall/src/program.ts";
import { replayingBy, toSubject } from "../../packages/crosscall/src/commands/replay/campaign/selection.ts";
import { readInput } from "../../packages/crosscall/src/commands/replay/readInput.ts";
import { ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import type { InvalidInputError } from "../../packages/protocol/src/core/errors.ts";
import { ChainsNotServedError } from "../../packages/crosscall/src/campaign/workCampaigns.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { encodeFill } from "../../packages/crosscall/src/replay/fillPlan.ts";
import { parseReport } from "../../packages/crosscall/src/replay/report/reportJson.ts";
import { failureOf } from "../integration/support/failureOf.ts";
import { callTo, type LiveChain, RECIPIENT, startLiveChain } from "../integration/support/liveChain.ts";
import { stopPrograms } from "../integration/support/processes.ts";
import { startRpcGate } from "../integration/support/rpcGate.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { type FinishedProgram, runCrosscall, startCrosscall } from "../support/programs.ts";
import { useFolder } from "../support/useFolder.ts";

const CHAIN_ID = 31_471;
const ACCOUNT = "0x4444444444444444444444444444444444444444";
const TRANSFER = "function transfer(address to, uint256 amount)";

describe("crosscall replay", () => {
  let chain: LiveChain;
  const folder = useFolder();

  before(async () => {
    chain = await startLiveChain(CHAIN_ID);
  });
  after(() => stopPrograms());

  /** Returns a plan that requests one amount and pays out the same amount or another one. */
  const planOf = (paid: bigint, amount = paid): object => {
    const { to, data } = callTo(chain.contracts.dollar, TRANSFER, RECIPIENT, paid);
    return {
      txs: [{ to, data, value: "0" }],
      tradeType: "EXACT_OUTPUT",
      amount: String(amount),
      user: ACCOUNT,
      recipient: RECIPIENT,
      destinationChainId: CHAIN_ID,
      destinationCurrency: chain.contracts.dollar,
      router: ROUTER_ADDRESS,
    };
  };

  async function write(name: string, content: object): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(content));
    return path;
  }

  const environment = () => ({ CROSSCALL_RPC_URL: chain.rpcUrl });
  const replay = (...args: readonly string[]): Promise<FinishedProgram> =>
    runCrosscall(["replay", "--cache", join(folder, "cache"), ...args], { env: environment() });
  const jsonOf = ({ stdout }: FinishedProgram) =>
    JSON.parse(stdout) as {
      readonly ok: boolean;
      readonly report?: unknown;
      readonly diff?: {
        readonly blockNumber: unknown;
        readonly amount: unknown;
        readonly outputs: unknown;
        readonly verdict?: { readonly before: { outcome: string }; readonly after: { outcome: string } };
      };
      readonly error?: { readonly code: string; readonly field?: string };
    };

  describe("of a plan", () => {
    it("succeeds for the requested amount, and writes the HTML page", async () => {
      const page = join(folder, "report.html");
      const run = await replay(await write("works.json", planOf(1_000_000n)), "--html", page, "--json");
      expect([run.exitCode, run.stderr]).to.deep.equal([0, ""]);
      const { ok, report } = jsonOf(run);
      const { verdict, amount, source } = parseReport(report);
      expect({ ok, verdict, amount }).to.deep.equal({ ok: true, verdict: { outcome: "success" }, amount: 1_000_000n });
      expect(source).to.deep.equal({ kind: "plan", name: join(folder, "works.json") });
      expect(await readFile(page, "utf8")).to.match(/^<!doctype html>/u);
    });

    it("fails for a lower amount, prints the cause first, and exits with 1", async () => {
      const plan = await write("less.json", planOf(1_000_000n));
      const text = await replay(plan, "--amount", "999999");
      expect(text.exitCode).to.equal(1);
      expect(text.stdout.split("\n", 1)).to.deep.equal(["The fill fails: TRANSFER_AMOUNT_EXCEEDS_BALANCE in txs[0]."]);
      const json = await replay(plan, "--amount", "999999", "--json");
      expect([json.exitCode, jsonOf(json).ok]).to.deep.equal([1, false]);
      const { verdict } = parseReport(jsonOf(json).report);
      expect(verdict).to.deep.include({ failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE", txIndex: 0 });
      expect(verdict).to.have.property("condition").that.deep.includes({ needed: 1_000_000n, had: 999_999n });
    });

    it("finds the smallest amount that works, exact to the unit", async () => {
      const plan = await write("range.json", planOf(123_456n));
      const run = await replay(plan, "--envelope", "--from", "100000", "--to", "200000", "--steps", "5", "--json");
      expect(run.exitCode).to.equal(0);
      const { envelope } = parseReport(jsonOf(run).report);
      expect(envelope?.smallestWorking).to.equal(123_456n);
      expect(envelope?.ranges.map(({ from, to, success }) => [from, to, success])).to.deep.equal([
        [100_000n, 123_455n, false],
        [123_456n, 200_000n, true],
      ]);
    });

    it("finds the same amount without a fork", async () => {
      const plan = await write("remote.json", planOf(123_456n));
      const range = ["--envelope", "--from", "100000", "--to", "200000", "--steps", "5"];
      const run = await replay(plan, "--rpc-only", ...range, "--json");
      const { ok, envelope } = JSON.parse(run.stdout) as {
        ok: boolean;
        envelope: { smallestWorking: string };
      };
      expect([run.exitCode, ok, envelope.smallestWorking]).to.deep.equal([0, true, "123456"]);
      const refused = await replay(plan, "--rpc-only", "--html", join(folder, "none.html"), "--json");
      expect(rootOf(jsonOf(refused).error)).to.deep.include({ code: "INVALID_INPUT", field: "--html" });
    });

    it("reports differences from a saved report", async () => {
      const saved = await replay(await write("before.json", planOf(1_000_000n)), "--json");
      const file = await write("saved.json", JSON.parse(saved.stdout) as object);
      const page = join(folder, "difference.html");
      const run = await replay(await write("after.json", planOf(2_000_000n)), "--diff", file, "--html", page);
      expect(run.exitCode).to.equal(0);
      expect(await readFile(page, "utf8")).to.contain("delivered: 1 USDC -&gt; 2 USDC");
      const [, difference] = run.stdout.split("\nDifference\n");
      expect(difference?.split("\n").map((line) => line.trim())).to.include.members([
        "delivered: 1 USDC -> 2 USDC",
        "received: 1 USDC -> 2 USDC",
        "- 1 USDC from router to recipient",
        "+ 2 USDC from router to recipient",
      ]);
    });

    it("shows its progress only on standard error", async () => {
      const run = await replay(await write("progress.json", planOf(5n)), "--no-cache");
      expect(run.exitCode).to.equal(0);
      expect(run.stderr).to.contain("Replay on a fork");
      expect(run.stdout).not.to.contain("Replay on a fork");
    });
  });

  it("replays a fill by its hash, exactly as it was executed", async () => {
    const { transactionHash, gasUsed } = await fillForReal(1_000n);
    const options = ["--currency", chain.contracts.dollar, "--amount", "1000", "--recipient", RECIPIENT];
    const run = await replay(transactionHash, "--exact", ...options, "--json");
    expect(run.exitCode).to.equal(0);
    const report = parseReport(jsonOf(run).report);
    expect(report.source).to.deep.equal({ kind: "transaction", hash: transactionHash });
    expect(report.original).to.deep.include({ hash: transactionHash, success: true, gasUsed, isReproduced: true });
    expect(report.gasUsed).to.equal(gasUsed);
  });

  it("reports how a fill differed from its plan, replayed on the chain state before the fill", async () => {
    const { transactionHash, blockNumber } = await fillForReal(1_000n);
    const options = ["--currency", chain.contracts.dollar, "--recipient", RECIPIENT];
    const planned = await write("planned.json", planOf(990n));
    const run = await replay(transactionHash, ...options, "--amount", "1000", "--diff", planned, "--json");
    expect(run.exitCode).to.equal(0);
    expect(parseReport(jsonOf(run).report).blockNumber).to.equal(blockNumber - 1n);
    const { diff } = jsonOf(run);
    expect([diff?.blockNumber, diff?.amount]).to.deep.equal([null, { before: "990", after: "1000" }]);
    expect(diff?.outputs).to.deep.equal([{ currency: chain.contracts.dollar, before: "990", after: "1000" }]);
  });

  it("compares a plan's results at two blocks", async () => {
    const token = await chain.deploy("mocks/BlocklistToken");
    const former = await chain.client.getBlockNumber();
    await chain.send(callTo(token, "function blockAccount(address account)", RECIPIENT));
    const { to, data } = callTo(token, TRANSFER, RECIPIENT, 5n);
    const plan = { ...planOf(5n), txs: [{ to, data, value: "0" }], destinationCurrency: token };
    const run = await replay(await write("blocks.json", plan), "--diff-block", String(former), "--json");
    expect(run.exitCode).to.equal(1);
    const { diff } = jsonOf(run);
    expect(diff?.blockNumber).to.deep.equal({ before: String(former), after: String(former + 1n) });
    expect([diff?.verdict?.before.outcome, diff?.verdict?.after.outcome]).to.deep.equal(["success", "failure"]);
  });

  it("runs a fill on a running node, and restores the node's state", async () => {
    const before = await blockOf(chain.rpcUrl);
    const plan = await write("node.json", planOf(7n));
    const args = ["replay", plan, "--node", chain.rpcUrl, "--json"];
    const run = await runCrosscall(args);
    expect(run.exitCode).to.equal(0);
    const report = parseReport(jsonOf(run).report);
    const forked = parseReport(jsonOf(await replay(plan, "--json")).report);
    expect([report.verdict, report.gasUsed]).to.deep.equal([{ outcome: "success" }, forked.gasUsed]);
    expect(await blockOf(chain.rpcUrl)).to.deep.equal(before);
  });

  it("checks a plan's calls for the delivered amount", async () => {
    const input = await write("exact-input.json", { ...planOf(5n), tradeType: "EXACT_INPUT" });
    const { findings } = parseReport(jsonOf(await replay(input, "--amount", "5", "--json")).report);
    expect(findings.map(({ reason }) => reason.split(":")[0])).to.deep.equal(["LEFTOVER_TOKEN", "AMOUNT_IN_CALL_DATA"]);
  });

  it("reports why a plan cannot be replayed, with a hint", async () => {
    const input = await write("input.json", { ...planOf(5n), tradeType: "EXACT_INPUT" });
    const good = await write("good.json", planOf(5n));
    const refusals = await Promise.all([
      replay(input, "--json"),
      replay(good, "--steps", "5", "--json"),
      replay(good, "--router", "0x12", "--json"),
      replay(join(folder, "missing.json"), "--json"),
      replay(`0x${"ab".repeat(32)}`, "--json"),
      runCrosscall(["replay", good, "--json"]),
      replay(good, "--rpc-url", `1=${chain.rpcUrl}`, "--json"),
      replay(good, "--node", chain.rpcUrl, "--diff-block", "1", "--json"),
    ]);
    const seen = refusals.map((run) => {
      const { ok, error } = jsonOf(run);
      return [run.exitCode, ok, rootOf(error).code, rootOf(error).field];
    });
    expect(seen).to.deep.equal([
      [1, false, "INVALID_INPUT", "--amount"],
      [1, false, "INVALID_INPUT", "--steps"],
      [1, false, "INVALID_INPUT", "--router"],
      [1, false, "INVALID_INPUT", "what"],
      [1, false, "INVALID_INPUT", "hash"],
      [1, false, "INVALID_INPUT", "--rpc-url"],
      [1, false, "INVALID_INPUT", "--rpc-url"],
      [1, false, "INVALID_INPUT", "--diff-block"],
    ]);
  });

  it("exits with 130 on Ctrl-C", async () => {
    const plan = await write("long.json", planOf(5_000_000n));
    const args = ["--no-cache", "--envelope", "--from", "1", "--to", "100000000", "--steps", "10000"];
    const running = startCrosscall(["replay", plan, ...args], { env: environment() });
    await running.until("Replay on a fork");
    running.child.kill("SIGINT");
    expect((await running.finished).exitCode).to.equal(130);
  });

  describe("campaign", () => {
    /** Writes a folder of plans. Every third plan fails. */
    async function writePlans(name: string, count: number): Promise<string> {
      const plans = join(folder, name);
      await mkdir(plans);
      for (let index = 0; index < count; index++) {
        const plan = planOf(1_000n + BigInt(index), index % 3 === 0 ? 999n : undefined);
        await writeFile(join(plans, `plan-${String(index).padStart(2, "0")}.json`), JSON.stringify(plan));
      }
      return plans;
    }

    const campaign = (command: string, ...args: readonly string[]) => [
      "replay",
      "campaign",
      command,
      ...(command === "show" ? [] : ["--cache", join(folder, "cache")]),
      ...args,
    ];

    /** Runs a campaign and sends the signal at the n-th replay. */
    async function stopAtFill(
      number: number,
      signal: NodeJS.Signals,
      args: readonly string[],
    ): Promise<FinishedProgram> {
      const gate = await startRpcGate(chain.rpcUrl);
      try {
        // Each replay requests the chain ID once.
        const held = gate.hold("eth_chainId", { after: number - 1 });
        const program = startCrosscall(args, { env: { CROSSCALL_RPC_URL: gate.url } });
        await Promise.race([held, program.finished.then(() => expect.fail("the campaign ended before"))]);
        program.child.kill(signal);
        return await program.finished;
      } finally {
        await gate.close();
      }
    }

    it("completes in a second run after a kill, and leaves no process running", async () => {
      const plans = await writePlans("killed", 9);
      const where = ["--plans", plans, "--database", join(folder, "killed-db"), "--name", "killed", "--json"];
      await stopAtFill(4, "SIGKILL", campaign("run", ...where, "--workers", "1"));
      const junit = join(folder, "killed.xml");
      const second = await runCrosscall(campaign("run", ...where, "--junit", junit), { env: environment() });
      expect([second.exitCode, JSON.parse(second.stdout)]).to.deep.equal([
        1,
        {
          ok: false,
          campaign: "killed",
          total: 9,
          works: 6,
          fails: 3,
          errors: 0,
          waiting: 0,
          causes: [{ outcome: "failure", cause: "TRANSFER_AMOUNT_EXCEEDS_BALANCE", count: 3 }],
        },
      ]);
      const xml = await readFile(junit, "utf8");
      expect(xml.match(/<testcase /gu)).to.have.length(9);
      expect(xml.match(/<failure /gu)).to.have.length(3);
    });

    it("resumes after Ctrl-C, and shows the report of each fill", async () => {
      const plans = await writePlans("stopped", 6);
      const database = ["--database", join(folder, "stopped-db")];
      const where = ["--plans", plans, ...database, "--name", "stopped"];
      const first = await stopAtFill(3, "SIGINT", campaign("run", ...where, "--workers", "1"));
      expect(first.exitCode).to.equal(130);
      const second = await runCrosscall(campaign("run", ...where), { env: environment() });
      expect([second.exitCode, second.stdout.split("\n", 1)]).to.deep.equal([
        1,
        ["campaign stopped: 6 fills; 4 work, 2 fail, 0 could not be replayed"],
      ]);
      const shown = await runCrosscall(campaign("show", "stopped", "plan-00.json", ...database, "--json"));
      expect(shown.exitCode).to.equal(0);
      expect(parseReport(jsonOf(shown).report).verdict).to.have.property("txIndex", 0);
      const program = await createProgram(["replay"]);
      const refuse = (...args: readonly string[]) =>
        failureOf(program.parseAsync([...campaign("show", ...args), ...database], { from: "user" }));
      const refusals = [
        await refuse("stoped"),
        await refuse("stopped", "--html", "none.html"),
        await refuse("stopped", "plan-00.json", "--junit", "none.xml"),
      ];
      expect(refusals.map((error) => (error as InvalidInputError).field)).to.deep.equal(["name", "--html", "--junit"]);
      const names = await runCrosscall(campaign("show", ...database, "--json"));
      expect(JSON.parse(names.stdout)).to.deep.equal({ ok: true, campaigns: ["stopped"] });
      const all = await runCrosscall(campaign("show", "stopped", ...database, "--json"));
      expect(JSON.parse(all.stdout)).to.have.property("fills").with.length(6);
    });

    it("skips fills on chains without an endpoint, and records other errors", async () => {
      const { signal } = new AbortController();
      const replayBy = async (rpcUrl: string, fields: object = {}) => {
        const [what, replayItem] = [
          await write("given-back.json", { ...planOf(5n), ...fields }),
          await replayingBy({ rpcUrl: [rpcUrl], cache: false }),
        ];
        const input = await readInput({ what, client: undefined, mayBeTransaction: false, overrides: {}, signal });
        return replayItem({ id: what, subject: toSubject(input, { exact: false }) }, signal);
      };
      const lacking = [
        await failureOf(replayBy(`1=${chain.rpcUrl}`)),
        await failureOf(replayBy(chain.rpcUrl, { destinationChainId: 10 })),
      ];
      expect(lacking.map((error) => (error as ChainsNotServedError).chainIds)).to.deep.equal([[CHAIN_ID], [10]]);
      expect(await failureOf(replayBy(chain.rpcUrl, { destinationCurrency: ACCOUNT }))).not.to.be.instanceOf(
        ChainsNotServedError,
      );
      expect((await replayBy(`${CHAIN_ID}=${chain.rpcUrl}`)).verdict).to.deep.equal({ outcome: "success" });
    });

    it("shares its work between two processes that use one PostgreSQL database", async () => {
      const plans = await writePlans("shared", 24);
      const database = ["--database-url", await newPostgresDatabase()];
      const helper = startCrosscall(campaign("work", ...database, "--workers", "1"), { env: environment() });
      await helper.until("Press Ctrl-C to stop.");
      const run = await runCrosscall(campaign("run", "--plans", plans, ...database, "--workers", "1", "--json"), {
        env: environment(),
      });
      expect(JSON.parse(run.stdout)).to.deep.include({ total: 24, works: 16, fails: 8, errors: 0, waiting: 0 });
      helper.child.kill("SIGINT");
      const { exitCode } = await helper.finished;
      expect(exitCode).to.equal(0);
    });
  });

  /** Pays the recipient from the router in a transaction on the node, which is not undone. */
  async function fillForReal(amount: bigint): Promise<{ transactionHash: Hex; blockNumber: bigint; gasUsed: bigint }> {
    const { dollar } = chain.contracts;
    await chain.send(callTo(dollar, "function mint(address to, uint256 amount)", ROUTER_ADDRESS, amount));
    const plan = chain.plan([callTo(dollar, TRANSFER, RECIPIENT, amount)]);
    const { from, to, data } = encodeFill(plan, amount);
    await chain.request("anvil_impersonateAccount", [from]);
    const hash = (await chain.request("eth_sendTransaction", [{ from, to, data, gas: "0x4c4b40" }])) as Hex;
    return chain.client.waitForTransactionReceipt({ hash });
  }
});

interface ErrorJson {
  readonly code: string;
  readonly field?: string;
  readonly cause?: ErrorJson;
}

/** Returns the error that stopped a stage. */
function rootOf(error: ErrorJson | undefined): Partial<ErrorJson> {
  return error?.code === "STAGE_FAILED" ? rootOf(error.cause) : (error ?? {});
}

function blockOf(rpcUrl: string) {
  return chainClient(CHAIN_ID, rpcUrl).getBlock();
}

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { expect } from "chai";
import { encodeFunctionData, maxUint256, parseAbi } from "viem";

import { RECIPES } from "../../packages/crosscall/src/commands/plan/recipeCatalogue.ts";
import { erc4626Deposit, planCalls, planRecipe } from "../../packages/sdk/src/calls/index.ts";
import * as calls from "../../packages/sdk/src/calls/index.ts";
import { ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import { type FinishedProgram, runCrosscall } from "../support/programs.ts";

const DOLLAR = "0x1111111111111111111111111111111111111111";
const PROXY = "0x2222222222222222222222222222222222222222";
const VAULT = "0x3333333333333333333333333333333333333333";
const USER = "0x4444444444444444444444444444444444444444";

const planned = planRecipe({
  recipe: erc4626Deposit,
  args: { vault: VAULT, asset: DOLLAR },
  router: ROUTER_ADDRESS,
  recipient: USER,
  tradeType: "EXACT_INPUT",
  amount: 5_000_000n,
  minimumOut: 4_000_000n,
  proxy: PROXY,
});

/** Expected plan of the tests, the same for each kind of input. */
const finished = {
  ...planned,
  user: USER,
  recipient: USER,
  refundTo: USER,
  router: ROUTER_ADDRESS,
  contracts: { proxies: [{ address: PROXY, inputToken: DOLLAR }] },
};

const description = {
  recipe: "erc4626Deposit",
  args: { vault: VAULT, asset: DOLLAR },
  tradeType: "EXACT_INPUT",
  amount: "5000000",
  minimumOut: "4000000",
  proxy: PROXY,
  user: USER,
  refundTo: USER,
};

describe("crosscall plan and crosscall check", () => {
  let folder = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-plan-"));
  });
  after(() => rm(folder, { recursive: true }));

  async function write(name: string, content: unknown): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  }

  describe("plan", () => {
    it("completes a plan in the same way from a file, a module and options", async () => {
      const module = `export const plan = { recipe: "erc4626.deposit", args: { vault: "${VAULT}", asset: "${DOLLAR}" },
        tradeType: "EXACT_INPUT", amount: 5_000_000n, minimumOut: 4_000_000n as bigint, proxy: "${PROXY}", user: "${USER}",
        refundTo: "${USER}" };`;
      const options = ["--recipe", "erc4626Deposit", "--arg", `vault=${VAULT}`, "--arg", `asset=${DOLLAR}`];
      const terms = ["--trade-type", "EXACT_INPUT", "--amount", "5000000", "--minimum-out", "4000000"];
      const accounts = ["--proxy", PROXY, "--user", USER, "--refund-to", USER];
      const runs = await Promise.all([
        runCrosscall(["plan", await write("plan.json", description), "--json"]),
        runCrosscall(["plan", await write("plan.ts", module), "--json"]),
        runCrosscall(["plan", ...options, ...terms, ...accounts, "--json"]),
      ]);
      for (const { exitCode, stdout, stderr } of runs) {
        expect([exitCode, stderr]).to.deep.equal([0, ""]);
        expect(JSON.parse(stdout)).to.deep.equal({ ok: true, ...finished, findings: [] });
      }
    });

    it("writes a plan that it can read again, and prefers options to the file", async () => {
      const out = join(folder, "out.json");
      const file = await write("plan.json", description);
      expect((await runCrosscall(["plan", file, "--out", out])).exitCode).to.equal(0);
      expect(JSON.parse(await readFile(out, "utf8"))).to.deep.equal(finished);
      const { stdout } = await runCrosscall(["plan", out, "--refund-to", VAULT, "--json"]);
      expect(JSON.parse(stdout)).to.deep.equal({ ok: true, ...finished, refundTo: VAULT, findings: [] });
    });

    it("prints the calls and the checker's findings as text", async () => {
      const { exitCode, stdout } = await runCrosscall(["plan", await write("plan.json", description)]);
      const lines = stdout.trimEnd().split("\n");
      expect(exitCode).to.equal(0);
      expect(lines[0]).to.equal(`EXACT_INPUT of 5000000; delivers ${DOLLAR}`);
      expect(lines.slice(1, -1).map((line) => line.split("(")[0])).to.deep.equal([
        `txs[0] ${DOLLAR}.approve`,
        `txs[1] ${DOLLAR}.approve`,
        `txs[2] ${PROXY}.execute`,
      ]);
      expect(lines.at(-1)).to.equal("0 errors, 0 warnings, 0 notes");
    });

    it("warns that a vault deposit by proxy without a minimum output accepts any share price", async () => {
      const { minimumOut: _, ...careless } = description;
      const { exitCode, stdout } = await runCrosscall(["plan", await write("careless.json", careless), "--json"]);
      const { findings } = JSON.parse(stdout) as { findings: { code: string; severity: string; index: number }[] };
      expect([exitCode, findings.map(({ code, severity, index }) => [code, severity, index])]).to.deep.equal([
        0,
        [["MINIMUM_OUT_MISSING", "warning", 2]],
      ]);
    });

    it("accepts actions in which amounts of contract calls are decimal strings", async () => {
      const abi = ["struct Order { address to; uint128[] parts; uint32 count; }", "function buy(Order order) payable"];
      const actions = [
        { kind: "contract", address: VAULT, abi, functionName: "buy", value: "7", args: [[USER, ["12", "34"], "5"]] },
        { kind: "call", call: { to: VAULT, data: "0x", value: "3" } },
      ];
      const terms = { tradeType: "EXACT_OUTPUT", destinationCurrency: `0x${"00".repeat(20)}`, recipient: USER };
      const { stdout } = await runCrosscall(["plan", await write("actions.json", { ...terms, actions }), "--json"]);
      const { txs, amount } = JSON.parse(stdout) as {
        txs: { to: string; data: string; value: string }[];
        amount: string;
      };
      const data = encodeFunctionData({
        abi: parseAbi([
          "struct Order { address to; uint128[] parts; uint32 count; }",
          "function buy(Order order) payable",
        ]),
        args: [{ to: USER, parts: [12n, 34n], count: 5 }],
      });
      expect([amount, txs[0]]).to.deep.equal(["10", { to: VAULT, data, value: "7" }]);
    });

    it("accepts a proxy action and a live amount, like the planner", async () => {
      const [executor, livePuller] = [`0x${"55".repeat(20)}`, `0x${"66".repeat(20)}`] as const;
      const abi = ["function deposit(uint256 assets, address receiver)"];
      const terms = { tradeType: "EXACT_INPUT", destinationCurrency: DOLLAR, recipient: USER, amount: 9n } as const;
      const live = { live: DOLLAR, approve: "target" };
      const contract = { kind: "contract", address: VAULT, abi, functionName: "deposit", args: [live, USER] };
      const file = await write("live.json", {
        ...terms,
        amount: "9",
        actions: [contract],
        programs: { executor, livePuller },
      });
      const proxied = await write("proxied.json", {
        ...terms,
        amount: "9",
        actions: [{ kind: "proxy", proxy: PROXY, token: DOLLAR, minimumOut: "2" }],
      });
      const [program, proxy] = await Promise.all(
        [file, proxied].map(async (path) => JSON.parse((await runCrosscall(["plan", path, "--json"])).stdout) as Txs),
      );
      const plan = { ...terms, router: ROUTER_ADDRESS };
      expect(program?.txs).to.deep.equal(
        planCalls({
          ...plan,
          programs: { executor, livePuller },
          actions: [
            {
              ...contract,
              kind: "contract",
              abi: parseAbi(abi),
              args: [calls.live(DOLLAR, { approve: "target" }), USER],
            } as calls.PlannedAction,
          ],
        }).txs,
      );
      expect(proxy?.txs).to.deep.equal(
        planCalls({
          ...plan,
          actions: [
            { kind: "proxy", proxy: PROXY, token: DOLLAR, recipient: USER, minimumOut: 2n, deadline: maxUint256 },
          ],
        }).txs,
      );
    });

    it("reports the field, the value and a hint for invalid input", async () => {
      const { exitCode, stdout } = await runCrosscall([
        "plan",
        await write("refused.json", { ...description, amount: 5 }),
        "--json",
      ]);
      const { ok, error } = JSON.parse(stdout) as { ok: boolean; error: Record<string, string> };
      expect([exitCode, ok, error.code, error.field, error.value]).to.deep.equal([
        1,
        false,
        "INVALID_INPUT",
        "amount",
        "5",
      ]);
      expect(error.hint).to.include("amount");
      const text = await runCrosscall(["plan", join(folder, "none.ts")]);
      expect([text.exitCode, text.stdout, text.stderr.includes("none.ts")]).to.deep.equal([1, "", true]);
    });

    it("lists every recipe of the library with its arguments", async () => {
      const exported = Object.entries(calls).filter(([, value]) => typeof value === "object" && "use" in value);
      expect(Object.entries(RECIPES).map(([name, { recipe }]) => [name, recipe])).to.deep.equal(exported.toSorted());
      const [asJson, asText] = await Promise.all([
        runCrosscall(["plan", "--recipes", "--json"]),
        runCrosscall(["plan", "--recipes"]),
      ]);
      const { recipes } = JSON.parse(asJson.stdout) as { recipes: Record<string, unknown>[] };
      expect(recipes.map(({ recipe }) => recipe)).to.deep.equal(Object.keys(RECIPES));
      expect(recipes.find(({ recipe }) => recipe === "lidoSubmit")).to.deep.include({
        name: "lido.submit",
        tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
        liveWays: ["nativeCall"],
        args: [
          { name: "stEth", isOptional: false, about: "an address" },
          { name: "referral", isOptional: true, about: "an address" },
        ],
      });
      expect(asText.stdout).to.include("\nerc4626Deposit\n").and.include("  --arg vault=…  an address\n");
    });

    it("reads nested arguments and lists from options", async () => {
      const market = ["loanToken", "collateralToken", "oracle", "irm"].flatMap((name) => [
        "--arg",
        `market.${name}=${DOLLAR}`,
      ]);
      const { stdout } = await runCrosscall([
        "plan",
        "--recipe",
        "morphoBlueSupply",
        "--arg",
        `morpho=${VAULT}`,
        ...market,
        "--arg",
        "market.lltv=86",
        "--trade-type",
        "EXACT_OUTPUT",
        "--amount",
        "5",
        "--recipient",
        USER,
        "--json",
      ]);
      const { txs } = planRecipe({
        recipe: calls.morphoBlueSupply,
        args: {
          morpho: VAULT,
          market: { loanToken: DOLLAR, collateralToken: DOLLAR, oracle: DOLLAR, irm: DOLLAR, lltv: 86n },
        },
        router: ROUTER_ADDRESS,
        tradeType: "EXACT_OUTPUT",
        amount: 5n,
        recipient: USER,
      });
      expect((JSON.parse(stdout) as Txs).txs).to.deep.equal(txs);
      const swap = await runCrosscall([
        "plan",
        "--recipe",
        "uniswapV3Swap",
        "--arg",
        `swapRouter=${VAULT}`,
        "--arg",
        "generation=SwapRouter02",
        "--arg",
        `tokens=${DOLLAR},${PROXY}`,
        "--arg",
        "fees=500",
        "--trade-type",
        "EXACT_OUTPUT",
        "--amount",
        "5",
        "--minimum-out",
        "4",
        "--recipient",
        USER,
        "--json",
      ]);
      expect((JSON.parse(swap.stdout) as Txs).txs).to.deep.equal(
        planRecipe({
          recipe: calls.uniswapV3Swap,
          args: { swapRouter: VAULT, generation: "SwapRouter02", tokens: [DOLLAR, PROXY], fees: [500] },
          router: ROUTER_ADDRESS,
          tradeType: "EXACT_OUTPUT",
          amount: 5n,
          minimumOut: 4n,
          recipient: USER,
        }).txs,
      );
    });
  });

  describe("check", () => {
    /** A missing approval is an error, and a missing refundTo is a note. */
    const faulty = { ...finished, txs: finished.txs.slice(2) };
    const { refundTo: _refundTo, ...unrefunded } = finished;

    const check = async (plan: unknown, ...args: string[]): Promise<FinishedProgram> =>
      runCrosscall(["check", await write("checked.json", plan), ...args]);

    it("reports no findings for the planner's output", async () => {
      const { exitCode, stdout, stderr } = await check(finished, "--fail-on", "note");
      expect([exitCode, stdout, stderr]).to.deep.equal([0, "0 errors, 0 warnings, 0 notes\n", ""]);
    });

    it("exits with 0 or 1, depending on --fail-on", async () => {
      const codes = await Promise.all([check(faulty), check(faulty, "--fail-on", "never")]);
      expect(codes.map(({ exitCode }) => exitCode)).to.deep.equal([1, 0]);
      const { exitCode, stdout } = await check(unrefunded, "--json");
      expect([exitCode, JSON.parse(stdout)]).to.deep.equal([
        0,
        {
          ok: true,
          counts: { error: 0, warning: 0, note: 1 },
          findings: [
            {
              code: "REFUND_TO_MISSING",
              severity: "note",
              index: null,
              reason: "refundTo is not given",
              hint: calls.CALL_RULES.REFUND_TO_MISSING.hint,
            },
          ],
        },
      ]);
      expect((await check(unrefunded, "--fail-on", "note")).exitCode).to.equal(1);
    });

    it("writes SARIF with the path of the plan's file, and also prints text", async () => {
      const out = join(folder, "calls.sarif");
      const { exitCode, stdout } = await check(faulty, "--format", "sarif", "--out", out);
      expect([exitCode, stdout]).to.match(/1,error APPROVAL_MISSING /u);
      const { version, runs } = JSON.parse(await readFile(out, "utf8")) as Sarif;
      const [result] = runs[0]?.results ?? [];
      expect([version, result?.ruleId, result?.level]).to.deep.equal(["2.1.0", "APPROVAL_MISSING", "error"]);
      expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).to.equal(
        relative("", join(folder, "checked.json")),
      );
      const printed = await check(faulty, "--format", "sarif");
      expect(JSON.parse(printed.stdout)).to.deep.equal(JSON.parse(await readFile(out, "utf8")));
    });

    it("rejects a plan without calls, and invalid formats", async () => {
      const { exitCode, stdout } = await check({ user: USER }, "--json");
      expect([exitCode, (JSON.parse(stdout) as { error: { field: string } }).error.field]).to.deep.equal([1, "txs"]);
      expect((await check(finished, "--format", "xml")).exitCode).to.equal(2);
    });
  });
});

interface Txs {
  readonly txs: readonly unknown[];
}

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly level: string;
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
      }[];
    }[];
  }[];
}

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { formatUnits } from "viem";

import type { Amount } from "../../packages/protocol/src/common/index.ts";
import { createServiceClient, getQuote } from "../../packages/sdk/src/index.ts";
import { mintDollars } from "../integration/support/parties.ts";
import { startWatchedRpcProxy } from "../integration/replay/support/watchedRpcProxy.ts";
import { onNode } from "../integration/support/requests.ts";
import { quoteShapes } from "../integration/verify/quoteShapes.ts";
import { runCrosscall, startCrosscall } from "../support/programs.ts";
import { rememberIn } from "../support/rememberIn.ts";
import { freeUrl } from "../unit/sdk/client/service.ts";
import { useFolder } from "../support/useFolder.ts";
import { useNetwork } from "../support/useNetwork.ts";

const PRIVATE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const ATTACKER = "0x00000000000000000000000000000000000c0de5";

interface PreflightJson {
  readonly ok: boolean;
  readonly verdict: string;
  readonly findings: readonly { readonly code: string; readonly leg: string }[];
}

interface SarifJson {
  readonly runs: readonly { readonly results: readonly { readonly ruleId: string; readonly level: string }[] }[];
}

describe("crosscall verify and preflight", () => {
  const network = useNetwork();
  const folder = useFolder();

  before(() => mintDollars(network, network.chains[0], 1_000_000_000n));

  async function write(shape: string, change: (text: string) => string = (text) => text): Promise<string> {
    const request = quoteShapes(network)[shape];
    if (request === undefined) throw new Error(`no shape ${shape}`);
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, limits: false }), request);
    const path = join(folder, `${shape.replaceAll(" ", "-")}.json`);
    await writeFile(path, change(JSON.stringify(quote)));
    return path;
  }
  async function folderWithin(name: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    return path;
  }
  const rpcUrl = () => ["--rpc-url", `${network.chains[0].id}=${network.chains[0].rpcUrl}`];
  const depositTo = (text: string): string =>
    text.replace(`"to":"${network.chains[0].contracts.depository}"`, `"to":"${ATTACKER}"`);

  it("rejects a plan with a recipe in place of the request", async () => {
    const plan = join(folder, "recipe.json");
    await writeFile(plan, JSON.stringify({ recipe: "erc4626Deposit" }));
    const { exitCode, stderr } = await startCrosscall(["verify", await write("native"), "--request", plan]).finished;
    expect(exitCode).to.equal(1);
    expect(stderr).to.include(`--request "${plan}" is a plan`);
  });

  it("prints the effects of a bound quote", async () => {
    const { exitCode, stdout } = await startCrosscall(["verify", await write("native")]).finished;
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(
      /^bound: The steps do only what you requested\.\nYou pay 1 ETH \(\$[\d,.]+\) on \S+ \(31337\) and receive at least [\d.]+ \w+ \(\$[\d,.]+\) on \S+ \(31338\)\./u,
    );
    expect(stdout).to.match(/^bound +steps\[0\]\.items\[0\] +deposits 1 ETH \(\$[\d,.]+\) for order 0x/mu);
  });

  it("reads symbols and decimals from the tokens, and marks those that only the quote states", async () => {
    // The amounts that the quote shows agree with its false decimals.
    const lie = (text: string): string =>
      JSON.stringify(
        JSON.parse(text, (_key, value: Amount | null) =>
          value?.currency?.decimals === 6
            ? {
                ...value,
                currency: { ...value.currency, symbol: "USDT", decimals: 7 },
                amountFormatted: formatUnits(BigInt(value.amount ?? 0), 7),
              }
            : value,
        ),
      );
    const verify = async (cwd: string) => (await runCrosscall(["verify", await write("token", lie)], { cwd })).stdout;
    expect(await verify(await folderWithin("other")))
      .to.match(/^You pay 50000000 \(stated as 5 USDT \(\$[\d.]+\)\) on .*\n.* Pass --rpc-url for both chains/mu)
      .and.match(/approves 50000000 \(stated as 5 USDT/u);
    const own = await folderWithin("own");
    await rememberIn(own, network);
    expect(await verify(own))
      .to.match(/^You pay 50 USDC on .* and receive at least [\d.]+ USDC on/mu)
      .and.match(/approves 50 USDC for depository/u)
      .and.not.include("USDT");
    const file = await write("token", lie);
    const sent = await runCrosscall(["send", file, "--dry-run"], {
      cwd: own,
      env: { CROSSCALL_PRIVATE_KEY: PRIVATE_KEY },
    });
    expect(sent.stdout)
      .to.match(/^pays +50 USDC on chain 31337, from 0x/mu)
      .and.match(/^gets +at least [\d.]+ USDC on chain 31338/mu);
    const out = join(own, "report.txt");
    await runCrosscall(["verify", file, "--json", "--out", out], { cwd: own });
    expect(await readFile(out, "utf8")).to.match(/^You pay 50 USDC on/mu);
  });

  it("marks amounts of a token whose decimals the node fails to return", async () => {
    const [origin, destination] = network.chains;
    const proxy = await startWatchedRpcProxy(origin.rpcUrl, (method) =>
      method === "eth_call" ? { error: { code: -32_005, message: "limit exceeded" } } : undefined,
    );
    const urls = [`${origin.id}=${proxy.url}`, `${destination.id}=${destination.rpcUrl}`].flatMap((url) => [
      "--rpc-url",
      url,
    ]);
    const { stdout } = await runCrosscall(["verify", await write("token"), ...urls]);
    await proxy.close();
    expect(stdout)
      .to.match(/^You pay 50000000 \(stated as 50 USDC/mu)
      .and.match(/receive at least [\d.]+ USDC/u)
      .and.not.include("Pass --rpc-url");
  });

  it("warns that a recipient does not exist on the destination chain if endpoints for both chains are given", async () => {
    const recipient = "0x00000000000000000000000000000000000000c4";
    const [origin, destination] = network.chains;
    const request = { ...quoteShapes(network).native!, recipient };
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, limits: false }), request);
    const path = join(folder, "recipient.json");
    await writeFile(path, JSON.stringify(quote));
    await onNode(origin, "hardhat_setCode", recipient, "0x00");
    const endpoints = [origin, destination].flatMap(({ id, rpcUrl: url }) => ["--rpc-url", `${id}=${url}`]);
    const { exitCode, stdout } = await startCrosscall(["verify", path, "--json", ...endpoints]).finished;
    const { ok, warnings } = JSON.parse(stdout) as { ok: boolean; warnings: readonly { code: string }[] };
    expect([exitCode, ok, warnings.map(({ code }) => code)]).to.deep.equal([0, true, ["ACCOUNT_EXISTS"]]);
    const one = await startCrosscall(["verify", path, ...endpoints.slice(0, 2)]).finished;
    expect(one.exitCode).to.not.equal(0);
  });

  it("rejects a quote that pays a stranger, in text, JSON and SARIF output", async () => {
    const file = await write("native", depositTo);
    const text = await runCrosscall(["verify", file]);
    expect(text.exitCode).to.equal(1);
    expect(text.stdout)
      .to.match(/^refused: The quote does not match the request\. Do not sign it\./u)
      .and.include("unmet TRANSACTION_TARGET steps[0].items[0].data.to")
      .and.match(/calls 0x0{35}c0de5 with 1 ETH/iu)
      .and.not.include("You pay");

    const json = JSON.parse((await runCrosscall(["verify", file, "--json"])).stdout) as {
      readonly ok: boolean;
      readonly verdict: string;
      readonly claims: readonly { readonly code: string; readonly isMet: boolean; readonly seen: string }[];
    };
    expect([json.ok, json.verdict]).to.deep.equal([false, "refused"]);
    expect(json.claims.find(({ code }) => code === "TRANSACTION_TARGET")?.seen.toLowerCase()).to.equal(ATTACKER);

    const out = join(folder, "quote.sarif");
    await runCrosscall(["verify", file, "--format", "sarif", "--out", out]);
    const sarif = JSON.parse(await readFile(out, "utf8")) as {
      readonly runs: readonly [{ readonly results: readonly { readonly ruleId: string; readonly level: string }[] }];
    };
    expect(sarif.runs[0].results.map(({ ruleId }) => ruleId)).to.include("TRANSACTION_TARGET");
  });

  it("compares the quote with a request file and the caller's limits", async () => {
    const file = await write("native");
    const request = join(folder, "request.json");
    await writeFile(request, JSON.stringify({ ...quoteShapes(network).native, amount: "7" }));
    const codesOf = async (...args: string[]): Promise<readonly string[]> => {
      const { stdout } = await runCrosscall(["verify", file, ...args, "--json"]);
      const { claims } = JSON.parse(stdout) as { claims: readonly { code: string; isMet: boolean }[] };
      return claims.filter(({ isMet }) => !isMet).map(({ code }) => code);
    };
    expect(await codesOf("--request", request)).to.include("INPUT_AMOUNT");
    expect(await codesOf("--maximum-fee", "relayer=0", "--maximum-fee", "app=0")).to.deep.equal(["FEE_LIMITS"]);
    for (const [limit, field, value] of [
      ["relayer", "--maximum-fee", '"relayer"'],
      ["relayer=1.5", "--maximum-fee", '"relayer=1.5"'],
      ["relay=1", "limits.maximumFees.relay", "1"],
    ] as const) {
      const { exitCode, stdout } = await runCrosscall(["verify", file, "--maximum-fee", limit, "--json"]);
      const { error } = JSON.parse(stdout) as { error: { code: string; field: string; value: unknown } };
      expect([exitCode, error.code, error.field, error.value]).to.deep.equal([1, "INVALID_INPUT", field, value]);
    }
    expect(await codesOf("--maximum-input", "7")).to.deep.equal(["INPUT_AMOUNT"]);
    expect(await codesOf("--minimum-output", `1${"0".repeat(19)}`)).to.include("MINIMUM_OUTPUT");
    expect(await codesOf("--maximum-impact-bps", "0")).to.deep.equal(["FEE_LIMITS"]);
  });

  it("reads additional pinned chains from a file, and reports invalid fields", async () => {
    const file = await write("native");
    const trust = join(folder, "trust.json");
    const { router, depository } = network.chains[0].contracts;
    const chain = { name: "local-31337", depositories: [depository], solvers: [ATTACKER], routers: [router] };
    await writeFile(trust, JSON.stringify({ 31337: chain }));
    const { exitCode, stdout } = await runCrosscall(["verify", file, "--trust", trust]);
    expect(exitCode).to.equal(1);
    expect(stdout).to.include("unmet ORDER_SOLVER");
    await writeFile(trust, JSON.stringify({ 31337: { ...chain, solvers: "none" } }));
    const { stderr } = await runCrosscall(["verify", file, "--trust", trust]);
    expect(stderr).to.include("31337.solvers");
  });

  it("simulates the steps of a swap", async () => {
    const fine = await runCrosscall(["preflight", await write("swap"), ...rpcUrl()]);
    expect(fine.exitCode, fine.stderr).to.equal(0);
    expect(fine.stdout).to.include("The preflight passes.\n").and.include("Balances on the origin chain");

    const user = network.accounts.user.address.slice(2).toLowerCase();
    const stolen = await write("swap", (text) =>
      text.replaceAll(`${"0".repeat(24)}${user}`, `${"0".repeat(24)}${ATTACKER.slice(2)}`),
    );
    const { exitCode, stdout } = await runCrosscall(["preflight", stolen, ...rpcUrl(), "--json"]);
    expect(exitCode).to.equal(1);
    const { ok, verdict, findings } = JSON.parse(stdout) as PreflightJson;
    expect([ok, verdict]).to.deep.equal([false, "failed"]);
    expect(findings.map(({ code, leg }) => [code, leg])).to.deep.equal([
      ["OUTPUT_MISSING", "origin"],
      ["STRANGER_PAID", "origin"],
    ]);
  });

  it("simulates both legs on this folder's network, and reports the balances that the fill leaves behind", async () => {
    const file = await write("token calls");
    const out = join(folder, "preflight.html");
    await rememberIn(folder, network);
    const both = ["preflight", file];
    const { exitCode, stdout } = await runCrosscall([...both, "--format", "html", "--out", out], { cwd: folder });
    expect(exitCode).to.equal(1);
    expect(stdout)
      .to.match(/^The preflight fails\./u)
      .and.match(/^error LEFT_TOKENS \(destination\): /mu);
    const page = await readFile(out, "utf8");
    expect(page).to.include("<title>The preflight fails. Do not sign any step of this quote.</title>");
    expect(page).to.include("The fill with the expected amount").and.include("The fill with the minimum amount");

    const sarif = await runCrosscall([...both, "--format", "sarif"], { cwd: folder });
    const [run] = (JSON.parse(sarif.stdout) as SarifJson).runs;
    expect(run?.results.map(({ ruleId, level }) => `${level} ${ruleId}`)).to.include.members([
      "error LEFT_TOKENS",
      "warning LEFT_ALLOWANCE",
    ]);
  });

  it("checks calls against the chain of this folder's network", async () => {
    const [, destination] = network.chains;
    const own = await folderWithin("own");
    await rememberIn(own, network);
    const plan = {
      destinationChainId: destination.id,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXACT_OUTPUT",
      amount: "1",
      txs: [{ to: ATTACKER, data: "0x12345678", value: "0" }],
    };
    const file = join(own, "plan.json");
    await writeFile(file, JSON.stringify(plan));
    const check = async (...args: string[]): Promise<readonly string[]> => {
      const { stdout } = await runCrosscall(["check", file, "--json", ...args], {
        cwd: args.length === 0 ? own : folder,
      });
      const { findings } = JSON.parse(stdout) as { findings: readonly { code: string }[] };
      return findings.map(({ code }) => code);
    };
    expect(await check())
      .to.include("TARGET_WITHOUT_CODE")
      .and.deep.equal(await check("--rpc-url", destination.rpcUrl));

    const gone = { url: network.url, rpcUrls: { [destination.id]: await freeUrl() } };
    await writeFile(join(own, ".crosscall/network.json"), JSON.stringify(gone));
    const { stderr } = await runCrosscall(["check", file], { cwd: own });
    expect(stderr).to.include("on-chain checks are skipped");
  });

  it("requires a quote and its request", async () => {
    const raw = join(folder, "raw.json");
    const {
      quotedRequest,
      quotedAtMs: _at,
      ...quote
    } = JSON.parse(await readFile(await write("native"), "utf8")) as {
      readonly quotedRequest: unknown;
      readonly quotedAtMs: number;
    };
    await writeFile(raw, JSON.stringify(quote));
    const request = join(folder, "request.json");
    await writeFile(request, JSON.stringify(quotedRequest));
    const broken = join(folder, "broken.json");
    await writeFile(broken, JSON.stringify({ steps: 5 }));
    const commands = [["verify"], ["preflight", ...rpcUrl()]];
    for (const [command = "", ...options] of commands) {
      const bare = await runCrosscall([command, raw, ...options]);
      expect(bare.exitCode).to.equal(1);
      expect(bare.stderr).to.include("--request").and.include("raw.json has no quotedRequest");
      const given = await runCrosscall([command, raw, ...options, "--request", request]);
      expect(given.exitCode, given.stderr).to.equal(0);
      const none = await runCrosscall([command, broken, ...options, "--request", request, "--json"]);
      expect(none.exitCode).to.equal(1);
      expect(none.stdout).to.include("MALFORMED_DATA").and.include('"path":"steps"');
    }
  });

  it("let send execute a safe swap, but not a swap that pays a stranger", async () => {
    const environment = { CROSSCALL_API_URL: network.url, CROSSCALL_PRIVATE_KEY: PRIVATE_KEY };
    const send = (file: string, journal: string) =>
      runCrosscall(["send", file, ...rpcUrl(), "--journal", join(folder, journal), "--yes", "--json"], {
        env: environment,
      });
    const refused = await send(await write("native", depositTo), "refused");
    expect(refused.exitCode).to.equal(1);
    expect(refused.stdout).to.include("QUOTE_REFUSED");
    const sent = await send(await write("swap"), "swap");
    expect(sent.exitCode, sent.stdout).to.equal(0);
  });
});

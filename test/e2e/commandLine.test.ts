import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";

import { createProgram } from "../../packages/crosscall/src/program.ts";
import { type FinishedProgram, type RunningProgram, runCrosscall, startCrosscall } from "../support/programs.ts";
import { serve } from "../support/httpServer.ts";

const start = (...args: string[]): RunningProgram => startCrosscall(args);
const run = (...args: string[]): Promise<FinishedProgram> => runCrosscall(args);

describe("colors", () => {
  it("are not printed when output is redirected, even in CI", async () => {
    const env = { NO_COLOR: "", CI: "true" };
    const { stdout } = await runCrosscall(["scenarios"], { env });
    const { stderr } = await runCrosscall(["fees", "--from", "missing.json"], { env });
    const service = ["--api-url", "http://127.0.0.1:9", "--api-key", "any"];
    const staged = await runCrosscall(["fees", "--request-id", "0x00", ...service], { env });
    expect([stdout, stderr, staged.stderr].map((text) => text.includes("\u001B["))).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect([stderr.includes("Failed:"), staged.stderr.includes("✖ Read the request")]).to.deep.equal([true, true]);
  });
});

describe("escape codes in colored output", () => {
  it("from input cannot set colors, unlike the program's own codes", async () => {
    const env = { NO_COLOR: "", FORCE_COLOR: "1" };
    const { stderr } = await startCrosscall(["check", "\u001B[32mfile\u001B[39m"], { env }).finished;
    const [line = ""] = stderr.split("\n");
    expect(line.startsWith("\u001B[31mFailed:\u001B[39m ")).to.equal(true);
    expect([line.split("\u001B").length, line.includes("\\u001b[32mfile\\u001b[39m")]).to.deep.equal([3, true]);
  });
});

describe("files with values that are nested too deeply", () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-nested-"));
    file = join(folder, "nested.json");
    await writeFile(file, `{"txs":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
  });
  after(() => rm(folder, { recursive: true }));

  it("make every command that reads them fail with a typed error", async () => {
    const service = ["--api-url", "http://127.0.0.1:9", "--api-key", "any"];
    for (const args of [
      ["check", file],
      ["plan", file],
      ["quote", file, ...service],
      ["replay", file],
      ["verify", file],
      ["preflight", file],
      ["send", file, "--dry-run", ...service],
      ["fees", "--from", file],
      ["fees", "--record", file],
      ["signature", "verify", "0x00", "--signed", file, ...service],
    ]) {
      const { exitCode, stdout } = await run(...args, "--json");
      const { error } = JSON.parse(stdout) as { error: { code: string; reason?: string; cause?: object } };
      const command = args.slice(0, 2).join(" ");
      expect([command, exitCode, error.cause ?? error]).to.have.nested.property(
        "[2].reason",
        "its values are nested deeper than 128 levels",
        command,
      );
    }
    const { stdout } = await run("migrate", "records", file, "--out", join(folder, "out.jsonl"), "--json");
    expect(JSON.parse(stdout)).to.have.nested.property("error.code", "MALFORMED_DATA");
  });
});

describe("crosscall demo", () => {
  it("runs a cross-chain request and shows the result, even after the announced end dates of all endpoints", async () => {
    const nodeOptions = ["--import", new URL("../support/afterRetirements.ts", import.meta.url).href];
    const { exitCode, stdout, stderr } = await startCrosscall(["demo"], { nodeOptions }).finished;
    expect([exitCode, stderr.includes("Check the outcome")]).to.deep.equal([0, true]);
    for (const label of [
      "request",
      "status",
      "fees",
      "expected",
      "minimum",
      "in the vault",
      "left on router",
      "fill",
      "attested",
      "time",
    ]) {
      expect(stdout).to.match(new RegExp(`^${label} `, "mu"));
    }
  });

  it("prints one JSON object with --json", async () => {
    const { exitCode, stdout, stderr } = await run("demo", "--json");
    expect([exitCode, stderr]).to.deep.equal([0, ""]);
    const result = JSON.parse(stdout) as DemoJson;
    expect(result.ok).to.equal(true);
    expect([result.statuses[0], result.statuses.at(-1)]).to.deep.equal(["waiting", "success"]);
    expect(result.txs).to.have.length(3);
    const { amount, minimumAmount } = result.quote.details.currencyOut;
    const assets = BigInt(result.outcome.assets);
    expect(assets < BigInt(amount) && assets >= BigInt(minimumAmount)).to.equal(true);
    expect(BigInt(result.outcome.shares) > 0n && BigInt(result.outcome.fillGas) > 21_000n).to.equal(true);
    expect(result.outcome).to.include({ routerTokens: "0", proxyTokens: "0" });
    expect(result.times.map(({ stage }) => stage)).to.have.length(9);
    const { signers, verifier, deposit, fill } = result.attestation;
    expect([new Set(signers).size, /^0x[0-9a-fA-F]{40}$/u.test(verifier)]).to.deep.equal([2, true]);
    for (const { idempotencyKey, digest } of [deposit, fill]) {
      expect([idempotencyKey, digest].join()).to.match(/^0x[0-9a-f]{64},0x[0-9a-f]{64}$/u);
    }
  });

  it("keeps the network running until Ctrl-C with --keep", async () => {
    const demo = start("demo", "--keep", "--json");
    const { url, chains, oracle } = JSON.parse(await demo.firstLine()) as {
      url: string;
      chains: { rpcUrl: string }[];
      oracle: { url: string; peerUrl: string };
    };
    expect(chains).to.have.length(2);
    expect(await isUp(`${url}/lives`)).to.equal(true);
    demo.child.kill("SIGINT");
    expect((await demo.finished).exitCode).to.equal(0);
    for (const address of [url, oracle.url, oracle.peerUrl, ...chains.map(({ rpcUrl }) => rpcUrl)]) {
      expect(await isUp(address)).to.equal(false);
    }
  });

  it("stops on Ctrl-C with the documented exit code", async () => {
    const demo = start("demo");
    await demo.until("Start the chains");
    demo.child.kill("SIGINT");
    expect((await demo.finished).exitCode).to.equal(130);
  });

  it("reports the failed stage, its cause and a hint", async () => {
    const { exitCode, stdout } = await run("demo", "--json", "--chain", "31337=http://127.0.0.1:9", "--chain", "31338");
    expect(exitCode).to.equal(1);
    const { ok, error } = JSON.parse(stdout) as { ok: boolean; error: Record<string, unknown> };
    expect(ok).to.equal(false);
    expect(error).to.have.property("code", "STAGE_FAILED");
    expect(error).to.have.property("stage", "Start the chains, the contracts, the service and the solver");
    expect(error).to.have.nested.property("cause.code", "CHAIN_ERROR");
    expect(error).to.have.nested.property("cause.chainId", 31_337);
    expect(error.hint).to.be.a("string");
  });
});

describe("crosscall up", () => {
  it("starts the network, serves it, and stops on Ctrl-C", async () => {
    const keys = ["--api-key", "mine", "--admin-key", "own"];
    const up = start("up", "--port", "0", "--json", ...keys, "--host", "console.example", "--console-admin");
    const { url, consoleUrl, signInUrl, apiKey, adminKey, oracle } = JSON.parse(await up.firstLine()) as {
      url: string;
      consoleUrl: string;
      signInUrl: string;
      adminKey: string;
      apiKey: string;
      oracle: { url: string };
    };
    expect([apiKey, adminKey]).to.deep.equal(["mine", "own"]);
    expect(await (await fetch(consoleUrl)).text()).to.include("Admin key");
    expect((await fetch(signInUrl, { redirect: "manual" })).headers.get("set-cookie")).to.include("HttpOnly");
    expect((await fetch(`${oracle.url}/chains/v1`)).status).to.equal(401);
    const attested = await fetch(`${oracle.url}/chains/v1`, { headers: { "x-api-key": "mine" } });
    expect(((await attested.json()) as { chains: { id: string }[] }).chains.map(({ id }) => id)).to.deep.equal([
      "local-31337",
      "local-31338",
      "bitcoin",
      "lighter",
      "hyperliquid",
      "tron",
    ]);
    expect((await fetch(`${url}/requests/v3`, { headers: { "x-api-key": "mine" } })).status).to.equal(200);
    up.child.kill("SIGINT");
    expect((await up.finished).exitCode).to.equal(0);
    expect([await isUp(url), await isUp(`${oracle.url}/lives/v1`)]).to.deep.equal([false, false]);
  });

  it("starts without oracles if they are disabled, and stops on SIGTERM", async () => {
    const up = start("up", "--port", "0", "--json", "--no-oracle", "--default-api-key", "crosscall-local");
    const { url, oracle } = JSON.parse(await up.firstLine()) as { url: string; oracle?: object };
    expect([await isUp(`${url}/lives`), oracle]).to.deep.equal([true, undefined]);
    // This endpoint requires a key, and the server adds the default key.
    expect((await fetch(`${url}/requests/v3`)).status).to.equal(200);
    up.child.kill("SIGTERM");
    expect((await up.finished).exitCode).to.equal(0);
    expect(await isUp(url)).to.equal(false);
  });

  it("reports the port that is in use", async () => {
    const taken = await serve(() => undefined);
    const { exitCode, stderr } = await run("up", "--port", String(taken.port));
    await taken.close();
    expect(exitCode).to.equal(1);
    expect(stderr).to.include(String(taken.port));
    expect(stderr).to.include("To do:");
  });
});

describe("crosscall explain", () => {
  it("prints the page of an error, which every failed command names", async () => {
    const { stderr } = await run("check", "/no-plan.json");
    const [, code = ""] = /^More: crosscall explain (\w+)$/mu.exec(stderr) ?? [];
    const { exitCode, stdout } = await run("explain", code);
    expect([exitCode, stdout.split("\n")[0]]).to.deep.equal([0, `# ${code}`]);
    expect(stdout).to.include("## How to fix it");
    // Only the text remains of links to other pages.
    expect(stdout).not.to.match(/\]\((?!https:)/u);
  });

  it("prints the documentation of a failReason or a finding", async () => {
    const { stdout } = await run("explain", "ALLOWANCE_LEFT");
    expect(stdout).to.include("severity: warning\n").and.to.include("page: checks.md\n");
    const { explanations } = JSON.parse((await run("explain", "SLIPPAGE", "--json")).stdout) as {
      explanations: { page: string; cells: Record<string, string> }[];
    };
    const found = explanations.find(({ page }) => page === "why-fills-fail.md");
    expect(found?.cells["what it means"]).to.match(/^A call received less than its minimum/u);
  });

  it("rejects an unknown code", async () => {
    const { exitCode, stderr } = await run("explain", "allowance_left");
    expect([exitCode, stderr.includes('code "allowance_left"')]).to.deep.equal([1, true]);
  });
});

describe("crosscall", () => {
  it("explains each command with an example", async () => {
    for (const command of ["demo", "up", "deploy"]) {
      const { exitCode, stdout } = await run(command, "--help");
      expect([exitCode, stdout.includes(`crosscall ${command}`)]).to.deep.equal([0, true]);
      expect(stdout).to.include("Examples:");
    }
  });

  it("lists each command in one line, in groups by task", async () => {
    const { exitCode, stdout } = await run("--help");
    const lines = stdout.split("\n");
    const [usage = "", ...groups] = stdout.split(/^(?=[A-Z][\w ,]+:$)/mu);
    const names = (await createProgram([])).commands.filter((command) => command.name() !== "complete");
    expect([exitCode, usage.includes("[command]")]).to.deep.equal([0, true]);
    expect(groups.map((group) => group.split("\n", 1)[0])).to.deep.equal([
      "Options:",
      "Start:",
      "Compose and check calls:",
      "Quote, pay and follow requests:",
      "Control a running local network:",
      "Deploy and operate:",
      "Help:",
    ]);
    for (const command of names) {
      const line = `  ${command.name().padEnd(14)}  ${command.summary()}`;
      expect(lines, command.name()).to.include(line);
      expect(line.length, line).to.be.at.most(80);
    }
    expect((await run("send", "--help")).stdout.replaceAll(/\s+/gu, " ")).to.include("never pays twice");
  });

  it("exits without an error when the reader closes the pipe", async () => {
    for (const args of [
      ["plan", "--recipes"],
      ["deploy", "--help"],
    ]) {
      const command = start(...args);
      command.child.stdout?.destroy();
      const { exitCode, stderr } = await command.finished;
      expect([args, exitCode, stderr]).to.deep.equal([args, 0, ""]);
    }
  });

  it("reads the deployer's key from a file, and never prints the key", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-key-"));
    const [file, none] = [join(folder, "key"), join(folder, "none")];
    await writeFile(file, "0xsecret");
    const refusals: [args: string[], field: string][] = [
      [["--key-file", file], "--key-file"],
      [["--key-file", none], "--key-file"],
      [["--key-file", file, "--private-key", "0xsecret"], "--key-file"],
      [["--private-key", "0xsecret"], "--private-key"],
    ];
    for (const [args, field] of refusals) {
      const { exitCode, stdout, stderr } = await run("deploy", "--dry-run", "--json", ...args);
      const { error } = JSON.parse(stdout) as { error: Record<string, unknown> };
      expect([exitCode, error.code, error.field]).to.deep.equal([1, "INVALID_INPUT", field]);
      expect(`${stdout}${stderr}`).not.to.include("secret");
    }
    // The key file takes precedence over the environment variable.
    const key = generatePrivateKey();
    await writeFile(file, `${key}\n`);
    const env = { CROSSCALL_PRIVATE_KEY: generatePrivateKey() };
    const { stdout } = await runCrosscall(["deploy", "--dry-run", "--json", "--key-file", file], { env });
    expect(JSON.parse(stdout)).to.include({ ok: true, deployer: privateKeyToAddress(key) });
    await rm(folder, { recursive: true });
  });

  it("rejects an invalid command line", async () => {
    for (const args of [
      ["demo", "--what"],
      ["up", "--port", "many"],
      ["nothing"],
      ["up", "--log-level", "loud"],
      ["deploy", "--confirmations", "0"],
    ]) {
      expect([args, (await run(...args)).exitCode]).to.deep.equal([args, 2]);
    }
  });
});

interface DemoJson {
  readonly ok: boolean;
  readonly statuses: readonly string[];
  readonly txs: readonly unknown[];
  readonly quote: { readonly details: { readonly currencyOut: { amount: string; minimumAmount: string } } };
  readonly outcome: Record<"shares" | "assets" | "routerTokens" | "proxyTokens" | "fillGas", string>;
  readonly attestation: {
    readonly verifier: string;
    readonly signers: readonly string[];
    readonly deposit: DemoExecution;
    readonly fill: DemoExecution;
  };
  readonly times: readonly { readonly stage: string; readonly durationMs: number }[];
}

interface DemoExecution {
  readonly idempotencyKey: string;
  readonly digest: string;
}

async function isUp(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";

import { startCrosscall, startProgram } from "../support/programs.ts";
import { useFolder } from "../support/useFolder.ts";

const PRELOAD = { NODE_OPTIONS: `--import ${new URL("../support/listPackages.mjs", import.meta.url).href}` };

const HEAVY = /^(@aws-sdk|@electric-sql|@fastify|@nomicfoundation|fastify|hardhat|kysely|ora|pg|pg-boss|typescript)/u;

describe("the packages that a command loads", () => {
  const folder = useFolder();

  it("include only the option parser for --version", async () => {
    expect(await packagesOf("--version")).to.deep.equal(["commander", "picocolors"]);
  });

  it("include only the option parser for the help of every command", async () => {
    const file = join(folder, "everyHelp.mjs");
    const program = pathToFileURL(join(import.meta.dirname, "../../packages/crosscall/src/program.ts")).href;
    await writeFile(file, `import { createProgram } from ${JSON.stringify(program)};\nawait createProgram();\n`);
    const { exitCode, stderr } = await startProgram(file, [], { env: PRELOAD }).finished;
    expect([exitCode, lastLine(stderr)]).to.deep.equal([0, ["commander", "picocolors"]]);
  });

  it("include only the option parser and the shell protocol for completions", async () => {
    const completing = await packagesOf("complete", "--", "oracle", "start", "--log-level", "");
    expect(completing).to.deep.equal(["@bomb.sh/tab", "commander", "picocolors"]);
    expect((await packagesOf("complete", "--", "trigger", "")).filter((name) => HEAVY.test(name))).to.deep.equal([]);
  });

  it("exclude the server, database, node and compiler for commands that control a network", async () => {
    for (const command of [
      ["status", "--api-url", "http://127.0.0.1:9"],
      ["listen", "--url", "http://127.0.0.1:9", "--admin-key", "key"],
      ["trigger", "success", "--url", "http://127.0.0.1:9", "--admin-key", "key"],
    ]) {
      const { exitCode, stderr } = await startCrosscall(command, { env: PRELOAD }).finished;
      expect(exitCode, stderr).to.equal(1);
      expect(lastLine(stderr).filter((name) => HEAVY.test(name) && name !== "ora")).to.deep.equal([]);
    }
  });

  it("exclude the server, database, node and compiler for plan and check", async () => {
    const file = join(folder, "plan.json");
    const [user, token, contract] = ["1", "2", "3"].map((digit) => `0x${digit.repeat(40)}`);
    const plan = {
      recipe: "erc4626Deposit",
      args: { vault: contract, asset: token },
      proxy: contract,
      tradeType: "EXACT_INPUT",
      amount: "1000000",
      user,
      refundTo: user,
      originChainId: 31_337,
      originCurrency: token,
      destinationChainId: 31_338,
    };
    await writeFile(file, JSON.stringify(plan));
    for (const command of ["plan", "check"]) {
      expect((await packagesOf(command, file)).filter((name) => HEAVY.test(name))).to.deep.equal([]);
    }
  });
});

async function packagesOf(...args: readonly string[]): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await startCrosscall(args, { env: PRELOAD }).finished;
  expect(exitCode, `${stdout}\n${stderr}`).to.equal(0);
  return lastLine(stderr);
}

function lastLine(text: string): readonly string[] {
  return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as string[];
}

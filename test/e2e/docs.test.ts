import { globSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";

import { expect } from "chai";
import type { Command } from "commander";

import { catalogueEntries } from "../../packages/crosscall/src/commands/deploy/catalogue.ts";
import * as calls from "../../packages/sdk/src/calls/index.ts";
import { createProgram } from "../../packages/crosscall/src/program.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { planAave } from "../../packages/crosscall/src/localnet/devchain/aave.ts";
import { planContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { NODE_KINDS } from "../../packages/crosscall/src/testing/misbehaving/nodeKinds.ts";
import { WALLET_KINDS } from "../../packages/crosscall/src/testing/misbehaving/walletKinds.ts";
import { runModule } from "../support/programs.ts";
import { readEntryPoints } from "../../tools/reference/sources.ts";

const ROOT = new URL("../../", import.meta.url);

/** Pages that contain programs. */
const PAGES = readdirSync(new URL("docs/", ROOT))
  .toSorted()
  .map((name) => `docs/${name}`)
  .filter((page) => page.endsWith(".md") && readFileSync(new URL(page, ROOT), "utf8").includes("\n```ts\n"));

/** Programs in `examples/` that pages link to, with their output. */
const EXAMPLES: Readonly<Record<string, string>> = {
  settlement: "solver on the hub: true\npaid to the solver: true\nleft on the hub: 0n\n",
  userOperation: "success 0n\n",
};

/** Fenced code block on a page. */
interface Block {
  readonly language: string;
  readonly text: string;
}

async function read(page: string): Promise<string> {
  return readFile(new URL(page, ROOT), "utf8");
}

async function blocksOf(page: string): Promise<Block[]> {
  return [...(await read(page)).matchAll(/^```(\w+)\n(.*?)^```$/gmsu)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

describe("the documentation", () => {
  // Folder inside the checkout, so that imports of the package resolve to the checkout.
  const folder = new URL(".crosscall/docs-test/", ROOT);

  before(() => mkdir(folder, { recursive: true }));
  after(() => rm(folder, { recursive: true, force: true }));

  async function outputOf(name: string, program: string): Promise<string> {
    const file = new URL(name, folder);
    await writeFile(file, program);
    const { exitCode, stdout, stderr } = await runModule(file);
    expect(exitCode, `${stdout}\n${stderr}`).to.equal(0);
    return stdout;
  }

  it("shows a contract that verifies a signature in five lines, the same as in the example", async () => {
    const [snippet] = await blocksOf("docs/request-signatures.md");
    const lines = snippet?.text.split("\n").filter((line) => line !== "") ?? [];
    expect([snippet?.language, lines.length]).to.deep.equal(["solidity", 5]);
    expect((await read("examples/SignedBridge.sol")).split("\n")).to.include.members(lines);
  });

  it("shows the Python program as it is in examples/", async () => {
    const programs = (await blocksOf("docs/other-languages.md")).filter(({ language }) => language === "python");
    expect(programs.map(({ text }) => text)).to.deep.equal([await read("examples/python/transfer.py")]);
  });

  for (const [name, output] of Object.entries(EXAMPLES)) {
    it(`links to examples/${name}.ts, which runs on a local network`, async () => {
      expect(await outputOf(`${name}.ts`, await read(`examples/${name}.ts`))).to.equal(output);
    });
  }

  for (const page of PAGES) {
    it(`shows programs that print the documented output, in ${page}`, async () => {
      const blocks = await blocksOf(page);
      for (const [index, { language, text }] of blocks.entries()) {
        if (language !== "ts") continue;
        const output = await outputOf(`${basename(page, ".md")}-${index}.ts`, text);
        expect([index, output]).to.deep.equal([index, blocks[index + 1]?.text]);
      }
    });
  }

  it("shows plans with the addresses of the local network", async () => {
    const { dollar, vault, vaultProxy } = planContracts().contracts;
    const plansOf = async (page: string): Promise<Record<string, unknown>[]> =>
      (await blocksOf(page))
        .filter(({ language, text }) => language === "json" && text.includes('"originChainId"'))
        .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
    const [supply] = await plansOf("docs/aave-without-solidity.md");
    expect(supply?.args).to.deep.equal({ ...planAave(dollar).contracts, asset: dollar });
    const [deposit] = await plansOf("docs/why-fills-fail.md");
    expect(deposit?.destinationCurrency).to.equal(dollar);
    expect(deposit?.actions).to.deep.equal([
      { kind: "proxy", token: dollar, proxy: vaultProxy, minimumOut: "2400000000" },
    ]);
    expect(await read("docs/why-fills-fail.md")).to.include(`to: ${vault}, value: 2500000000`);
  });

  it("requests quotes with the key or token that version 3 needs", async () => {
    const programs = await Promise.all(["README.md", ...PAGES].map(blocksOf));
    const without = programs
      .flat()
      .filter(
        ({ text }) =>
          /createServiceClient\([^]*getQuote\(|getQuote\(createServiceClient\(/u.test(text) &&
          !/\b(?:apiKey|accessToken|keepsRetired)\b/u.test(text),
      );
    expect(without).to.deep.equal([]);
  });

  it("shows commands with the arguments and options that they have", async () => {
    const program = await createProgram();
    const pages = globSync(["README.md", "docs/{*,errors/*}.md", "packages/*/README.md"], { cwd: ROOT });
    const blocks = (await Promise.all(pages.map(blocksOf))).flat();
    const lines = blocks
      .filter(({ language }) => language === "console" || language === "sh")
      .flatMap(({ text }) =>
        [...text.replaceAll(/\\\n\s*/gu, "").matchAll(/^(?:\$ )?(?:npx )?crosscall (.*)$/gmu)].map(
          ([, line = ""]) => line,
        ),
      );
    const wrong = lines.filter((line) => {
      const words = line
        .replace(/\s+#.*$/u, "")
        .replaceAll(/<[^>]*>/gu, "1")
        .split(/\s+/u);
      let command: Command = program;
      while (words[0] !== undefined) {
        const inner = command.commands.find((each) => each.name() === words[0]);
        if (inner === undefined) break;
        command = inner;
        words.shift();
      }
      const { operands, unknown } = command.parseOptions(words);
      const required = command.registeredArguments.filter((argument) => argument.required);
      const most = command.registeredArguments.some(({ variadic }) => variadic)
        ? Infinity
        : command.registeredArguments.length;
      return command === program || unknown.length > 0 || operands.length < required.length || operands.length > most;
    });
    expect(lines.length).to.be.greaterThan(50);
    expect(wrong).to.deep.equal([]);
  });

  it("imports only names exported by the packages", async () => {
    const exported = readEntryPoints().flatMap((entry) => entry.names.map(({ name }) => `${entry.name}: ${name}`));
    // Each file contains one contract with the same name.
    const contracts = globSync("{interfaces,libraries,localnet,proxies,testing}/**/*.sol", {
      cwd: new URL("contracts/", ROOT),
    }).map((path) => `@crosscall/contracts/${path}: ${basename(path, ".sol")}`);
    const documents = globSync(["*.md", "docs/*.md", "docs/{decisions,errors}/*.md"], { cwd: ROOT });
    const texts = await Promise.all(documents.map(read));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/^import (?:type )?\{([^}]*)\} from "((?:@crosscall\/|crosscall)[^"]*)";$/gmu)].flatMap(
        ([, names = "", entryPoint = ""]) =>
          names
            .split(",")
            .map((name) => name.trim().replace(/^type /u, ""))
            .filter((name) => name !== "")
            .map((name) => `${entryPoint}: ${name}`),
      ),
    );
    expect(imported.length).to.be.greaterThan(100);
    expect(imported.filter((name) => !exported.includes(name) && !contracts.includes(name))).to.deep.equal([]);
  });

  it("lists exactly the rules of the checker", async () => {
    const rows = [
      ...(await read("docs/checks.md")).matchAll(/^\| `([A-Z_0-9]+)` *\| (\w+) *\| (.*?) *\| (.*?) *\|$/gmu),
    ];
    const listed = rows.map(([, code, severity, meaning, hint]) => [code, { severity, meaning, hint }]);
    const known = Object.entries(calls.CALL_RULES).map(([code, { severity, meaning, hint }]) => [
      code,
      { severity, meaning, hint },
    ]);
    expect(listed).to.deep.equal(known);
  });

  it("lists exactly the supported kinds of misbehaving wallets and nodes", async () => {
    const [, section = ""] = (await read("docs/testing.md")).split(
      "## Test against wallets and nodes that misbehave\n",
    );
    const kindsOf = (what: string): string[] => {
      const [, table = ""] = section.split(new RegExp(`^\\| ${what} +\\|.*\\n`, "mu"));
      const [rows = ""] = table.split("\n\n");
      return [...rows.matchAll(/^\| `(\w+)` /gmu)].map(([, kind = ""]) => kind);
    };
    expect([kindsOf("wallet"), kindsOf("node")]).to.deep.equal([Object.keys(WALLET_KINDS), Object.keys(NODE_KINDS)]);
  });

  it("lists exactly the receiver's errors", async () => {
    const [, section = ""] = (await read("docs/receiver.md")).split("## Errors\n");
    const listed = [...section.matchAll(/^\| `(\w+)` /gmu)].map(([, name = ""]) => name);
    const { abi } = readArtifact("receiver/RequestReceiver");
    const errors = abi.flatMap((item) => (item.type === "error" ? [item.name] : []));
    expect(listed.toSorted()).to.deep.equal(errors.toSorted());
  });

  it("lists the deployable contracts, and marks the standard ones", async () => {
    const page = await read("docs/deployment.md");
    const rows = [...page.matchAll(/^\| `([A-Z]\w+[a-z])` +\| (yes)? /gmu)];
    const listed = rows.map(([, name = "", standard]) => [name, standard === "yes"]);
    const known = catalogueEntries().map(([name, { isStandard }]) => [name, isStandard === true]);
    expect(listed).to.deep.equal(known);
  });

  it("numbers its decisions consecutively", async () => {
    const files = (await readdir(new URL("docs/decisions/", ROOT))).toSorted();
    expect(files.map((file) => Number(file.slice(0, 4)))).to.deep.equal(files.map((_, index) => index + 1));
  });
});

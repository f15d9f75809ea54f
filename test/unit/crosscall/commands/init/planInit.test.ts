import { readFileSync } from "node:fs";

import { expect } from "chai";
import { subset } from "semver";

import { type PackageManager, planInit } from "../../../../../packages/crosscall/src/commands/init/planInit.ts";
import { refusal } from "../../../../support/rejection.ts";

type Files = Readonly<Record<string, string>>;

const VIEM = ">=2.38.0 <3";

const planFor = (files: Files, packageManager: PackageManager = "npm") =>
  planInit({ read: (path) => files[path], packageManager, version: "1.2.3", viem: VIEM });

const manifest = (fields: object): string => `${JSON.stringify(fields, null, 2)}\n`;

const changesOf = (files: Files, packageManager?: PackageManager): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(planFor(files, packageManager).changes.map(({ path, details }) => [path, details]));

/** Files of the project after the changes. */
const applied = (files: Files): Files => ({
  ...files,
  ...Object.fromEntries(planFor(files).changes.map(({ path, after }) => [path, after])),
});

const HARDHAT3 = {
  "hardhat.config.ts": 'import toolbox from "@nomicfoundation/hardhat-toolbox-mocha-ethers";',
  "package.json": manifest({ type: "module" }),
};

const HARDHAT2 = { "hardhat.config.js": "", "package.json": manifest({ devDependencies: { hardhat: "^2.22.0" } }) };

const FOUNDRY = { "foundry.toml": '[profile.default]\ntest = "tests"\n', ".gitignore": "out" };

const VITE = { "vite.config.ts": "", "package.json": manifest({ dependencies: { viem: "^2.40.0" } }) };

describe("planInit", () => {
  it("adds a test and its packages to Hardhat 3", () => {
    expect(changesOf(HARDHAT3)).to.deep.equal({
      "package.json": [
        "devDependencies: crosscall ^1.2.3",
        "devDependencies: @crosscall/contracts ^1.2.3",
        "devDependencies: @crosscall/sdk ^1.2.3",
        "devDependencies: viem ^2.38.0",
        "devDependencies: chai ^6.0.0",
      ],
      "test/crosscall.test.ts": [],
    });
    const javascript = {
      "hardhat.config.js": "export default { paths: { tests: './checks/' } }",
      "package.json": manifest({ devDependencies: { "@nomicfoundation/hardhat-toolbox-viem": "^5.0.0" } }),
    };
    const { changes, notes, nextSteps } = planFor(javascript, "pnpm");
    expect(changes[1]).to.include({ path: "checks/crosscall.test.js", action: "create" });
    expect(changes[1]?.after)
      .to.match(/^import \{ describe, it \} from "node:test";$/mu)
      .and.not.include("as const");
    expect(notes).to.have.length(1);
    expect(nextSteps).to.deep.equal([
      "pnpm install",
      "pnpm exec hardhat test checks/crosscall.test.js",
      "pnpm exec crosscall doctor",
    ]);
  });

  it("adds a test for Node's own runner to a Hardhat 3 project without a plugin for tests", () => {
    const { changes, nextSteps } = planFor({ ...HARDHAT3, "hardhat.config.ts": "" });
    const path = "test/crosscall.test.js";
    expect(changes[1]).to.include({ path, action: "create" });
    expect(changes[1]?.after)
      .to.match(/^import \{ describe, it \} from "node:test";$/mu)
      .and.not.include("as const");
    expect(nextSteps).to.deep.equal(["npm install", `node --test ${path}`, "npx crosscall doctor"]);
  });

  it("does not install the command line in a Hardhat 2 project", () => {
    const installed = { ...HARDHAT3, "node_modules/hardhat/package.json": manifest({ version: "2.26.0" }) };
    for (const project of [HARDHAT2, installed]) {
      expect(planFor(project).kinds).to.deep.equal(["hardhat2"]);
      expect(changesOf(project)).to.deep.equal({
        "package.json": [
          "devDependencies: @crosscall/contracts ^1.2.3",
          "devDependencies: @crosscall/sdk ^1.2.3",
          "devDependencies: viem ^2.38.0",
        ],
        "scripts/crosscall-quote.mjs": [],
      });
    }
    const next = { "package.json": manifest({ devDependencies: { hardhat: "next" } }) };
    expect(planFor(next).kinds).to.deep.equal(["hardhat3"]);
  });

  it("adds a missing test, remappings and ignored folders to Foundry", () => {
    expect(changesOf(FOUNDRY)).to.deep.equal({
      "package.json": ["devDependencies: @crosscall/contracts ^1.2.3"],
      "tests/Crosscall.t.sol": [],
      "remappings.txt": [
        "@crosscall/contracts/=node_modules/@crosscall/contracts/",
        "@openzeppelin/contracts/=node_modules/@openzeppelin/contracts/",
      ],
      ".gitignore": ["node_modules/", ".crosscall/"],
    });
    const mapped = {
      "foundry.toml": 'remappings = ["@openzeppelin/contracts/=lib/oz/"]',
      "remappings.txt": "forge-std/=lib/forge-std/src/",
      ".gitignore": "/node_modules\n",
      "lib/forge-std/src/Test.sol": "",
    };
    const changes = planFor(mapped, "pnpm").changes.slice(2);
    expect(changes.map(({ after }) => after)).to.deep.equal([
      "forge-std/=lib/forge-std/src/\n@crosscall/contracts/=node_modules/@crosscall/contracts/\n",
      "/node_modules\n.crosscall/\n",
    ]);
    expect(changesOf(mapped, "pnpm")["package.json"]).to.deep.equal([
      "devDependencies: @crosscall/contracts ^1.2.3",
      "devDependencies: @openzeppelin/contracts ^5.7.0",
    ]);
    const steps = (files: Files) => planFor(files, "pnpm").nextSteps;
    const test = "forge test --match-path tests/Crosscall.t.sol";
    const forgeStd = "foundry-rs/forge-std";
    expect(steps(FOUNDRY)).to.deep.equal(["pnpm install", `forge install --no-git ${forgeStd}`, test]);
    expect(steps({ ...FOUNDRY, ".git/HEAD": "ref" })).to.include(`forge install ${forgeStd}`);
    expect(steps(mapped)).to.deep.equal(["pnpm install", "forge test --match-path test/Crosscall.t.sol"]);
  });

  it("adds an example and scripts to an app and to a program, and keeps the project's versions", () => {
    expect(changesOf(VITE)).to.deep.equal({
      "package.json": [
        "scripts: crosscall:up crosscall up",
        "scripts: crosscall:quote node scripts/crosscall-quote.mjs",
        "dependencies: @crosscall/sdk ^1.2.3",
        "devDependencies: crosscall ^1.2.3",
      ],
      "scripts/crosscall-quote.mjs": [],
    });
    expect(planFor(VITE).kinds).to.deep.equal(["vite"]);
    expect(planFor({ "package.json": manifest({ dependencies: { next: "15" } }) }).kinds).to.deep.equal(["next"]);
    expect(planFor({ "package.json": "{}" }).kinds).to.deep.equal(["node"]);
  });

  it("lists a package once in a project of several kinds", () => {
    const all = { ...HARDHAT3, ...FOUNDRY, ...VITE };
    expect(planFor(all).kinds).to.deep.equal(["hardhat3", "foundry", "vite"]);
    const names = changesOf(all)["package.json"]?.map((detail) => detail.split(" ")[1]);
    expect(names).to.deep.equal([...new Set(names)]);
  });

  it("changes nothing on a second run, and replaces no file", () => {
    for (const project of [HARDHAT3, HARDHAT2, FOUNDRY, VITE, { ...HARDHAT3, ...FOUNDRY, ...VITE }]) {
      const after = applied(project);
      expect(planFor(after).changes).to.deep.equal([]);
      expect(planFor(after).kept).to.not.deep.equal([]);
    }
    expect(changesOf({ ...HARDHAT3, "test/crosscall.test.ts": "mine" })).to.have.keys("package.json");
  });

  it("reports a viem version that the SDK does not accept", () => {
    const withViem = (viem: string) => planFor({ "package.json": manifest({ dependencies: { viem } }) }).notes.length;
    expect(["^2.40.0", "2.38.0", "^1.0.0", ">=2.0.0", "workspace:*"].map(withViem)).to.deep.equal([0, 0, 1, 1, 0]);
  });

  it("rejects a folder without a project", () => {
    expect(refusal(() => planFor({}))).to.include({ code: "INVALID_INPUT", field: "folder" });
    expect(refusal(() => planFor({ "package.json": "[" }))).to.include({ field: "package.json" });
  });

  it("adds versions that satisfy the packages' peer ranges", () => {
    const { peerDependencies } = JSON.parse(
      readFileSync(new URL("../../../../../packages/crosscall/package.json", import.meta.url), "utf8"),
    ) as { peerDependencies: Record<string, string> };
    const { "package.json": details = [] } = changesOf(HARDHAT3);
    const chai = details.find((detail) => detail.includes(" chai "))?.split(" ")[2];
    expect(subset(chai ?? "", peerDependencies.chai ?? "")).to.equal(true);
  });
});

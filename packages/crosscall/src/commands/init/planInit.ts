import { InvalidInputError } from "@crosscall/protocol/core";
import { minVersion, subset, validRange } from "semver";

import { addEntries, type ManifestSection, type ProjectManifest, readManifest } from "./editManifest.ts";
import { FOUNDRY_TEST, hardhatTest, QUOTE_EXAMPLE } from "./templates.ts";

export type PackageManager = "bun" | "npm" | "pnpm" | "yarn";

export type ProjectKind = "foundry" | "hardhat2" | "hardhat3" | "next" | "node" | "vite";

/** Facts about an existing project. */
export interface ProjectFacts {
  /** Returns the text of a project file, or undefined if it does not exist. */
  readonly read: (path: string) => string | undefined;
  readonly packageManager: PackageManager;
  /** The kit's version. */
  readonly version: string;
  /** The kit's range of viem versions. */
  readonly viem: string;
}

export interface Change {
  readonly path: string;
  readonly action: "create" | "edit";
  readonly details: readonly string[];
  /** The text before an edit. */
  readonly before?: string;
  readonly after: string;
}

export interface InitPlan {
  readonly kinds: readonly ProjectKind[];
  readonly changes: readonly Change[];
  /** Files that already exist. */
  readonly kept: readonly string[];
  /** Notes and required changes for the user. */
  readonly notes: readonly string[];
  /** Commands to run next. */
  readonly nextSteps: readonly string[];
}

/** Versions that the kit's peer ranges accept. */
const CHAI = "^6.0.0";

const OPENZEPPELIN = "^5.7.0";

const REMAPPED = ["@crosscall/contracts", "@openzeppelin/contracts"];

const IGNORED = ["node_modules/", ".crosscall/"];

const CONFIG_ENDS = ["ts", "js", "mts", "mjs", "cts", "cjs"];

const INSTALL: Readonly<Record<PackageManager, string>> = {
  bun: "bun install",
  npm: "npm install",
  pnpm: "pnpm install",
  yarn: "yarn install",
};

const EXECUTE: Readonly<Record<PackageManager, string>> = { bun: "bunx", npm: "npx", pnpm: "pnpm exec", yarn: "yarn" };

/** Packages of Hardhat's test runners. */
const RUNNERS: readonly (readonly [packages: readonly string[], runner: "mocha" | "node"])[] = [
  [["@nomicfoundation/hardhat-toolbox-mocha-ethers", "@nomicfoundation/hardhat-mocha"], "mocha"],
  [["@nomicfoundation/hardhat-toolbox-viem", "@nomicfoundation/hardhat-node-test-runner"], "node"],
];

/** Comment after a command that runs until Ctrl-C. */
const ELSEWHERE = " # in another terminal";

/** Files and packages that an addition needs. */
interface Addition {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Lines to append to a file, which is created if it is missing. */
  readonly lines?: Readonly<Record<string, readonly string[]>>;
  readonly notes?: readonly string[];
  readonly nextSteps: readonly string[];
}

/**
 * Plans the changes of `crosscall init`. Never replaces a file or an entry.
 *
 * @throws {@link InvalidInputError} if there is no project, or its package.json is malformed
 */
export function planInit(facts: ProjectFacts): InitPlan {
  const { read, packageManager } = facts;
  const manifestText = read("package.json");
  const manifest = manifestText === undefined ? {} : readManifest(manifestText);
  const kinds = findKinds(facts, manifest, manifestText !== undefined);
  if (kinds.length === 0) {
    throw new InvalidInputError({
      field: "folder",
      value: undefined,
      reason: "the folder has no package.json, foundry.toml or Hardhat configuration",
      hint: "Pass the folder of your project. For a new project, run `npm create crosscall`.",
    });
  }
  const additions = kinds.map((kind) => additionFor(kind, facts, manifest));
  const files = Object.assign({}, ...additions.map((each) => each.files ?? {})) as Record<string, string>;
  const kept = Object.keys(files).filter((path) => read(path) !== undefined);
  const created = Object.entries(files)
    .filter(([path]) => !kept.includes(path))
    .map(([path, after]): Change => ({ path, action: "create", details: [], after }));
  const lines = Object.entries(
    Object.assign({}, ...additions.map((each) => each.lines ?? {})) as Record<string, readonly string[]>,
  );
  const ignored = read(".gitignore") === undefined ? [] : [[".gitignore", IGNORED] as const];
  return {
    kinds,
    changes: [
      ...planManifest(manifestText, manifest, additions),
      ...created,
      ...[...lines, ...ignored].flatMap(([path, wanted]) => planLines(path, wanted, read)),
    ],
    kept,
    notes: [...additions.flatMap(({ notes = [] }) => notes), ...noteViem(manifest, facts)],
    nextSteps: [
      INSTALL[packageManager],
      ...new Set(additions.flatMap(({ nextSteps }) => nextSteps)),
      ...(additions.some(hasProgram) ? [`${EXECUTE[packageManager]} crosscall doctor`] : []),
    ],
  };
}

function hasProgram({ devDependencies = {} }: Addition): boolean {
  return devDependencies.crosscall !== undefined;
}

function findKinds({ read }: ProjectFacts, manifest: ProjectManifest, hasManifest: boolean): readonly ProjectKind[] {
  const has = (name: string): boolean => CONFIG_ENDS.some((end) => read(`${name}.config.${end}`) !== undefined);
  const ranges = rangesOf(manifest);
  const kinds: ProjectKind[] = [];
  if (ranges.hardhat !== undefined || has("hardhat")) kinds.push(isHardhat2(read, ranges) ? "hardhat2" : "hardhat3");
  if (read("foundry.toml") !== undefined) kinds.push("foundry");
  if (ranges.next !== undefined || has("next")) kinds.push("next");
  else if (ranges.vite !== undefined || has("vite")) kinds.push("vite");
  return kinds.length === 0 && hasManifest ? ["node"] : kinds;
}

function isHardhat2(read: ProjectFacts["read"], { hardhat = "" }: Readonly<Record<string, string>>): boolean {
  const installed = read("node_modules/hardhat/package.json");
  const version = installed === undefined ? undefined : /"version":\s*"(\d+)/u.exec(installed)?.[1];
  const wanted = validRange(hardhat) === null ? undefined : minVersion(hardhat)?.major;
  return (version ?? String(wanted ?? 3)) === "2";
}

function rangesOf({ dependencies, devDependencies, peerDependencies }: ProjectManifest): Record<string, string> {
  return { ...peerDependencies, ...devDependencies, ...dependencies };
}

function additionFor(kind: ProjectKind, facts: ProjectFacts, manifest: ProjectManifest): Addition {
  switch (kind) {
    case "hardhat3":
      return forHardhat3(facts, manifest);
    case "hardhat2":
      return forHardhat2(facts);
    case "foundry":
      return forFoundry(facts);
    case "next":
    case "vite":
    case "node":
      return forApp(facts);
  }
}

function forHardhat3({ read, packageManager, version, viem }: ProjectFacts, manifest: ProjectManifest): Addition {
  const isTyped = read("hardhat.config.ts") !== undefined || read("hardhat.config.mts") !== undefined;
  const ranges = rangesOf(manifest);
  const config = CONFIG_ENDS.map((each) => read(`hardhat.config.${each}`) ?? "").join("\n");
  const isUsed = (name: string): boolean => ranges[name] !== undefined || config.includes(`"${name}"`);
  const runner = RUNNERS.find(([names]) => names.some(isUsed))?.[1];
  const end = isTyped && runner !== undefined ? "ts" : "js";
  const path = `${testFolder(read, "hardhat")}/crosscall.test.${end}`;
  return {
    devDependencies: {
      crosscall: `^${version}`,
      "@crosscall/contracts": `^${version}`,
      "@crosscall/sdk": `^${version}`,
      viem: oldestOf(viem),
      chai: CHAI,
    },
    files: { [path]: hardhatTest({ isTyped: end === "ts", runner: runner ?? "node" }) },
    notes: manifest.type === "module" ? [] : ['Hardhat 3 needs `"type": "module"` in package.json.'],
    // Hardhat runs TypeScript and JavaScript tests only with a plugin.
    nextSteps: [runner === undefined ? `node --test ${path}` : `${EXECUTE[packageManager]} hardhat test ${path}`],
  };
}

/**
 * Returns the files and packages for Hardhat 2. Omits the command line and its test helpers, because they need Hardhat
 * 3.
 */
function forHardhat2({ version, viem }: ProjectFacts): Addition {
  return {
    devDependencies: {
      "@crosscall/contracts": `^${version}`,
      "@crosscall/sdk": `^${version}`,
      viem: oldestOf(viem),
    },
    files: { "scripts/crosscall-quote.mjs": QUOTE_EXAMPLE },
    notes: ["Hardhat 2 can compile the contracts. `crosscall/testing` needs Hardhat 3."],
    nextSteps: [`npx crosscall up${ELSEWHERE}`, "node scripts/crosscall-quote.mjs"],
  };
}

function forFoundry({ read, packageManager, version }: ProjectFacts): Addition {
  const path = `${testFolder(read, "foundry")}/Crosscall.t.sol`;
  const isMapped = (name: string): boolean => read("foundry.toml")?.includes(`${name}/=`) === true;
  const isRepository = read(".git/HEAD") !== undefined;
  const hasForgeStd = read("lib/forge-std/src/Test.sol") !== undefined;
  return {
    devDependencies: {
      "@crosscall/contracts": `^${version}`,
      // pnpm puts only packages that the manifest names at node_modules/<name>.
      ...(packageManager === "pnpm" ? { "@openzeppelin/contracts": OPENZEPPELIN } : {}),
    },
    files: { [path]: FOUNDRY_TEST },
    lines: {
      "remappings.txt": REMAPPED.filter((name) => !isMapped(name)).map((name) => `${name}/=node_modules/${name}/`),
    },
    nextSteps: [
      ...(hasForgeStd ? [] : [`forge install ${isRepository ? "" : "--no-git "}foundry-rs/forge-std`]),
      `forge test --match-path ${path}`,
    ],
  };
}

function forApp({ packageManager, version, viem }: ProjectFacts): Addition {
  return {
    dependencies: { "@crosscall/sdk": `^${version}`, viem: oldestOf(viem) },
    devDependencies: { crosscall: `^${version}` },
    scripts: { "crosscall:up": "crosscall up", "crosscall:quote": "node scripts/crosscall-quote.mjs" },
    files: { "scripts/crosscall-quote.mjs": QUOTE_EXAMPLE },
    nextSteps: [`${packageManager} run crosscall:up${ELSEWHERE}`, `${packageManager} run crosscall:quote`],
  };
}

/** Reads the test folder from the configuration, if the folder is a literal. */
function testFolder(read: ProjectFacts["read"], tool: "foundry" | "hardhat"): string {
  const text =
    tool === "foundry"
      ? (read("foundry.toml") ?? "")
      : CONFIG_ENDS.map((end) => read(`hardhat.config.${end}`) ?? "").join("\n");
  const pattern = tool === "foundry" ? /^\s*test\s*=\s*["']([^"']+)["']/mu : /\btests:\s*["']([^"']+)["']/u;
  const folder = pattern.exec(text)?.[1]?.replace(/^\.\//u, "").replace(/\/+$/u, "");
  return folder === undefined || !/^[\w-][\w./-]*$/u.test(folder) || folder.includes("..") ? "test" : folder;
}

function planManifest(
  text: string | undefined,
  manifest: ProjectManifest,
  additions: readonly Addition[],
): readonly Change[] {
  const known = rangesOf(manifest);
  let after = text ?? '{\n  "private": true\n}\n';
  const details: string[] = [];
  const added = new Set<string>();
  for (const section of ["scripts", "dependencies", "devDependencies"] as const satisfies ManifestSection[]) {
    const taken: Readonly<Record<string, unknown>> = section === "scripts" ? (manifest.scripts ?? {}) : known;
    const wanted = Object.assign({}, ...additions.map((each) => each[section] ?? {})) as Record<string, string>;
    const missing = Object.entries(wanted).filter(([name]) => taken[name] === undefined && !added.has(name));
    if (missing.length === 0) continue;
    for (const [name] of missing) added.add(name);
    after = addEntries(after, section, Object.fromEntries(missing));
    details.push(...missing.map(([name, value]) => `${section}: ${name} ${value}`));
  }
  if (details.length === 0) return [];
  const path = "package.json";
  return [
    text === undefined
      ? { path, action: "create", details, after }
      : { path, action: "edit", details, before: text, after },
  ];
}

function planLines(path: string, wanted: readonly string[], read: ProjectFacts["read"]): readonly Change[] {
  const before = read(path);
  const present = (before ?? "").split(/\r?\n/u).map(keyOf);
  const missing = wanted.filter((line) => !present.includes(keyOf(line)));
  if (missing.length === 0) return [];
  const eol = before?.includes("\r\n") === true ? "\r\n" : "\n";
  const start = before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}${eol}`;
  const after = `${start}${missing.map((line) => `${line}${eol}`).join("")}`;
  return [
    before === undefined
      ? { path, action: "create", details: missing, after }
      : { path, action: "edit", details: missing, before, after },
  ];
}

/** Returns the part that identifies a line: the prefix of a remapping, or an ignored folder's name. */
function keyOf(line: string): string {
  return (line.trim().split("=")[0] ?? "").replaceAll(/^\/|\/$/gu, "");
}

function noteViem(manifest: ProjectManifest, { viem }: ProjectFacts): readonly string[] {
  const range = rangesOf(manifest).viem;
  if (range === undefined || validRange(range) === null || subset(range, viem)) return [];
  return [`viem ${range} in package.json does not match ${viem}, which @crosscall/sdk requires.`];
}

/** Returns a range that installs the newest version with the same major version as the range's minimum. */
function oldestOf(range: string): string {
  return `^${minVersion(range)?.version}`;
}

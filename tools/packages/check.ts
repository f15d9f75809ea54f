// Packs the packages, installs each in an empty folder, and uses it as an integrator would. Prints sizes. `npm run
// check:packages` builds first. Requires the registry. `--apps` checks only the example app and the templates of `npm
// create crosscall`, and `--packages` everything else.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import { gzipSync } from "node:zlib";

import chromium from "@sparticuz/chromium";
import { build } from "esbuild";

import { toTable } from "../../bench/table.ts";
import { releaseRecords } from "../reference/deployments.ts";
import { checkPeers } from "./checkPeers.ts";
import { checkTemplates } from "./checkTemplates.ts";
import { findUnwanted } from "./packedFiles.ts";
import { brokenLinks } from "./readmeLinks.ts";
import { packAll, type PackageName, type Tarballs } from "./packAll.ts";
import { BUILT_PACKAGES as BUILT, PUBLISHED_PACKAGES, ROOT } from "./publishedPackages.ts";

const MEGABYTE = 1024 * 1024;

/** Folder for the lists of installed packages. */
const SBOMS = join(ROOT, "dist/sbom");

/** Oldest supported release of each major version. */
const NODES = ["20.19.0", "22.13.0", "24.11.0"];

const OLDEST_NODE_OF_CREATE = "20.12.0";

const { peerDependencies: PEERS } = JSON.parse(
  await readFile(join(ROOT, "packages/crosscall/package.json"), "utf8"),
) as {
  readonly peerDependencies: Readonly<Record<"@nomicfoundation/ignition-core" | "hardhat" | "viem", string>>;
};

/** Oldest version in the peer dependency range. */
const OLDEST_VIEM = /[\d.]+/u.exec(PEERS.viem)?.[0] ?? "";

/** Maximum installation size in bytes, without peer dependencies. */
const SIZE_BARS: Readonly<Record<string, number>> = {
  "@crosscall/contracts": 10 * MEGABYTE,
  "@crosscall/protocol": 6 * MEGABYTE,
  "@crosscall/sdk": 6 * MEGABYTE,
  "@crosscall/oracle": 60 * MEGABYTE,
  crosscall: 250 * MEGABYTE,
};

/** Maximum number of installed packages, without peer dependencies. */
const COUNT_BARS: Readonly<Record<string, number>> = { "@crosscall/oracle": 75, crosscall: 125 };

/** Packages that an installation must not contain, by installed package. */
const UNWANTED: Readonly<Record<string, RegExp>> = {
  "@crosscall/oracle":
    /^(?:hardhat|@nomicfoundation\/.*|@electric-sql\/.*|pg|pg-boss|kysely|typescript|@aws-sdk\/.*)$/u,
  crosscall:
    /^(?:hardhat|typescript|@aws-sdk\/.*|@smithy\/.*|@modelcontextprotocol\/sdk|@nomicfoundation\/(?!edr).*|ethers)$/u,
};

const PACKAGES = PUBLISHED_PACKAGES.map(({ name }) => name);

/** TypeScript 7 is five times as fast. */
const COMPILERS = {
  native: {
    module: "node20",
    moduleResolution: "node16",
    program: join(ROOT, "node_modules/@typescript/native-preview/bin/tsgo"),
    files: ["types.mts", "types.cts"],
  },
  typescript: {
    module: "esnext",
    moduleResolution: "bundler",
    program: join(ROOT, "node_modules/typescript/bin/tsc"),
    files: ["types.ts"],
  },
} as const;

interface TypeOptions {
  readonly skipLibCheck: boolean;
  readonly compilers?: readonly (keyof typeof COMPILERS)[];
}

/** Program that loads a page of the console and of the API's documentation with their styles and scripts. */
const OPEN_CONSOLE = `
import { localnet } from "crosscall/localnet";
const network = await localnet({ oracle: false });
const load = async (url) => {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok || text === "") throw new Error(url + " returned " + response.status);
  return text;
};
try {
  const files = [...(await load(network.consoleUrl)).matchAll(/(?:src|href)="(\\/console\\/assets\\/[^"]+)"/gu)];
  if (files.length !== 4) throw new Error("the page has " + files.length + " files");
  for (const path of ["", "/static/swagger-ui.css", "/static/swagger-ui-bundle.js"]) {
    await load(network.url + "/documentation" + path);
  }
  for (const [, path] of files) await load(network.url + path);
} finally {
  await network.close();
}
`;

/** Program that fills calls with the Hardhat plugin as in a Mocha test, but without Chai. */
const FILL_CALLS = `
import { network } from "hardhat";
globalThis.describe = () => undefined;
const { crosscall } = await network.create();
const { router } = await crosscall.placeContracts();
const txs = [{ to: router, data: "0x12345678", value: "0" }];
const recipient = "0x1111111111111111111111111111111111111111";
const plan = { txs, recipient, destinationCurrency: "0x0000000000000000000000000000000000000000" };
const { verdict } = await crosscall.fill(plan, { amount: 1n });
if (verdict.txIndex !== 0) throw new Error(JSON.stringify(verdict));
`;

const HARDHAT_CONFIG = `
import crosscall from "crosscall/hardhat";
export default { plugins: [crosscall] };
`;

const execute = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "crosscall-packages-"));
const faults: string[] = [];
const sizes: string[][] = [["package", "packages", "MB", "with peers", "MB"]];
const nodePrograms = new Map<string, Promise<string>>();
try {
  const tarballs = await packAll(folder);
  if (!process.argv.includes("--apps")) {
    await checkManifests(tarballs);
    await checkSolidity(tarballs);
    await checkHardhat2(tarballs);
    await checkProtocol(tarballs);
    await checkSdk(tarballs);
    await checkOracle(tarballs);
    await checkProgram(tarballs);
    await checkCreate(tarballs);
    await checkPeers({ tarballs, startProject, install, expectSuccess });
    console.log(toTable(sizes));
  }
  if (!process.argv.includes("--packages")) {
    // Both use the same port.
    await checkWebApp(tarballs);
    faults.push(...(await checkTemplates({ folder, tarballs, node: await nodeProgram("22") })));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const fault of faults) console.error(`FAILED: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

async function checkManifests(tarballs: Tarballs): Promise<void> {
  for (const name of PACKAGES) {
    await expectSuccess(`publint ${name}`, "publint", ["run", "--strict", tarballs[name]]);
    const inner = await startProject(`files-${basename(tarballs[name])}`);
    await execute("tar", ["-xzf", tarballs[name], "-C", inner]);
    await checkFiles(name, join(inner, "package"));
  }
  // "Are the types wrong?" does not know that all supported versions of Node.js can require ES modules.
  for (const name of PACKAGES.filter((other) => other !== "create-crosscall")) {
    const entries = name === "@crosscall/contracts" ? ["--entrypoints", "./abi"] : [];
    await expectSuccess(`attw ${name}`, "attw", ["--profile", "esm-only", tarballs[name], ...entries]);
  }
}

/** Checks the files of a package in the form in which npm publishes them. */
async function checkFiles(name: PackageName, packed: string): Promise<void> {
  const entries = await readdir(packed, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async (path) => ({ path: relative(packed, path), content: await readFile(path) })),
  );
  const readme = files.find(({ path }) => path === "README.md")?.content.toString() ?? "[missing](README.md)";
  const own = [
    ...findUnwanted(files, [ROOT, `${homedir()}/`]),
    ...brokenLinks(readme).map((link) => `README.md links to ${link}`),
    ...(files.some(({ path }) => path === "LICENSE") ? [] : ["LICENSE is missing"]),
  ];
  faults.push(...own.map((fault) => `${name}: ${fault}`));
}

/** Lists a package and its dependencies among the kit's packages, which are not in the registry yet. */
async function tarballsFor(name: PackageName, tarballs: Tarballs): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(join(BUILT, name, "package.json"), "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const needed = PACKAGES.filter((other) => manifest.dependencies?.[other] !== undefined);
  const inner = await Promise.all(needed.map((other) => tarballsFor(other, tarballs)));
  return [...new Set([...inner.flat(), tarballs[name]])];
}

/**
 * Installs a package in an empty project, and lists the contents in CycloneDX format. Adds the size without the peers to
 * the table.
 */
async function installMeasured(project: string, name: PackageName, tarballs: Tarballs): Promise<void> {
  await install(project, await tarballsFor(name, tarballs));
  const sbom = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"];
  const { stdout } = await execute("npm", sbom, { cwd: project, maxBuffer: 64 * MEGABYTE });
  await mkdir(SBOMS, { recursive: true });
  await writeFile(join(SBOMS, `${name.replace("@", "").replace("/", "-")}.cdx.json`), stdout);

  const lock = JSON.parse(await readFile(join(project, "node_modules/.package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly peer?: true }>>;
  };
  const all = Object.keys(lock.packages);
  const own = all.filter((path) => lock.packages[path]?.peer === undefined);
  const sizesOfAll = new Map(
    await Promise.all(all.map(async (path) => [path, await sizeOf(join(project, path))] as const)),
  );
  const sum = (paths: readonly string[]): number =>
    paths.reduce((total, path) => total + (sizesOfAll.get(path) ?? 0), 0);
  const bar = SIZE_BARS[name];
  if (bar !== undefined && sum(own) > bar) faults.push(`${name} installs ${toMegabytes(sum(own))} MB`);
  if (own.length > (COUNT_BARS[name] ?? own.length)) faults.push(`${name} installs ${own.length} packages`);
  const names = own.map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
  const unwanted = names.filter((installed) => UNWANTED[name]?.test(installed) === true);
  if (unwanted.length > 0) faults.push(`${name} installs ${unwanted.join(", ")}`);
  sizes.push([name, String(own.length), toMegabytes(sum(own)), String(all.length), toMegabytes(sum(all))]);
}

async function checkSolidity(tarballs: Tarballs): Promise<void> {
  const project = await startProject("solidity");
  await installMeasured(project, "@crosscall/contracts", tarballs);
  await cp(join(ROOT, "examples"), project, { recursive: true, filter: isNoApp });
  const source = await readFile(join(project, "MintProxy.sol"), "utf8");
  await writeFile(
    join(project, "compile.cjs"),
    `const solc = require(${JSON.stringify(join(ROOT, "node_modules/solc"))});
const { existsSync, readFileSync } = require("node:fs");
const read = (path) => [path, "node_modules/" + path].find((file) => existsSync(file));
const input = {
  language: "Solidity",
  sources: { "MintProxy.sol": { content: ${JSON.stringify(source)} } },
  settings: { evmVersion: "cancun", outputSelection: { "*": { "*": ["abi"] } } },
};
const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input), {
  import: (path) => ({ contents: readFileSync(read(path), "utf8") }),
}));
for (const { severity, formattedMessage } of errors) if (severity === "error") console.error(formattedMessage);
process.exitCode = contracts?.["MintProxy.sol"]?.MintProxy === undefined ? 1 : 0;
`,
  );
  await expectSuccess("examples/MintProxy.sol", process.execPath, ["compile.cjs"], project);
  await checkRecords(project);
}

async function checkRecords(project: string): Promise<void> {
  const packed = join(project, "node_modules/@crosscall/contracts/deployments");
  for (const record of await releaseRecords()) {
    const text = await readFile(join(packed, `${record.chainId}.json`), "utf8").catch(() => "null");
    if (!isDeepStrictEqual(JSON.parse(text), record))
      faults.push(`deployments/${record.chainId}.json differs from the computed record`);
  }
  const record = 'if (require("@crosscall/contracts/deployments/8453.json").chainId !== 8453) throw new Error("other")';
  await expectSuccess("a deployment record", process.execPath, ["-e", record], project);
}

/** Compiles and tests custom proxies with Hardhat 2 and its toolbox. */
async function checkHardhat2(tarballs: Tarballs): Promise<void> {
  const project = await startProject("hardhat2");
  const needed = ["hardhat@2", "@nomicfoundation/hardhat-toolbox@6", "solc@0.8.28"];
  await install(project, [tarballs["@crosscall/contracts"], ...needed]);
  const outside = join(ROOT, "test/support/outside");
  await cp(join(outside, "hardhat2"), project, { recursive: true });
  for (const sources of [join(outside, "src"), join(ROOT, "examples")]) {
    await cp(sources, join(project, "src"), { recursive: true, filter: isNoApp });
  }
  await expectSuccess("Hardhat 2", "node_modules/.bin/hardhat", ["test"], project);
}

/** Uses the newest viem, which npm installs as a peer dependency. `checkSdk` also uses the oldest. */
async function checkProtocol(tarballs: Tarballs): Promise<void> {
  const project = await startProject("protocol");
  await installMeasured(project, "@crosscall/protocol", tarballs);
  await checkLoads("protocol", project, await nodeProgram(NODES[0] ?? ""), await protocolEntries());
}

async function protocolEntries(): Promise<readonly string[]> {
  return (await entriesOf("@crosscall/protocol")).filter((entry) => !entry.endsWith("/complete"));
}

async function checkSdk(tarballs: Tarballs): Promise<void> {
  const entries = await entriesOf("@crosscall/sdk");
  const all = [...entries, ...(await protocolEntries()), "@crosscall/contracts/abi"];

  const oldest = await startProject("sdk-oldest");
  const needed = [...(await tarballsFor("@crosscall/sdk", tarballs)), tarballs["@crosscall/contracts"]];
  await install(oldest, [...needed, `viem@${OLDEST_VIEM}`]);
  for (const node of NODES) {
    await checkLoads(`SDK, viem ${OLDEST_VIEM}, Node.js ${node}`, oldest, await nodeProgram(node), all);
  }
  await checkTypes(`SDK, viem ${OLDEST_VIEM}`, oldest, all, { skipLibCheck: false, compilers: ["native"] });

  // npm installs the newest viem as a peer dependency.
  const newest = await startProject("sdk");
  await installMeasured(newest, "@crosscall/sdk", tarballs);
  for (const node of NODES) await checkLoads(`SDK, Node.js ${node}`, newest, await nodeProgram(node), entries);
  const typed = [...entries, ...(await protocolEntries())];
  await checkTypes("SDK", newest, typed, { skipLibCheck: false, compilers: ["typescript"] });
  await checkOtherRuntimes(newest, entries);
  await checkBundles(newest, entries);
}

/** Starts the oracle without a configuration, and requires that it reports the missing settings. */
async function checkOracle(tarballs: Tarballs): Promise<void> {
  const project = await startProject("oracle");
  await installMeasured(project, "@crosscall/oracle", tarballs);
  const entries = await entriesOf("@crosscall/oracle");
  for (const node of NODES.slice(1)) {
    // The entry uses top-level await, so it cannot be required.
    const imports = entries.map(
      (entry) => `if (Object.keys(await import("${entry}")).length === 0) throw new Error();`,
    );
    await expectSuccess(
      `imports (oracle, Node.js ${node})`,
      await nodeProgram(node),
      ["--input-type=module", "-e", imports.join("\n")],
      project,
    );
    const command = [join(project, "node_modules/@crosscall/oracle/dist/main.js")];
    const started = await execute(await nodeProgram(node), command, {
      cwd: project,
      env: { PATH: process.env.PATH },
    }).catch((error: unknown) => error as { readonly stdout: string; readonly stderr: string });
    if (!`${started.stdout}${started.stderr}`.includes("ENVIRONMENT")) {
      faults.push(`the oracle on Node.js ${node} does not report the missing settings: ${started.stderr}`);
    }
  }
  await checkTypes("oracle", project, entries, { skipLibCheck: true });
}

async function checkProgram(tarballs: Tarballs): Promise<void> {
  const project = await startProject("crosscall");
  await installMeasured(project, "crosscall", tarballs);
  // The others need optional peers.
  const entries = (await entriesOf("crosscall")).filter((entry) => !/^crosscall\/(?:hardhat|testing)/u.test(entry));
  for (const node of NODES.slice(1)) {
    const program = await nodeProgram(node);
    await checkLoads(`crosscall, Node.js ${node}`, project, program, entries);
    // As with npx, the folder has no package.json.
    const elsewhere = await mkdtemp(join(tmpdir(), "crosscall-elsewhere-"));
    const demo = [join(project, "node_modules/.bin/crosscall"), "demo", "--json"];
    await expectSuccess(`demo, Node.js ${node}`, program, demo, elsewhere);
    await rm(elsewhere, { recursive: true });
    const explain = ["node_modules/.bin/crosscall", "explain", "INVALID_INPUT"];
    await expectSuccess(`explain, Node.js ${node}`, program, explain, project);
    await expectSuccess(`console, Node.js ${node}`, program, ["--input-type=module", "-e", OPEN_CONSOLE], project);
    for (const chainId of ["8453", "167000"]) {
      // Fails if the packed records and contracts differ.
      const dryRun = ["node_modules/.bin/crosscall", "deploy", "--dry-run", "--chain-id", chainId];
      await expectSuccess(`deploy to ${chainId}, Node.js ${node}`, program, dryRun, project);
    }
  }
  await checkOnDemand(project);
  await install(project, [
    `hardhat@${PEERS.hardhat}`,
    `@nomicfoundation/ignition-core@${PEERS["@nomicfoundation/ignition-core"]}`,
  ]);
  const pluginEntries = ["crosscall/hardhat", "crosscall/hardhat/ignition"];
  await checkLoads("crosscall with Hardhat", project, process.execPath, pluginEntries);
  await checkTypes("crosscall", project, [...entries, ...pluginEntries], { skipLibCheck: true });
  await checkHardhatPlugin(project);
  const sample = await readdir(join(project, "node_modules/crosscall/configs")).catch((): string[] => []);
  if (!sample.includes("chains.mainnet.json")) faults.push("crosscall contains no sample chain files of an oracle");
}

/** Commands that need an optional package must report it before they do anything. */
async function checkOnDemand(project: string): Promise<void> {
  const crosscall = join(project, "node_modules/.bin/crosscall");
  for (const [needed, ...args] of [
    ["hardhat @nomicfoundation/hardhat-verify@3", "deploy", "--dry-run", "--verify", "--explorer-key", "key"],
    ["@nomicfoundation/ignition-core@3", "deploy", "--private-key", `0x${"1".repeat(64)}`],
    ["typescript", "migrate", "report", "."],
    ["@modelcontextprotocol/sdk", "mcp"],
  ] as const) {
    const { stderr } = await execute(process.execPath, [crosscall, ...args], { cwd: project }).catch(
      (error: unknown) => error as { readonly stderr: string },
    );
    if (!stderr.includes(`npm install --save-dev ${needed}`))
      faults.push(`${args[0]} does not name ${needed}: ${stderr}`);
  }
}

async function checkHardhatPlugin(project: string): Promise<void> {
  const inner = join(project, "plugin");
  await mkdir(inner);
  await writeFile(join(inner, "package.json"), JSON.stringify({ name: "integrator", type: "module" }));
  await writeFile(join(inner, "hardhat.config.js"), HARDHAT_CONFIG);
  await writeFile(join(inner, "fill.js"), FILL_CALLS);
  const hardhat = join(project, "node_modules/hardhat/dist/src/cli.js");
  await expectSuccess("Hardhat plugin", process.execPath, [hardhat, "run", "fill.js", "--no-compile"], inner);
  await expectSuccess(
    "task of the Hardhat plugin",
    process.execPath,
    [hardhat, "crosscall", "deploy", "--help"],
    inner,
  );
}

/** Requires that the command starts with every supported version of Node.js and rejects an older version. */
async function checkCreate(tarballs: Tarballs): Promise<void> {
  const project = await startProject("create");
  await installMeasured(project, "create-crosscall", tarballs);
  const command = "node_modules/create-crosscall/dist/main.js";
  for (const node of [OLDEST_NODE_OF_CREATE, ...NODES]) {
    const folderName = `my-${node}`;
    const args = [command, folderName, "--template", "backend"];
    await expectSuccess(`create-crosscall, Node.js ${node}`, await nodeProgram(node), args, project);
    const files = await readdir(join(project, folderName)).catch((): string[] => []);
    if (!files.includes(".gitignore")) faults.push(`create-crosscall on Node.js ${node} writes ${files.join(", ")}`);
  }
  const old = await execute(await nodeProgram("18.20.0"), [command, "--help"], { cwd: project }).catch(
    (error: unknown) => error as { readonly stderr: string },
  );
  if (!/^Failed: .*18\.20\.0/u.test(old.stderr)) faults.push(`create-crosscall on Node.js 18: ${old.stderr}`);
}

/** Installs the example app with the pinned versions, adds the packages, and runs its tests in a browser. */
async function checkWebApp(tarballs: Tarballs): Promise<void> {
  const project = join(folder, "web");
  await cp(join(ROOT, "examples/web"), project, { recursive: true, filter: isSource });
  const options = ["--no-package-lock", "--no-save", "--ignore-scripts", "--prefer-offline", "--loglevel=error"];
  for (const added of [[], await tarballsFor("crosscall", tarballs)]) {
    await execute("npm", ["install", ...options, ...added], { cwd: project, maxBuffer: 64 * MEGABYTE });
  }
  const executable = await chromium.executablePath();
  // Playwright and Chromium leave temporary files.
  await expectSuccess("examples/web", "npm", ["test"], project, { CHROMIUM_PATH: executable, TMPDIR: folder });
}

function isSource(path: string): boolean {
  return !/^(?:node_modules|dist|test-results)$/u.test(basename(path));
}

/** Whether an example is not an app: only Solidity examples are compiled. */
function isNoApp(path: string): boolean {
  return !path.startsWith(join(ROOT, "examples/web"));
}

async function checkLoads(name: string, project: string, node: string, entries: readonly string[]): Promise<void> {
  const check = (load: string): string =>
    entries
      .map((entry) => `if (Object.keys(${load}("${entry}")).length === 0) throw new Error("${entry}");`)
      .join("\n");
  const imports = ["--input-type=module", "-e", check("await import")];
  await expectSuccess(`imports (${name})`, node, imports, project);
  await expectSuccess(`requires (${name})`, node, ["-e", check("require")], project);
}

async function checkOtherRuntimes(project: string, entries: readonly string[]): Promise<void> {
  const runtimes = await startProject("runtimes");
  await install(runtimes, ["bun@1", "deno@2"]);
  const [bun = "", deno = ""] = ["bun", "deno"].map((name) => join(runtimes, "node_modules/.bin", name));
  const imports = entries.map(
    (entry) => `if (Object.keys(await import("${entry}")).length === 0) throw new Error("${entry}");\n`,
  );
  await writeFile(join(project, "load.mjs"), imports.join(""));
  await expectSuccess("imports in Bun", bun, ["load.mjs"], project);
  await expectSuccess("imports in Deno", deno, ["run", "-A", "--node-modules-dir=manual", "load.mjs"], project);
}

/** Checks the types as Node.js resolves them with TypeScript 7, or as bundlers do with TypeScript 6. */
async function checkTypes(
  name: string,
  project: string,
  entries: readonly string[],
  { skipLibCheck, compilers = ["native", "typescript"] }: TypeOptions,
): Promise<void> {
  const imports = entries.map((entry, index) => `import * as entry${index} from "${entry}";\nvoid entry${index};\n`);
  for (const { module, moduleResolution, program, files } of compilers.map((compiler) => COMPILERS[compiler])) {
    for (const file of files) await writeFile(join(project, file), imports.join(""));
    const compilerOptions = {
      target: "es2022",
      lib: ["es2023", "dom"],
      module,
      moduleResolution,
      strict: true,
      skipLibCheck,
      noEmit: true,
      types: skipLibCheck ? ["node"] : [],
      typeRoots: [join(ROOT, "node_modules/@types")],
    };
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    await expectSuccess(`types, ${module} (${name})`, process.execPath, [program, "-p", "."], project);
  }
}

async function checkBundles(project: string, entries: readonly string[]): Promise<void> {
  const rows: string[][] = [["entry point", "gzipped bytes, without viem"]];
  for (const entry of entries) {
    const { outputFiles } = await build({
      stdin: { contents: `export * from "${entry}"`, resolveDir: project },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      external: ["viem", "viem/*"],
      write: false,
      logLevel: "silent",
    });
    rows.push([entry, String(gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length)]);
  }
  console.log(toTable(rows));
}

async function startProject(name: string): Promise<string> {
  const project = join(folder, name);
  await mkdir(project);
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name: "integrator", version: "1.0.0", type: "commonjs" }),
  );
  return project;
}

async function install(project: string, names: readonly string[]): Promise<void> {
  const options = ["--omit=dev", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await execute("npm", ["install", ...options, ...names], { cwd: project });
}

function nodeProgram(version: string): Promise<string> {
  const known = nodePrograms.get(version) ?? installNode(version);
  nodePrograms.set(version, known);
  return known;
}

async function installNode(version: string): Promise<string> {
  const project = await startProject(`node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  await install(project, [`${name}@${version}`]);
  return join(project, "node_modules", name, "bin/node");
}

async function entriesOf(name: PackageName): Promise<readonly string[]> {
  const { exports } = JSON.parse(await readFile(join(BUILT, name, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.keys(exports)
    .filter((path) => !path.includes("*") && !path.endsWith(".json"))
    .map((path) => join(name, path));
}

async function expectSuccess(
  what: string,
  program: string,
  args: readonly string[],
  cwd: string = folder,
  variables: NodeJS.ProcessEnv = {},
): Promise<void> {
  console.error(`${what}...`);
  const env = {
    ...process.env,
    ...variables,
    NODE_OPTIONS: "",
    PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`,
  };
  try {
    await execute(program, args, { cwd, env, maxBuffer: 64 * MEGABYTE });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    faults.push(`${what}\n${stdout ?? ""}${stderr ?? String(error)}`);
  }
}

/** Adds the sizes of a package's files, without the packages inside it. */
async function sizeOf(path: string): Promise<number> {
  const entries = (await readdir(path, { withFileTypes: true })).filter(({ name }) => name !== "node_modules");
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) return sizeOf(inner);
      return entry.isFile() ? (await stat(inner)).size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function toMegabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}

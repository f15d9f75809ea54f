// Reports the public API in snapshots/api/: declarations of every entry point, and ABIs. `--check` writes nothing. It fails if
// a report is out of date, or if the API changed since the last release by more than the changesets allow.
import { execFile } from "node:child_process";
import { glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { Interface, type InterfaceAbi } from "ethers";

import { ROOT, TEST_CONTRACTS } from "../packages/publishedPackages.ts";
import { type ApiReports, compareReports } from "./compareReports.ts";
import { decideRelease, readChangesets } from "./releaseLevel.ts";
import { readLastRelease, REPORTS_FOLDER } from "./lastRelease.ts";

interface EntryPoint {
  /** Name in the report. */
  readonly name: string;
  /** Path of its source in the checkout. */
  readonly source: string;
}

const execute = promisify(execFile);

/** In the checkout, so that the declarations find their dependencies. */
const DECLARATIONS = join(ROOT, ".crosscall/api");

const REPORTS = join(DECLARATIONS, "reports");

/** Packages with declarations: name of the report, and folder. */
const LIBRARIES = [
  { report: "sdk", folder: "sdk" },
  { report: "crosscall", folder: "." },
] as const;

const COMPILER_OPTIONS = {
  target: "es2024",
  lib: ["es2024", "esnext.disposable", "dom"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
};

const reports = await writeReports();
const faults: string[] = [];
if (process.argv.includes("--check")) {
  for (const [file, report] of Object.entries(reports)) {
    const existing = await readFile(join(ROOT, REPORTS_FOLDER, file), "utf8").catch(() => "");
    if (existing !== report) faults.push(`${REPORTS_FOLDER}/${file} is out of date: run \`npm run snapshot:api\``);
  }
  faults.push(...(await checkLevel(reports)));
} else {
  await mkdir(join(ROOT, REPORTS_FOLDER), { recursive: true });
  for (const [file, report] of Object.entries(reports)) await writeFile(join(ROOT, REPORTS_FOLDER, file), report);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

async function writeReports(): Promise<ApiReports> {
  const libraries = await Promise.all(
    LIBRARIES.map(async ({ report, folder }) => ({ report, folder, entries: await readEntryPoints(folder) })),
  );
  await rm(DECLARATIONS, { recursive: true, force: true });
  await mkdir(REPORTS, { recursive: true });
  // One by one: the compiler emits nothing for a package that another one imports.
  for (const { entries } of libraries) await emitDeclarations(entries.map(({ source }) => source));
  for (const { report, entries } of libraries) {
    const lines = entries.map(({ name, source }) => `export * as ${name} from "./${source}";\n`);
    await writeFile(join(DECLARATIONS, `${report}.d.ts`), lines.join(""));
  }
  const configs = libraries.map(({ report, folder }) => ({
    file: reportFile(report),
    config: toConfig(report, folder),
  }));
  const [first, ...others] = configs.map(({ config }) => config);
  if (first === undefined) throw new Error("there are no libraries");
  const compilerState = CompilerState.create(first, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  const reports: Record<string, string> = { [reportFile("contracts")]: await reportContracts() };
  for (const { file, config } of configs) {
    const { succeeded } = Extractor.invoke(config, {
      localBuild: true,
      compilerState,
      messageCallback: (message) => {
        if (message.logLevel === ExtractorLogLevel.Error) console.error(message.text);
        message.handled = true;
      },
    });
    if (!succeeded) throw new Error(`API Extractor failed for ${file}`);
    const text = await readFile(join(REPORTS, file), "utf8");
    if (/^import .* '\./mu.test(text)) throw new Error(`${file} lacks declarations: it imports a file`);
    reports[file] = text.replaceAll(/^ *\/\/ \(undocumented\)\n/gmu, "");
  }
  await rm(DECLARATIONS, { recursive: true });
  return reports;
}

function reportFile(name: string): string {
  return `${name}.api.md`;
}

async function readEntryPoints(folder: string): Promise<readonly EntryPoint[]> {
  const manifest = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  return Object.entries(manifest.exports)
    .filter(([path, file]) => file.endsWith(".ts") && !path.includes("*") && !path.endsWith("/register"))
    .map(([path, file]) => ({
      name: path === "." ? "index" : path.slice(2).replaceAll("/", "_"),
      source: join(folder, file),
    }));
}

async function emitDeclarations(sources: readonly string[]): Promise<void> {
  const compiler = join(ROOT, "node_modules/@typescript/native-preview/bin/tsgo");
  const { lib, types, ...options } = COMPILER_OPTIONS;
  await execute(
    process.execPath,
    [compiler, "--ignoreConfig", "--noCheck", "--declaration", "--emitDeclarationOnly", "--singleThreaded"]
      .concat(["--rewriteRelativeImportExtensions", "--rootDir", ".", "--outDir", DECLARATIONS])
      .concat(["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"])
      .concat(["--lib", lib.join(","), "--types", types.join(",")])
      .concat(Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]))
      .concat(sources),
    { cwd: ROOT },
  );
}

/** One report for all entry points of a package, which share most of their types. */
function toConfig(report: string, folder: string): ExtractorConfig {
  const files = LIBRARIES.map((library) => join(DECLARATIONS, `${library.report}.d.ts`));
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(ROOT, folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: join(DECLARATIONS, `${report}.d.ts`),
      newlineKind: "lf",
      compiler: {
        overrideTsconfig: {
          compilerOptions: { ...COMPILER_OPTIONS, noEmit: true, allowImportingTsExtensions: true },
          files,
        },
      },
      apiReport: {
        enabled: true,
        // Types without an export are part of the API that refers to them.
        includeForgottenExports: true,
        reportFileName: reportFile(report),
        reportFolder: REPORTS,
        reportTempFolder: join(DECLARATIONS, "temporary"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
}

/** The ABIs of @crosscall/contracts. */
async function reportContracts(): Promise<string> {
  const blocks: string[] = [];
  for await (const path of glob("artifacts/contracts/**/*.sol/*.json", { cwd: ROOT })) {
    if (TEST_CONTRACTS.test(path)) continue;
    const { contractName, abi } = JSON.parse(await readFile(join(ROOT, path), "utf8")) as {
      readonly contractName: string;
      readonly abi: InterfaceAbi;
    };
    const items = new Interface(abi).format().toSorted();
    if (items.length > 0)
      blocks.push([`contract ${contractName} {`, ...items.map((item) => `    ${item}`), "}"].join("\n"));
  }
  const head = '## API Report File for "@crosscall/contracts"\n\n> Do not edit this file. It lists the ABIs.';
  return `${head}\n\n\`\`\`solidity\n\n${blocks.toSorted().join("\n\n")}\n\n\`\`\`\n`;
}

/** Compares with the reports of the last release. */
async function checkLevel(current: ApiReports): Promise<readonly string[]> {
  const last = await readLastRelease(ROOT);
  if (last === undefined) {
    console.log("The release level was not checked: Git has no tag of a release, as in a shallow clone.");
    return [];
  }
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { readonly version: string };
  const changes = compareReports(last.reports, current);
  const changesets = await readChangesets(ROOT);
  const { needed, planned, isAllowed } = decideRelease({ released: last.version, version, changesets, changes });
  if (isAllowed) return [];
  return [
    ...changes.removed.map((line) => `- ${line}`),
    ...changes.added.map((line) => `+ ${line}`),
    `The API changed since ${last.version}, which needs a ${needed} release, but ${planned === undefined ? "none" : `a ${planned} release`} is planned: run \`npm run changeset\``,
  ];
}

// Reports the public API in dist/api/: declarations of every supported entry point, and ABIs. `npm run report:api` builds
// first; CI prints how a pull request changes the reports.
import { glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { Interface, type InterfaceAbi } from "ethers";

import { TEST_CONTRACTS } from "./packages/publishedPackages.ts";
import { PUBLISHED_PACKAGES, ROOT } from "./packages/publishedPackages.ts";
import { ENTRY_POINTS } from "./reference/sources.ts";

const REPORTS = join(ROOT, "dist/api");

/** Build output outside of `node_modules`, because API Extractor omits files in `node_modules`. */
const COMPILED = join(ROOT, "dist/compiled");

const IMPORT_TYPE = /import\("typebox"\)\.(\w+)/gu;
const IMPORTED_TYPES = /^import type \{ (.*) \} from "typebox";$/gmu;

const SUFFIX = ".api.md";

const libraries = await Promise.all(PUBLISHED_PACKAGES.map(readLibrary));
/** Declarations of all packages, because packages refer to each other's declarations. */
const paths = Object.assign({}, ...libraries.map(({ declarations }) => declarations)) as Record<string, [string]>;
const reported = libraries.filter(({ entries }) => entries.length > 0);

await hoistImportTypes();
await rm(REPORTS, { recursive: true, force: true });
await mkdir(join(REPORTS, "temporary"), { recursive: true });
for (const { main, entries } of reported) await writeFile(main, entries.join(""));
const configs = reported.map(toConfig);
const [first] = configs;
if (first === undefined) throw new Error("there are no libraries");
const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
const compilerState = CompilerState.create(first, { additionalEntryPoints });
for (const [index, config] of configs.entries()) {
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    compilerState,
    messageCallback: (message) => {
      if (message.logLevel === ExtractorLogLevel.Error) console.error(message.text);
      message.handled = true;
    },
  });
  const file = join(REPORTS, `${reported[index]?.report}${SUFFIX}`);
  const text = await readFile(file, "utf8");
  if (!succeeded || /^import .* '(?:\.\/|@?crosscall)/mu.test(text)) throw new Error(`${file} lacks declarations`);
  await writeFile(file, text.replaceAll(/^ *\/\/ \(undocumented\)\n/gmu, ""));
}
await writeFile(join(REPORTS, `contracts${SUFFIX}`), await reportContracts());
await rm(join(REPORTS, "temporary"), { recursive: true });

interface Library {
  readonly folder: string;
  /** Name of the library's report. */
  readonly report: string;
  /** File that exports all supported entry points, which share most of their types. */
  readonly main: string;
  readonly entries: readonly string[];
  /** Declaration files by import name. */
  readonly declarations: Readonly<Record<string, [string]>>;
}

/**
 * Replaces `import("typebox").TObject<…>` in declarations with an imported name, because the time of API Extractor
 * doubles with every nested import type.
 */
async function hoistImportTypes(): Promise<void> {
  for await (const path of glob("packages/*/src/**/*.d.ts", { cwd: COMPILED })) {
    const file = join(COMPILED, path);
    const text = await readFile(file, "utf8");
    const hoisted = text.replaceAll(IMPORT_TYPE, "$1");
    if (hoisted === text) continue;
    const used = new Set([...text.matchAll(IMPORT_TYPE)].map(([, name = ""]) => name));
    const imported = [...text.matchAll(IMPORTED_TYPES)].flatMap(([, names = ""]) => names.split(/, ?/u));
    const missing = [...used].filter((name) => !imported.includes(name));
    await writeFile(file, `import type { ${missing.join(", ")} } from "typebox";\n${hoisted}`);
  }
}

async function readLibrary({ name, folder }: (typeof PUBLISHED_PACKAGES)[number]): Promise<Library> {
  const { exports = {} } = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")) as {
    readonly exports?: Readonly<Record<string, unknown>>;
  };
  const declarations = Object.entries(exports).flatMap(([path, file]): [string, [string]][] =>
    typeof file === "string" && file.endsWith(".ts")
      ? [[`${name}${path.slice(1)}`, [join(COMPILED, folder, file.replace(/\.ts$/u, ".d.ts"))]]]
      : [],
  );
  const entries = declarations
    .filter(([entry]) => entry in ENTRY_POINTS && !entry.endsWith("/register"))
    .map(
      ([entry, [file]]) =>
        `export * as ${entry.slice(name.length + 1).replaceAll("/", "_") || "index"} from "${file}";\n`,
    );
  const report = basename(folder);
  return {
    folder,
    report,
    main: join(COMPILED, `${report}.d.ts`),
    entries,
    declarations: Object.fromEntries(declarations),
  };
}

function toConfig({ folder, report, main }: Library): ExtractorConfig {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(ROOT, folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: main,
      newlineKind: "lf",
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "es2024",
            lib: ["es2024", "esnext.disposable", "dom"],
            module: "nodenext",
            types: ["node"],
            strict: true,
            skipLibCheck: true,
            noEmit: true,
            allowImportingTsExtensions: true,
            paths,
          },
          files: reported.map((library) => library.main),
        },
      },
      apiReport: {
        enabled: true,
        // Types without an export are part of the API that refers to them.
        includeForgottenExports: true,
        reportFileName: `${report}${SUFFIX}`,
        reportFolder: REPORTS,
        reportTempFolder: join(REPORTS, "temporary"),
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

/** Formats the ABIs of @crosscall/contracts. */
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
  return `## ABIs of @crosscall/contracts\n\n\`\`\`solidity\n\n${blocks.toSorted().join("\n\n")}\n\n\`\`\`\n`;
}

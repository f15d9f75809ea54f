// Compiles the packages and assembles them in dist/node_modules/ as npm would install them, so that they resolve each
// other. `npm run build` compiles the contracts first. `npm run release` publishes them.
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { cp, glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { COMPUTED_FILE } from "../../packages/crosscall/src/commands/deploy/release.ts";
import { planAave } from "../../packages/crosscall/src/localnet/devchain/aave.ts";
import { planContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { releaseRecords } from "../reference/deployments.ts";
import { copySources, MOCKS, PUBLISHED_PACKAGES, ROOT, TEST_CONTRACTS } from "./publishedPackages.ts";
import { permit2Code } from "../../packages/crosscall/src/localnet/devchain/published.ts";
import { copyPages, readCheckout } from "./publishedPages.ts";
import { publishLinks, type Repository } from "./readmeLinks.ts";
import { publicRepository } from "../repository.ts";

const REPOSITORY = publicRepository();

const PRIVATE_FIELDS = ["allowScripts", "devDependencies", "overrides", "private", "scripts", "workspaces"] as const;

type Manifest = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly version: string;
  readonly publishConfig: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  /** Modules that bundles for browsers replace, with their replacements. */
  readonly imports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

type PublishedRepository = Pick<Repository, "url" | "revision">;

/** Contracts that only the tests of the build for London use. */
const LONDON_TESTS = /artifacts-london\/contracts\/(?:interfaces|localnet|replay|testing)(?:\/|$)/u;

const TYPECHAIN = ["--ignoreConfig", "--noCheck", "--declaration", "--emitDeclarationOnly"].concat(
  ["--module", "nodenext", "--target", "es2024", "--outDir", "dist/typechain"],
  "typechain-types/index.ts",
);

await rm(join(ROOT, "dist"), { recursive: true, force: true });
await compile(["-p", "tsconfig.build.json", "--singleThreaded"]);
// Compiles browser code again for its older target.
await compile(["-p", "packages/sdk", "--noEmit", "false", "--outDir", "dist/compiled", "--rootDir", "."]);
await compile(TYPECHAIN);
for (const { name, folder } of PUBLISHED_PACKAGES) {
  const manifest = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
  const repository = { url: REPOSITORY, revision: `v${manifest.version}` };
  const target = await startPackage(folder, manifest, repository);
  if (name === "@crosscall/contracts") {
    await addContracts(target);
    continue;
  }
  await copyCompiled(`${folder}/src`, join(target, "dist"));
  if (name === "@crosscall/protocol") {
    await copyPages({ ...repository, folder: "docs/errors", pages: "*.md", target: join(target, "errors") });
  }
  if (name === "crosscall") {
    await addBuilds(target);
    // `crosscall explain` searches these pages, and the templates link to them.
    await copyPages({ ...repository, folder: "docs", pages: "{*,errors/*}.md", target: join(target, "docs") });
  }
  if (name === "@crosscall/oracle") {
    await copyConfigs(target);
    await copySwaggerUi(join(target, "dist/swagger-ui"));
  }
  if (name === "create-crosscall") {
    await cp(join(ROOT, folder, "templates"), join(target, "templates"), { recursive: true });
  }
}

async function compile(args: readonly string[]): Promise<void> {
  const compiler = join(ROOT, "node_modules/@typescript/native-preview/bin/tsgo");
  await promisify(execFile)(process.execPath, [compiler, ...args], { cwd: ROOT });
}

/** Adds files that the program reads at run time. */
async function addBuilds(target: string): Promise<void> {
  await copyBrowserFiles(target);
  const isShipped = (path: string): boolean =>
    !MOCKS.test(path) && !LONDON_TESTS.test(path) && !path.endsWith(".output.json");
  for (const folder of ["artifacts", "artifacts-london"].flatMap((build) => [
    `${build}/contracts`,
    `${build}/build-info`,
  ])) {
    await cp(join(ROOT, folder), join(target, folder), { recursive: true, filter: isShipped });
  }
  await cp(COMPUTED_FILE, join(target, "deployments/computed.json"));
  await copyConfigs(target);
  await copyPublishedArtifacts(join(target, "artifacts/published"));
}

async function copyConfigs(target: string): Promise<void> {
  await cp(join(ROOT, "configs"), join(target, "configs"), { recursive: true });
}

/** Copies files that the console serves unchanged. */
async function copyBrowserFiles(target: string): Promise<void> {
  const sources = join(ROOT, "packages/crosscall/src");
  for await (const path of glob("localnet/console/browser/*.{css,js}", { cwd: sources })) {
    await cp(join(sources, path), join(target, "dist", path));
  }
}

/** Bundles Swagger UI, because its package installs telemetry, and Fastify's plugin for it installs 21 packages. */
async function copySwaggerUi(target: string): Promise<void> {
  await mkdir(target);
  for (const file of [
    "LICENSE",
    "NOTICE",
    "swagger-ui-bundle.js",
    "swagger-ui-bundle.js.LICENSE.txt",
    "swagger-ui.css",
  ]) {
    const text = await readFile(join(ROOT, "node_modules/swagger-ui-dist", file), "utf8");
    await writeFile(join(target, file), text.replaceAll(/^\/[/*]# sourceMappingURL=.*$/gmu, ""));
  }
}

/** Bundles other projects' artifacts, because their packages install 290 MB, including Hardhat 2. */
async function copyPublishedArtifacts(target: string): Promise<void> {
  const require = createRequire(import.meta.url);
  planContracts();
  planAave("0x0000000000000000000000000000000000000001");
  permit2Code(1);
  const packages = join(ROOT, "node_modules/");
  const paths = Object.keys(require.cache).filter((path) => path.startsWith(packages) && path.endsWith(".json"));
  for (const path of paths) {
    const name = path.slice(packages.length);
    const owner = name.split("/").slice(0, name.startsWith("@") ? 2 : 1);
    const { abi, bytecode, linkReferences } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    await mkdir(dirname(join(target, name)), { recursive: true });
    await writeFile(join(target, name), JSON.stringify({ abi, bytecode, linkReferences }));
    for await (const license of glob("LICENSE*", { cwd: join(packages, ...owner) })) {
      await cp(join(packages, ...owner, license), join(target, ...owner, license));
    }
  }
}

async function addContracts(target: string): Promise<void> {
  await copySources(target);
  const names: string[] = [];
  for await (const path of glob("artifacts/contracts/**/*.sol/*.json", { cwd: ROOT })) {
    if (TEST_CONTRACTS.test(path)) continue;
    const { contractName, abi } = JSON.parse(await readFile(join(ROOT, path), "utf8")) as {
      readonly contractName: string;
      readonly abi: readonly unknown[];
    };
    if (abi.length === 0) continue;
    names.push(contractName);
    const text = JSON.stringify(abi, null, 2);
    const constant = toConstant(contractName);
    await mkdir(join(target, "abi"), { recursive: true });
    await writeFile(join(target, `abi/${contractName}.json`), `${text}\n`);
    await writeFile(join(target, `abi/${contractName}.js`), `export const ${constant} = ${text};\n`);
    await writeFile(join(target, `abi/${contractName}.d.ts`), `export declare const ${constant}: ${toType(abi)};\n`);
  }
  const index = names.toSorted().map((name) => `export { ${toConstant(name)} } from "./${name}.js";\n`);
  for (const file of ["index.js", "index.d.ts"]) await writeFile(join(target, "abi", file), index.join(""));
  await copyTypechain(join(target, "typechain-types"));
  await mkdir(join(target, "deployments"));
  for (const record of await releaseRecords()) {
    await writeFile(join(target, `deployments/${record.chainId}.json`), `${JSON.stringify(record, null, 2)}\n`);
  }
}

/** Without factories, which repeat the contracts' code. */
async function copyTypechain(target: string): Promise<void> {
  for await (const path of glob("**/*.d.ts", { cwd: join(ROOT, "dist/typechain") })) {
    if (TEST_CONTRACTS.test(path) || /^(?:examples|factories)\/|hardhat\.d\.ts$/u.test(path)) continue;
    const text = await readFile(join(ROOT, "dist/typechain", path), "utf8");
    const kept = text.split("\n").filter((line) => !/["{/] ?(?:mocks|testing|factories|examples) ?["}/]/u.test(line));
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), kept.join("\n"));
  }
}

async function startPackage(source: string, manifest: Manifest, repository: PublishedRepository): Promise<string> {
  const target = join(ROOT, "dist/node_modules", manifest.name);
  await mkdir(target, { recursive: true });
  const published = { ...publishedManifest(manifest), ...addressesOf(source) };
  await writeFile(join(target, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  await cp(join(ROOT, "LICENSE"), join(target, "LICENSE"));
  const readme = await readFile(join(ROOT, source, "README.md"), "utf8");
  await writeFile(join(target, "README.md"), publishLinks(readme, source, { ...repository, read: readCheckout }));
  return target;
}

/** Returns the fields of the manifest with addresses of the public repository; none while there is none. */
function addressesOf(directory: string): Readonly<Record<string, unknown>> {
  if (REPOSITORY === undefined) return {};
  return {
    homepage: `${REPOSITORY}#readme`,
    bugs: { url: `${REPOSITORY}/issues` },
    repository: { type: "git", url: `git+${REPOSITORY}.git`, directory },
  };
}

/**
 * Returns the published manifest. Entry points are sources in the checkout and compiled files in the published package.
 */
function publishedManifest(manifest: Manifest): Readonly<Record<string, unknown>> {
  const kept = Object.entries(manifest).filter(([field]) => !(PRIVATE_FIELDS as readonly string[]).includes(field));
  const published: Record<string, unknown> = Object.fromEntries(kept);
  // `changeset publish` publishes the built package in `directory`.
  const { directory: _, ...publishConfig } = manifest.publishConfig;
  published.publishConfig = publishConfig;
  if (manifest.exports !== undefined) {
    published.exports = mapValues(manifest.exports, (path) => compiledEntry(path));
  }
  if (manifest.imports !== undefined) {
    published.imports = mapValues(manifest.imports, (paths) =>
      mapValues(paths, (path) => compiledPath(path).replace(/\.ts$/u, ".js")),
    );
  }
  if (manifest.bin !== undefined) {
    // npm corrects paths that start with a dot.
    published.bin = Object.fromEntries(
      Object.entries(manifest.bin).map(([name, path]) => [
        name,
        compiledPath(path).replace(/^\.\/|\.ts$/gu, (found) => (found === ".ts" ? ".js" : "")),
      ]),
    );
  }
  if (Array.isArray(manifest.sideEffects)) {
    published.sideEffects = (manifest.sideEffects as readonly string[]).map((path) =>
      compiledPath(path).replace(/\.ts$/u, ".js"),
    );
  }
  return published;
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  toMapped: (value: Value) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toMapped(value)]));
}

function compiledEntry(path: unknown): unknown {
  if (typeof path !== "string" || !path.endsWith(".ts")) return path;
  const stem = compiledPath(path).replace(/\.ts$/u, "");
  return { types: `${stem}.d.ts`, default: `${stem}.js` };
}

function compiledPath(path: string): string {
  return path.replace(/^(?:\.\/)?src\//u, "./dist/");
}

async function copyCompiled(source: string, target: string): Promise<void> {
  const compiled = join(ROOT, "dist/compiled", source);
  for await (const path of glob("**/*.{js,d.ts}", { cwd: compiled })) {
    const text = await readFile(join(compiled, path), "utf8");
    await mkdir(dirname(join(target, path)), { recursive: true });
    await writeFile(join(target, path), path.endsWith(".d.ts") ? withJsSpecifiers(text) : text);
  }
}

/** Rewrites `.ts` specifiers in declarations, because the compiler rewrites them only in code. */
function withJsSpecifiers(declarations: string): string {
  return declarations.replace(/((?:from|import\() ?"\.\.?\/[^"]*)\.ts"/gu, '$1.js"');
}

function toConstant(contractName: string): string {
  return `${contractName.slice(0, 1).toLowerCase()}${contractName.slice(1)}Abi`;
}

/** Returns the literal type of a JSON value, with readonly arrays. */
function toType(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(toType).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `readonly ${name}: ${toType(field)}`);
  return `{ ${fields.join("; ")} }`;
}

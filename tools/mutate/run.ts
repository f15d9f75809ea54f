// Mutation tests of the contracts: `npm run mutate -- [--files <part of a path>] [--sample <count> --seed <number>]`.
// Makes one change in a contract, and requires that a Solidity test fails. Mutants that no test detects must be in
// survivors.json with a reason. Results are cached by the sources of the mutant, its tests and this script.
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { compileContracts } from "./compileMutant.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { type Target, TARGETS } from "./targets.ts";
import type { Code } from "./testProcess.ts";
import { Tester } from "./tester.ts";

type Build = Parameters<typeof compileContracts>[2];

type Outcome = "killed" | "survived" | "not a program" | "same code";

interface Survivor {
  readonly file: string;
  /** Text of the original line and of the mutant's line. */
  readonly was: string;
  readonly is: string;
  readonly reason: string;
}

const BAR_PERCENT = 95;

/** Pattern of gas tests, which are excluded because they depend on the build. */
const EXCLUDED = "_Gas|_WhenMeasured_";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cacheFolder = `${root}node_modules/.cache`;
const cachePath = `${cacheFolder}/mutants.json`;

const { values } = parseArgs({
  options: { files: { type: "string" }, sample: { type: "string" }, seed: { type: "string", default: "1" } },
});
const survivors = JSON.parse(
  readFileSync(fileURLToPath(new URL("survivors.json", import.meta.url)), "utf8"),
) as readonly Survivor[];
const cache = readCache();
const tester = new Tester();
const totals = { killed: 0, survived: 0, unexplained: 0 };
const explained = new Set<Survivor>();
const targets = TARGETS.filter(({ file }) => file.includes(values.files ?? ""));
for (const target of targets) await testTarget(target);
tester.stop();

const tested = totals.killed + totals.survived;
const score = tested === 0 ? 100 : (totals.killed / tested) * 100;
console.log(
  `\n${totals.killed} of ${tested} mutants killed: ${score.toFixed(1)}%; required: ${BAR_PERCENT}%. ` +
    `${totals.unexplained} survivors are not in survivors.json.`,
);
// Not checked for a sample, which does not contain all survivors.
const stale = survivors.filter(
  (survivor) =>
    values.sample === undefined && targets.some(({ file }) => file === survivor.file) && !explained.has(survivor),
);
for (const { file, is } of stale) console.log(`survivors.json lists a mutant that does not survive: ${file}: ${is}`);
if (score < BAR_PERCENT || totals.unexplained > 0 || stale.length > 0) process.exitCode = 1;

async function testTarget(target: Target): Promise<void> {
  const started = performance.now();
  const text = read(target.file);
  const key = hashOf(
    [
      ...globSync(["contracts/**/*.sol", "test/contracts/support/*.sol", "tools/mutate/*.ts"], { cwd: root }),
      ...testsOf(target),
    ]
      .sort()
      .filter((path) => path !== target.file)
      .map(read),
  );
  const originals = new Map<Build, Code>();
  const counts: Record<Outcome, number> = { killed: 0, survived: 0, "not a program": 0, "same code": 0 };
  for (const mutant of sample(mutantsOf(target.file, text))) {
    const mutantKey = hashOf([key, mutant.source]);
    const outcome = cache.get(mutantKey) ?? (await testMutant(target, mutant, originals));
    cache.set(mutantKey, outcome);
    counts[outcome] += 1;
    if (outcome === "survived") report(target.file, text, mutant);
  }
  totals.killed += counts.killed;
  totals.survived += counts.survived;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${counts.killed} of ${counts.killed + counts.survived} killed  ${target.file}  (${counts["same code"]} with the same code, ${seconds} s)`,
  );
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(cachePath, JSON.stringify([...cache]));
}

/** Compiles the unchanged code, which must pass all tests, because a test that already fails cannot detect mutants. */
async function prepare(target: Target, build: Build): Promise<Code> {
  const code = compileContracts(target.contracts, new Map(), build);
  if (code === undefined) throw new Error(`the ${build} build of ${target.contracts.join(", ")} does not compile`);
  const failed = await tester.run({ code, tests: target.tests, excluded: EXCLUDED });
  if (failed === "hangs") throw new Error(`the tests of the unchanged ${target.file} hang`);
  if (failed.length > 0) {
    throw new Error(`tests of the unchanged ${target.file} fail in the ${build} build: ${failed.join(", ")}`);
  }
  return code;
}

/**
 * Tests a mutant in the quick build. If it survives, tests it in the deployed build, in which some mutants have the
 * original code.
 */
async function testMutant(target: Target, mutant: Mutant, originals: Map<Build, Code>): Promise<Outcome> {
  const quick = await testBuild("quick", target, mutant, originals);
  return quick === "survived" ? testBuild("deployed", target, mutant, originals) : quick;
}

async function testBuild(build: Build, target: Target, mutant: Mutant, originals: Map<Build, Code>): Promise<Outcome> {
  const original = originals.get(build) ?? (await prepare(target, build));
  originals.set(build, original);
  const code = compileContracts(target.contracts, new Map([[target.file, mutant.source]]), build);
  if (code === undefined) return "not a program";
  if (JSON.stringify(code) === JSON.stringify(original)) return "same code";
  const failed = await tester.run({ code, tests: target.tests, excluded: EXCLUDED });
  return failed === "hangs" || failed.length > 0 ? "killed" : "survived";
}

function report(file: string, text: string, { line, source }: Mutant): void {
  const [was, is] = [text, source].map((of) => (of.split("\n")[line - 1] ?? "").trim());
  const known = survivors.find((survivor) => survivor.file === file && survivor.was === was && survivor.is === is);
  if (known === undefined) totals.unexplained += 1;
  else explained.add(known);
  console.log(`survived${known === undefined ? "" : " (explained)"}: ${file}:${line}: ${JSON.stringify({ was, is })}`);
}

/** Returns the same mutants for the same seed. */
function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  if (values.sample === undefined) return mutants;
  const ranked = mutants.map((mutant, index) => ({ mutant, rank: hashOf([values.seed, String(index)]) }));
  const chosen = ranked.toSorted((left, right) => (left.rank < right.rank ? -1 : 1)).slice(0, Number(values.sample));
  return chosen.map(({ mutant }) => mutant).toSorted((left, right) => left.line - right.line);
}

function testsOf({ tests }: Target): readonly string[] {
  return globSync("test/contracts/**/*.t.sol", { cwd: root }).filter((path) =>
    tests.some((prefix) => path.startsWith(prefix)),
  );
}

function read(path: string): string {
  return readFileSync(`${root}${path}`, "utf8");
}

function hashOf(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex");
}

function readCache(): Map<string, Outcome> {
  try {
    return new Map(JSON.parse(readFileSync(cachePath, "utf8")) as [string, Outcome][]);
  } catch {
    return new Map();
  }
}

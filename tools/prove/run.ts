// Proves properties of the contracts with solc's SMTChecker and Z3: `npm run prove -- [words of a name]`. Each proof is
// repeated with faults in the code, which the proof must find.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { FORMULAS, type FormulaProperty, type Mutation, PROPERTIES, type Property } from "./properties.ts";
import { checkAssertions, type Verdict } from "./smtChecker.ts";
import { readContract, readMutated } from "./sources.ts";
import { startSolver } from "./z3.ts";

const PROOFS = "tools/prove/proofs/";

const WORDS: Readonly<Record<Verdict, string>> = {
  proven: "proven",
  unknown: "not proven",
  counterexample: "counterexample",
};

const words = process.argv.slice(2);
const solver = await startSolver();
console.log(`Solver: ${solver.name}`);
const started = performance.now();
const chosen = [...PROPERTIES, ...FORMULAS].filter(({ name }) => words.every((word) => name.includes(word)));
let failures = 0;
for (const property of chosen) {
  const result = await check(property);
  report(WORDS[result.verdict], result.seconds, property.name);
  if (result.verdict !== "proven") failures += 1;
  for (const mutation of property.mutations) {
    const control = await check(property, mutation.name);
    const isFound = control.verdict === "counterexample";
    report(isFound ? "  fault found" : "  FAULT MISSED", control.seconds, `  ${mutation.name}`);
    if (!isFound) failures += 1;
  }
}
const controls = chosen.flatMap(({ mutations }) => mutations).length;
console.log(
  failures === 0
    ? `\n${chosen.length} properties proven, ${controls} faults found, in ${secondsSince(started)} s.`
    : `\n${failures} of ${chosen.length + controls} failed.`,
);
// Z3's threads keep the process alive.
process.exit(failures === 0 && chosen.length > 0 ? 0 : 1);

async function check(
  property: Property | FormulaProperty,
  mutation?: string,
): Promise<{ readonly verdict: Verdict; readonly seconds: string }> {
  const start = performance.now();
  const verdict = "formula" in property ? await refute(property, mutation) : await prove(property, mutation);
  return { verdict, seconds: secondsSince(start) };
}

async function prove({ proof, engine, contracts, stubs = {}, mutations }: Property, fault?: string): Promise<Verdict> {
  const mutation: Mutation | undefined = mutations.find(({ name }) => name === fault);
  const sources = new Map([
    ...Object.entries(stubs).map(([name, stub]) => [name, readProof(`stubs/${stub}`)] as const),
    ...Object.entries(contracts).map(
      ([name, reading]) => [name, readContract(reading, mutation?.source === name ? mutation.replace : [])] as const,
    ),
  ]);
  const assertions = await checkAssertions(`${PROOFS}${proof}`, sources, engine, solver, mutation !== undefined);
  if (assertions.length === 0) throw new Error(`${proof} asserts nothing`);
  return worst(assertions.map(({ verdict }) => verdict));
}

/** Solves a formula. A formula without a solution proves that there is no counterexample. */
async function refute({ path, formula, mutations }: FormulaProperty, fault?: string): Promise<Verdict> {
  const source = readMutated(path, mutations.find(({ name }) => name === fault)?.replace ?? []);
  const answer = (await solver.solve(formula(source))).trim();
  if (answer === "unsat") return "proven";
  return answer === "sat" ? "counterexample" : "unknown";
}

function worst(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("counterexample")) return "counterexample";
  return verdicts.includes("unknown") ? "unknown" : "proven";
}

function readProof(path: string): string {
  return readFileSync(fileURLToPath(new URL(`proofs/${path}`, import.meta.url)), "utf8");
}

function report(word: string, seconds: string, name: string): void {
  console.log(`${word.padEnd(14)}  ${seconds.padStart(5)} s  ${name}`);
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}

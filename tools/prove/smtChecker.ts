import { createHash } from "node:crypto";

import { compile, readSource } from "../solidity/solc.ts";
import type { Solver } from "./z3.ts";

/**
 * Engine: CHC checks all states that calls can reach, and BMC checks all inputs and states of one call without loops.
 */
export type Engine = "chc" | "bmc";

export type Verdict = "proven" | "counterexample" | "unknown";

/** An assertion of a proof, and the checker's result. */
export interface Assertion {
  /** Location: source name and byte offset. */
  readonly place: string;
  readonly verdict: Verdict;
}

interface Finding {
  readonly severity: string;
  readonly errorCode?: string;
  readonly message: string;
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string; readonly start: number };
}

interface Output {
  readonly errors?: readonly Finding[];
}

/** Error codes of findings about assertions, of both engines. */
const SAFE: ReadonlySet<string> = new Set(["9576", "2961"]);
const UNSAFE: ReadonlySet<string> = new Set(["6328", "4661", "7812"]);

/** CHC searches for an invariant, BMC for a counterexample. */
const UNSAFE_RESPONSES: Readonly<Record<Engine, string>> = { chc: "unsat", bmc: "sat" };

const MAXIMUM_RUNS = 4;

/**
 * Checks the assertions of the contract `Proof` in a source.
 *
 * @param sourceName name of the source with `Proof`
 * @param sources sources that replace the repository's sources
 * @param stopsAtCounterexample whether to leave the other assertions undecided, which is faster
 * @throws Error if the sources do not compile
 */
export async function checkAssertions(
  sourceName: string,
  sources: ReadonlyMap<string, string>,
  engine: Engine,
  { solve }: Solver,
  stopsAtCounterexample: boolean,
): Promise<readonly Assertion[]> {
  const read = (name: string) => sources.get(name) ?? readSource(name);
  const input = {
    language: "Solidity",
    sources: { [sourceName]: { content: read(sourceName) } },
    settings: {
      outputSelection: { "*": { "*": [] } },
      modelChecker: {
        engine,
        solvers: ["smtlib2"],
        targets: ["assert"],
        contracts: { [sourceName]: ["Proof"] },
        showProvedSafe: true,
        showUnproved: true,
      },
    },
  };
  // Runs solc twice, because solc needs each result synchronously: the second run uses the results of the first run's
  // queries.
  const answers = new Map<string, string>();
  for (let run = 0; run < MAXIMUM_RUNS; ++run) {
    const open = new Map<string, string>();
    const seen = new Map<string, string>();
    const output = compile(input, read, (query) => {
      const key = keyOf(query);
      const answer = answers.get(key);
      if ((seen.get(key) ?? query) !== query) throw new Error("two queries have the same terms");
      seen.set(key, query);
      if (answer === undefined) open.set(key, query);
      return { contents: answer ?? "unknown" };
    }) as Output;
    const fault = output.errors?.find(({ severity }) => severity === "error");
    if (fault !== undefined) throw new Error(fault.formattedMessage);
    if (open.size === 0) return (output.errors ?? []).flatMap(toAssertion);

    let isFound = false;
    for (const [key, query] of open) {
      const answer: string = isFound ? "unknown" : await solve(query);
      answers.set(key, answer);
      isFound ||= stopsAtCounterexample && answer.trimStart().split(/\s/u)[0] === UNSAFE_RESPONSES[engine];
    }
  }
  throw new Error(`solc sent different queries in the second run for ${sourceName}`);
}

/** Returns a key for a query. solc orders the terms of a query differently in each run. */
function keyOf(query: string): string {
  return createHash("sha256")
    .update(
      query
        .split(/[\s()]+/u)
        .sort()
        .join(" "),
    )
    .digest("hex");
}

function toAssertion({ errorCode = "", message, sourceLocation }: Finding): readonly Assertion[] {
  if (sourceLocation === undefined || !(SAFE.has(errorCode) || UNSAFE.has(errorCode))) return [];
  const place = `${sourceLocation.file}:${sourceLocation.start}`;
  if (SAFE.has(errorCode)) return [{ place, verdict: "proven" }];
  // Checks the message, because only the message distinguishes a counterexample from an undecided assertion.
  return [{ place, verdict: message.includes(" might ") ? "unknown" : "counterexample" }];
}

import { spawnSync } from "node:child_process";

import { init } from "z3-solver";

export interface Solver {
  readonly name: string;
  /** Solves a query in SMT-LIB. Returns `sat`, `unsat` or `unknown`, followed by the values that the query requests. */
  readonly solve: (query: string) => Promise<string>;
}

/** The parts used of z3-solver's Emscripten module, which has no types. */
interface Memory {
  readonly HEAPU8: Uint8Array;
  readonly _malloc: (size: number) => number;
  readonly _free: (pointer: number) => void;
  readonly _async_Z3_eval_smtlib2_string: (context: unknown, query: number) => void;
  readonly async_call: (start: () => void) => Promise<string>;
}

type Attempt = (query: string, settings: Readonly<Record<string, string>>) => Promise<string>;

/** Limits the work, not the time, so that results do not depend on the machine. The rest are solc's settings for Z3. */
const SETTINGS: Readonly<Record<string, string>> = {
  rlimit: "200000000",
  "rewriter.pull_cheap_ite": "true",
  "fp.spacer.q3.use_qgen": "true",
  "fp.spacer.mbqi": "false",
  "fp.spacer.ground_pobs": "false",
};

/** solc orders the terms at random, so Z3 may give up on a query that it decides in another run. */
const SEEDS = ["0", "1", "2", "3", "4"];

/** Stops queries that the limit on the work does not stop. */
const HANG_MS = 60_000;

/** Starts Z3: the installed program, which is ten times as fast, or else its WebAssembly from npm. */
export async function startSolver(isInstalledAllowed: boolean): Promise<Solver> {
  const { status, stdout } = spawnSync("z3", ["-version"], { encoding: "utf8" });
  return isInstalledAllowed && status === 0
    ? { name: stdout.trim(), solve: withSeeds(solveInProcess) }
    : startWebAssembly();
}

function withSeeds(attempt: Attempt): Solver["solve"] {
  return async (query) => {
    let answer = "unknown";
    for (const seed of SEEDS) {
      answer = await attempt(query, { ...SETTINGS, "fp.spacer.random_seed": seed, "smt.random_seed": seed });
      if (/^\s*(sat|unsat)\b/u.test(answer)) break;
    }
    return answer;
  };
}

function solveInProcess(query: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const options = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const { stdout } = spawnSync("z3", ["-in", "-smt2", ...options], {
    input: query,
    encoding: "utf8",
    timeout: HANG_MS,
  });
  return Promise.resolve(stdout === "" ? "unknown" : stdout);
}

/** Its threads keep the process alive, so exit explicitly. */
async function startWebAssembly(): Promise<Solver> {
  const z3 = await init();
  const { Z3 } = z3;
  const memory = z3.em as Memory;
  const { major, minor, build_number: build } = Z3.get_version();
  return {
    name: `Z3 version ${major}.${minor}.${build} - WebAssembly`,
    solve: withSeeds(async (query, settings) => {
      for (const [name, value] of Object.entries(settings)) Z3.global_param_set(name, value);
      const configuration = Z3.mk_config();
      const context = Z3.mk_context(configuration);
      Z3.del_config(configuration);
      try {
        return await evaluate(memory, context, query);
      } finally {
        Z3.del_context(context);
      }
    }),
  };
}

/**
 * Does the same as `Z3.eval_smtlib2_string`, which passes the query on the stack and frees it before the thread that
 * solves it has read it, so that the query's end is sometimes overwritten.
 */
async function evaluate(memory: Memory, context: unknown, query: string): Promise<string> {
  const bytes = Buffer.from(`${query}\0`);
  const pointer = memory._malloc(bytes.length);
  memory.HEAPU8.set(bytes, pointer);
  try {
    return await memory.async_call(() => memory._async_Z3_eval_smtlib2_string(context, pointer));
  } finally {
    memory._free(pointer);
  }
}

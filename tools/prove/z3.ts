import { init } from "z3-solver";

export interface Solver {
  readonly name: string;
  /** Solves a query in SMT-LIB. Returns `sat`, `unsat` or `unknown`, followed by the values that the query requests. */
  readonly solve: (query: string) => Promise<string>;
}

/** The used parts of z3-solver's Emscripten module, which has no types. */
interface Memory {
  readonly HEAPU8: Uint8Array;
  readonly _malloc: (size: number) => number;
  readonly _free: (pointer: number) => void;
  readonly _async_Z3_eval_smtlib2_string: (context: unknown, query: number) => void;
  readonly async_call: (start: () => void) => Promise<string>;
}

/** Limits the work, not the time, so that results do not depend on the machine. The rest are solc's settings for Z3. */
const SETTINGS: Readonly<Record<string, string>> = {
  rlimit: "200000000",
  "rewriter.pull_cheap_ite": "true",
  "fp.spacer.q3.use_qgen": "true",
  "fp.spacer.mbqi": "false",
  "fp.spacer.ground_pobs": "false",
};

/** Number of attempts. solc orders the terms randomly, so Z3 can give up on a query that it decides in another run. */
const SEEDS = ["0", "1", "2", "3", "4"];

/** Starts Z3. Its threads keep the process alive, so callers must exit explicitly. */
export async function startSolver(): Promise<Solver> {
  const z3 = await init();
  const { Z3 } = z3;
  const memory = z3.em as Memory;
  const { major, minor, build_number: build } = Z3.get_version();
  const attempt = async (query: string, seed: string): Promise<string> => {
    const settings = { ...SETTINGS, "fp.spacer.random_seed": seed, "smt.random_seed": seed };
    for (const [name, value] of Object.entries(settings)) Z3.global_param_set(name, value);
    const configuration = Z3.mk_config();
    const context = Z3.mk_context(configuration);
    Z3.del_config(configuration);
    try {
      return await evaluate(memory, context, query);
    } finally {
      Z3.del_context(context);
    }
  };
  return {
    name: `Z3 version ${major}.${minor}.${build}`,
    solve: async (query) => {
      let answer = "unknown";
      for (const seed of SEEDS) {
        answer = await attempt(query, seed);
        if (/^\s*(sat|unsat)\b/u.test(answer)) break;
      }
      return answer;
    },
  };
}

/**
 * Replaces `Z3.eval_smtlib2_string`, which frees the query before the solving thread has read it and sometimes corrupts
 * the end of the query.
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

import { spawnSync } from "node:child_process";

import { init } from "z3-solver";

/** Solves a query in SMT-LIB. Returns `sat`, `unsat` or `unknown`, followed by the values that the query requests. */
export interface Solver {
  readonly name: string;
  readonly solve: (query: string) => Promise<string>;
}

/** Limits the work, not the time, so that results do not depend on the machine. The rest are solc's settings for Z3. */
const SETTINGS: Readonly<Record<string, string>> = {
  rlimit: "200000000",
  "rewriter.pull_cheap_ite": "true",
  "fp.spacer.q3.use_qgen": "true",
  "fp.spacer.mbqi": "false",
  "fp.spacer.ground_pobs": "false",
};

/** Stops queries that the limit on the work does not stop. */
const HANG_MS = 60_000;

/** Starts Z3: the installed program, which is ten times as fast, or else its WebAssembly from npm. */
export async function startSolver(isInstalledAllowed: boolean): Promise<Solver> {
  const { status, stdout } = spawnSync("z3", ["-version"], { encoding: "utf8" });
  return isInstalledAllowed && status === 0 ? { name: stdout.trim(), solve: solveInProcess } : startWebAssembly();
}

function solveInProcess(query: string): Promise<string> {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
  const { stdout } = spawnSync("z3", ["-in", "-smt2", ...settings], {
    input: query,
    encoding: "utf8",
    timeout: HANG_MS,
  });
  return Promise.resolve(stdout === "" ? "unknown" : stdout);
}

/** Its threads keep the process alive, so exit explicitly. */
async function startWebAssembly(): Promise<Solver> {
  const { Z3 } = await init();
  for (const [name, value] of Object.entries(SETTINGS)) Z3.global_param_set(name, value);
  const { major, minor, build_number: build } = Z3.get_version();
  return {
    name: `Z3 version ${major}.${minor}.${build} - WebAssembly`,
    solve: async (query) => {
      const configuration = Z3.mk_config();
      const context = Z3.mk_context(configuration);
      Z3.del_config(configuration);
      try {
        return await Z3.eval_smtlib2_string(context, query);
      } finally {
        Z3.del_context(context);
      }
    },
  };
}

// Runs tests with many more random inputs from a fresh seed: `npm run fuzz` (Solidity properties; add test files to run only
// those), `fuzz:service` and `fuzz:oracle` (every route). `--seed` repeats a run, `--runs` sets the number of requests.
import { spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { parseArgs } from "node:util";

interface Target {
  readonly seed: () => string;
  /** Arguments of Hardhat. */
  readonly test: readonly string[];
  readonly runs?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const MOCHA = ["test", "mocha"];

const TARGETS: Readonly<Record<string, Target>> = {
  contracts: {
    seed: () => `0x${randomBytes(32).toString("hex")}`,
    test: ["test", "solidity", "--network", "hardhat", "--test-profile", "long"],
  },
  service: {
    seed: () => String(randomInt(2 ** 31)),
    test: [...MOCHA, "test/campaigns/serviceFuzz.test.ts"],
    runs: "2000",
  },
  oracle: {
    seed: () => String(randomInt(2 ** 31)),
    test: [...MOCHA, "test/campaigns/oracleFuzz.test.ts"],
    runs: "50000",
    env: { CROSSCALL_FUZZ_MAX_DELAY_MS: "100" },
  },
};

const { values, positionals } = parseArgs({
  options: { seed: { type: "string" }, runs: { type: "string" } },
  allowPositionals: true,
});
const [name = "", ...files] = positionals;
const target = TARGETS[name];
if (target === undefined) throw new Error(`pass one of ${Object.keys(TARGETS).join(", ")}`);
const { seed = target.seed(), runs = target.runs } = values;
const isSeed = target.runs === undefined ? /^0x[0-9a-f]{1,64}$/iu : /^\d{1,10}$/u;
if (!isSeed.test(seed)) throw new Error(`--seed cannot be ${seed}`);
if (runs !== undefined && !/^\d{1,10}$/u.test(runs)) throw new Error(`--runs must be a whole number, not ${runs}`);

console.log(`Seed: ${seed}`);
const { status } = spawnSync("npx", ["hardhat", ...target.test, ...files], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, ...target.env, CROSSCALL_FUZZ_SEED: seed, ...(runs && { CROSSCALL_FUZZ_RUNS: runs }) },
});
const repeated = ["--seed", seed, ...(runs === undefined ? [] : ["--runs", runs]), ...files].join(" ");
console.log(`To repeat with the same inputs: npm run fuzz${name === "contracts" ? "" : `:${name}`} -- ${repeated}`);
process.exitCode = status ?? 1;

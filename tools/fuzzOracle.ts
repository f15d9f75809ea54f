// Fuzzes every route of the attestation oracle: `npm run fuzz:oracle -- [--seed <number>] [--runs <requests>]`.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { seed: { type: "string" }, runs: { type: "string" } } });
const { seed = String(randomInt(2 ** 31)), runs = "50000" } = values;
for (const [name, text] of Object.entries({ seed, runs })) {
  if (!/^\d{1,9}\d?$/u.test(text)) throw new Error(`--${name} must be a whole number, not ${text}`);
}

console.log(`Seed: ${seed}`);
const { status } = spawnSync("npx", ["hardhat", "test", "mocha", "test/campaigns/oracleFuzz.test.ts"], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, CROSSCALL_FUZZ_SEED: seed, CROSSCALL_FUZZ_RUNS: runs, CROSSCALL_FUZZ_MAX_DELAY_MS: "100" },
});
console.log(`To repeat with the same requests: npm run fuzz:oracle -- --seed ${seed} --runs ${runs}`);
process.exitCode = status ?? 1;

// Runs the Solidity tests with many more inputs from a fresh seed: `npm run fuzz -- [--seed <hex>] [test files]`.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ options: { seed: { type: "string" } }, allowPositionals: true });
const seed = values.seed ?? `0x${randomBytes(32).toString("hex")}`;
if (!/^0x[0-9a-f]{1,64}$/i.test(seed)) throw new Error(`the seed must be 0x and up to 64 hex digits, not ${seed}`);

console.log(`Seed: ${seed}`);
const { status } = spawnSync(
  "npm",
  ["run", "--silent", "test:solidity", "--", "--test-profile", "long", ...positionals],
  {
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, CROSSCALL_FUZZ_SEED: seed },
  },
);
console.log(`To repeat with the same inputs: npm run fuzz -- --seed ${[seed, ...positionals].join(" ")}`);
process.exitCode = status ?? 1;

// Runs the test files that match a pattern: `npm run test:unit`. Other arguments, such as `--grep text`, are passed to
// `hardhat test mocha`.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const [pattern = "test/unit/**/*.test.ts", ...parameters] = process.argv.slice(2);
const tests = ["test", "mocha", "--no-compile", ...parameters, ...globSync(pattern).toSorted()];
const { status } = spawnSync("npx", ["hardhat", ...tests], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" },
});
process.exitCode = status ?? 1;

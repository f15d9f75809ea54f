// Runs the tests of a pattern: `npm run test:unit`. Further arguments, such as `--grep text`, go to `hardhat test
// mocha`.
import { globSync } from "node:fs";

import { runTests } from "./mocha.ts";

const [pattern = "test/unit/**/*.test.ts", ...parameters] = process.argv.slice(2);
process.exitCode = await runTests(globSync(pattern).sort(), parameters);

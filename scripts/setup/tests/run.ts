// Runs the tests of a pattern: `npm run test:unit`. What else is given goes to `hardhat test mocha`, such as `--grep text`.
import { globSync } from "node:fs";

import { runTests } from "./mocha.ts";

const [pattern = "test/unit/**/*.test.ts", ...parameters] = process.argv.slice(2);
process.exitCode = await runTests(globSync(pattern).sort(), parameters);

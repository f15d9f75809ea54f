// Everything that must hold, in one run: `npm test`. `--only-checks` leaves the tests out: `npm run check`. `--campaigns`
// runs what takes minutes alone instead: `npm run test:campaigns`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A gate: what it is called, and the script of the package that must end with 0. */
interface Gate {
  readonly name: string;
  readonly script: string;
  /** The test files that the script is given, by pattern. */
  readonly files?: string;
  /** What the script is given beside them. */
  readonly parameters?: readonly string[];
  /** Its output is shown in full, not only when it fails. */
  readonly isTest?: true;
}

/** Gates that run one after another, beside those of another lane. */
type Lane = readonly Gate[];

/** Both builds. */
const BUILD_LANES: readonly Lane[] = [
  [{ name: "contracts compile", script: "compile" }],
  [{ name: "Solidity tests without transient storage", script: "test:solidity:london", isTest: true }],
];

/** What needs the first build, the types that it generates among it. */
const CHECK_LANES: readonly Lane[] = [
  [
    { name: "gas against the snapshots", script: "check:gas" },
    { name: "generated ABIs are fresh", script: "check:abi" },
    { name: "Solidity tests", script: "test:solidity", isTest: true },
  ],
  [
    { name: "format", script: "check:format" },
    { name: "types and lint", script: "check:lint" },
    { name: "Solidity lint", script: "check:lint-solidity" },
    { name: "dependency direction", script: "check:dependencies" },
    { name: "unused code and dependencies", script: "check:unused" },
  ],
];

/** What needs both builds. */
const TEST_LANES: readonly Lane[] = [
  [
    { name: "opcodes of both builds", script: "check:opcodes", isTest: true },
    {
      name: "tests of how the parts work together",
      script: "test:typescript",
      files: "test/integration/**/*.test.ts",
      isTest: true,
    },
  ],
  [
    {
      name: "tests of the parts, of commands, pages and benchmarks",
      script: "test:typescript",
      files: "test/{unit,e2e}/**/*.test.ts",
      isTest: true,
    },
  ],
];

/** What takes minutes alone, and finds what the tests do not: real crashes, and as many inputs for the second build. */
const CAMPAIGN_LANES: readonly Lane[] = [
  [
    { name: "contracts compile", script: "compile" },
    {
      name: "campaigns of crashes and interrupted deployments",
      script: "test:typescript",
      files: "test/campaigns/*.test.ts",
      isTest: true,
    },
  ],
  [
    {
      name: "10,000 inputs for each property without transient storage",
      script: "test:solidity:london",
      parameters: ["--test-profile", "campaign"],
      isTest: true,
    },
  ],
];

/** A whole path, since programs run in folders of their own. */
const COMPILE_CACHE = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));

const isChecksOnly = process.argv.includes("--only-checks");
const isCampaigns = process.argv.includes("--campaigns");
const started = performance.now();
const failed: string[] = [];

if (!isChecksOnly && !isCampaigns)
  console.log("Both builds run side by side, then checks and Solidity tests, then the TypeScript tests in two groups.");
for (const lanes of isCampaigns ? [CAMPAIGN_LANES] : [BUILD_LANES, CHECK_LANES, TEST_LANES])
  await Promise.all(lanes.map(pass));

const seconds = secondsSince(started);
if (failed.length > 0) {
  console.error(`\nFailed after ${seconds} s: ${failed.join(", ")}.`);
  process.exitCode = 1;
} else {
  console.log(`\nAll passed in ${seconds} s.`);
}

/** Passes the gates of a lane. */
async function pass(lane: Lane): Promise<void> {
  for (const gate of lane) {
    if (isChecksOnly && gate.isTest === true) continue;
    const gateStarted = performance.now();
    if (gate.isTest === true) console.log(`...  ${gate.name}`);
    const { isPassed, output } = await run(gate);
    if (output !== "" && (gate.isTest === true || !isPassed)) console.log(`\n${output.trim()}\n`);
    console.log(`${isPassed ? "ok   " : "FAIL "}${gate.name}: ${secondsSince(gateStarted)} s`);
    if (!isPassed) failed.push(gate.name);
  }
}

/** Runs the script of a gate. The output of gates that run side by side is kept together. */
async function run({
  script,
  files,
  parameters = [],
}: Gate): Promise<{ readonly isPassed: boolean; readonly output: string }> {
  const given = ["--", ...parameters, ...(files === undefined ? [] : ["--no-compile", ...globSync(files)])];
  const child = spawn("npm", ["run", "--silent", script, ...given], {
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    // Tests start hundreds of programs; what Node made of their modules serves all of them.
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true", NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [status] = (await once(child, "close")) as [number | null];
  return { isPassed: status === 0, output: Buffer.concat(chunks).toString() };
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}

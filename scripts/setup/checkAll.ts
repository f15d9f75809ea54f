// Everything that must hold, in one run: `npm test`. `--only-checks` leaves the tests out: `npm run check`.
import { spawn } from "node:child_process";
import { once } from "node:events";

/** A gate: what it is called, and the script of the package that must end with 0. */
interface Gate {
  readonly name: string;
  readonly script: string;
  /** Its output is shown in full, not only when it fails. */
  readonly isTest?: true;
}

/** The second build takes as long as all that the first lane does, and the machine has more than one core. */
const LANES: readonly (readonly Gate[])[] = [
  [
    { name: "contracts compile", script: "compile" },
    { name: "gas against the snapshots", script: "check:gas" },
    { name: "generated ABIs are fresh", script: "check:abi" },
    { name: "format", script: "check:format" },
    { name: "types", script: "check:types" },
    { name: "TypeScript lint", script: "check:lint" },
    { name: "Solidity lint", script: "check:lint-solidity" },
    { name: "dependency direction", script: "check:dependencies" },
    { name: "unused code and dependencies", script: "check:unused" },
    { name: "Solidity tests", script: "test:solidity", isTest: true },
  ],
  [{ name: "Solidity tests without transient storage", script: "test:solidity:london", isTest: true }],
];

/** What needs both builds, or the machine for itself. */
const LAST: readonly Gate[] = [
  { name: "opcodes of both builds", script: "check:opcodes", isTest: true },
  { name: "TypeScript tests", script: "test:typescript", isTest: true },
];

const isChecksOnly = process.argv.includes("--only-checks");
const started = performance.now();
const failed: string[] = [];

if (!isChecksOnly) console.log("Builds, checks and Solidity tests run side by side.");
await Promise.all(LANES.map((lane) => pass(lane, false)));
await pass(LAST, true);

const seconds = secondsSince(started);
if (failed.length > 0) {
  console.error(`\nFailed after ${seconds} s: ${failed.join(", ")}.`);
  process.exitCode = 1;
} else {
  console.log(`\nAll passed in ${seconds} s.`);
}

/** Passes gates one after the other. Alone, they show what they print at once. */
async function pass(gates: readonly Gate[], isAlone: boolean): Promise<void> {
  for (const gate of gates) {
    if (isChecksOnly && gate.isTest === true) continue;
    const gateStarted = performance.now();
    const { isPassed, output } = await run(gate.script, isAlone);
    if (output !== "" && (gate.isTest === true || !isPassed)) console.log(`\n${output.trim()}\n`);
    console.log(`${isPassed ? "ok   " : "FAIL "}${gate.name}: ${secondsSince(gateStarted)} s`);
    if (!isPassed) failed.push(gate.name);
  }
}

/** Runs a script of the package. Output of gates that run side by side is kept together. */
async function run(script: string, isAlone: boolean): Promise<{ readonly isPassed: boolean; readonly output: string }> {
  const child = spawn("npm", ["run", "--silent", script], {
    stdio: isAlone ? "inherit" : ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [status] = (await once(child, "close")) as [number | null];
  return { isPassed: status === 0, output: Buffer.concat(chunks).toString() };
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}

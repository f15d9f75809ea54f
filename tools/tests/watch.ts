// On each change, runs the test files that import the file, directly or indirectly: `npm run test:watch`.
import { watch } from "node:fs/promises";
import { relative, sep } from "node:path";

import { cruise, type ICruiseResult } from "dependency-cruiser";

import { runTests } from "./mocha.ts";

/** Groups changes that belong together, in milliseconds. */
const PAUSE_MS = 200;

const FOLDERS = ["src", "scripts", "test"];

const changed = new Set<string>();
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

console.log(`Waiting for changes in ${FOLDERS.join(", ")}. Press Ctrl-C to stop.`);
await Promise.all([...FOLDERS.map(collect), repeat()]).catch((error: unknown) => {
  if (!stop.signal.aborted) throw error;
});

async function collect(folder: string): Promise<void> {
  for await (const { filename } of watch(folder, { recursive: true, signal: stop.signal })) {
    if (filename?.endsWith(".ts") === true) changed.add(`${folder}/${filename.split(sep).join("/")}`);
  }
}

async function repeat(): Promise<void> {
  while (!stop.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (changed.size === 0) continue;
    const files = [...changed];
    changed.clear();
    const tests = await testsOf(files);
    console.log(`\n${files.join(", ")}: ${tests.length === 0 ? "no test imports this" : `${tests.length} test files`}`);
    if (tests.length > 0) await runTests(tests);
  }
}

/** Test files among these, or that import them directly or indirectly. */
async function testsOf(files: readonly string[]): Promise<string[]> {
  const reaches = `^(?:${files.map((file) => file.replaceAll(/[.+]/gu, String.raw`\$&`)).join("|")})$`;
  const { output } = await cruise(FOLDERS, { reaches, tsPreCompilationDeps: true, doNotFollow: "node_modules" });
  return (output as ICruiseResult).modules
    .map(({ source }) => relative(".", source))
    .filter((source) => source.endsWith(".test.ts") && !source.startsWith("test/campaigns"))
    .sort();
}

import type { Context, RootHookObject, Suite } from "mocha";

import { SEED } from "./seed.ts";

/** What keeps a process running, and must be gone after the tests, by Node's names. */
const LEAKS: ReadonlySet<string> = new Set(["ProcessWrap", "TCPServerWrap", "TCPSocketWrap", "FSEventWrap"]);

/** How long what is closing may take, in milliseconds. */
const CLOSING_MS = 30_000;

let before: readonly string[] = [];

/** Hooks around all tests of a run: random inputs and the order of the groups by the seed, and no leaks at the end. */
export const rootHooks: RootHookObject = {
  async beforeAll(this: Context) {
    before = process.getActiveResourcesInfo().filter((name) => LEAKS.has(name));
    // Imported here, because every run of Hardhat loads this file.
    const { configureGlobal } = await import("fast-check");
    configureGlobal({ seed: SEED });
    const seed = process.env.CROSSCALL_TEST_SEED;
    const root = this.test?.parent;
    if (root === undefined) return;
    if (seed !== undefined) await shuffle(root, seed);
    // Added here, behind the hooks of all files: what these close is no leak.
    root.afterAll("nothing is left behind", requireNoLeaks);
  },
};

async function requireNoLeaks(): Promise<void> {
  const end = performance.now() + CLOSING_MS * Number(process.env.CROSSCALL_TEST_TIMEOUT_FACTOR ?? 1);
  while (leaks().length > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  if (leaks().length > 0) throw new Error(`the tests left behind: ${leaks().join(", ")}`);
}

/** What is open now beyond what was before the tests. */
function leaks(): readonly string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((name) => {
    if (!LEAKS.has(name)) return false;
    const index = known.indexOf(name);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}

/** Puts groups of tests into an order that the seed gives. The tests of a group are steps, and keep theirs. */
async function shuffle(root: Suite, seed: string): Promise<void> {
  const { sample, shuffledSubarray } = await import("fast-check");
  const { length } = root.suites;
  const [order] = sample(shuffledSubarray(root.suites, { minLength: length, maxLength: length }), {
    seed: Number(seed),
    numRuns: 1,
  });
  root.suites.splice(0, length, ...(order ?? []));
}

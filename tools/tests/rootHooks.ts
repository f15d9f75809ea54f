import type { Context, RootHookObject, Suite } from "mocha";

import { SEED } from "./seed.ts";

/** Node.js names of resources that keep a process running. */
const LEAKS: ReadonlySet<string> = new Set(["ProcessWrap", "TCPServerWrap", "TCPSocketWrap", "FSEventWrap"]);

/** In milliseconds. */
const CLOSING_MS = 30_000;

let before: readonly string[] = [];

/** Seeds random inputs and the order of groups, hides v3 quotes if requested, and fails on leaks. */
export const rootHooks: RootHookObject = {
  async beforeAll(this: Context) {
    before = process.getActiveResourcesInfo().filter((name) => LEAKS.has(name));
    // Imported lazily, because every run of Hardhat loads this file.
    const { configureGlobal } = await import("fast-check");
    configureGlobal({ seed: SEED });
    if (process.env.CROSSCALL_TEST_QUOTE_V2 !== undefined) hideQuoteV3();
    const seed = process.env.CROSSCALL_TEST_SEED;
    const root = this.test?.parent;
    if (root === undefined) return;
    if (seed !== undefined) await shuffle(root, seed);
    // Runs after the hooks of all files, so that resources that these close do not count as leaks.
    root.afterAll("checks for leaks", requireNoLeaks);
  },
};

/** Simulates a service without v3 quotes, so that clients request v2 quotes. */
function hideQuoteV3(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    return new URL(url).pathname === "/quote/v3"
      ? Promise.resolve(new Response(null, { status: 404 }))
      : send(input, init);
  };
}

async function requireNoLeaks(): Promise<void> {
  const end = performance.now() + CLOSING_MS * Number(process.env.CROSSCALL_TEST_TIMEOUT_FACTOR ?? 1);
  while (leaks().length > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  if (leaks().length > 0) throw new Error(`the tests leaked: ${leaks().join(", ")}`);
}

function leaks(): readonly string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((name) => {
    if (!LEAKS.has(name)) return false;
    const index = known.indexOf(name);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}

/** Shuffles only groups, because the tests in a group depend on their order. */
async function shuffle(root: Suite, seed: string): Promise<void> {
  const { sample, shuffledSubarray } = await import("fast-check");
  const { length } = root.suites;
  const [order] = sample(shuffledSubarray(root.suites, { minLength: length, maxLength: length }), {
    seed: Number(seed),
    numRuns: 1,
  });
  root.suites.splice(0, length, ...(order ?? []));
}

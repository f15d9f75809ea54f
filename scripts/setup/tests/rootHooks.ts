import type { Context, RootHookObject, Suite } from "mocha";

/** What keeps a process running, and must be gone after the tests, by Node's names. */
const LEAKS: ReadonlySet<string> = new Set(["ProcessWrap", "TCPServerWrap", "TCPSocketWrap", "FSEventWrap"]);

/** How long what is closing may take, in milliseconds. */
const CLOSING_MS = 30_000;

let before: readonly string[] = [];

/** Hooks around all tests of a run: the order of the groups by `CROSSCALL_TEST_SEED`, and no leaks at the end. */
export const rootHooks: RootHookObject = {
  beforeAll(this: Context) {
    before = process.getActiveResourcesInfo().filter((name) => LEAKS.has(name));
    const seed = process.env.CROSSCALL_TEST_SEED;
    const root = this.test?.parent;
    if (root === undefined) return;
    if (seed !== undefined) shuffle(root, seed);
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
function shuffle({ suites }: Suite, seed: string): void {
  const random = createRandom(seed);
  for (let last = suites.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [left, right] = [suites[last], suites[other]];
    if (left === undefined || right === undefined) continue;
    suites[last] = right;
    suites[other] = left;
  }
}

/** Numbers from 0 to 1 that a seed gives, by a hash of 32 bits. */
function createRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

import { createServer } from "node:net";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";
import Mocha, { Suite, Test } from "mocha";

import { formatResults, type TestResults } from "../../../../tools/tests/reporter.ts";
import { rootHooks } from "../../../../tools/tests/rootHooks.ts";

const REPORTER = fileURLToPath(new URL("../../../../tools/tests/reporter.ts", import.meta.url));

describe("a test run", () => {
  let folder: string;
  const environment = { ...process.env };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-reporter-"));
    process.env.CROSSCALL_TEST_RESULTS = join(folder, "results.json");
    process.env.CROSSCALL_TEST_TIMEOUT_FACTOR = "0.01";
  });

  afterEach(async () => {
    for (const name of ["CROSSCALL_TEST_RESULTS", "CROSSCALL_TEST_TIMEOUT_FACTOR", "CROSSCALL_TEST_SEED"]) {
      if (environment[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = environment[name];
    }
    await rm(folder, { recursive: true });
  });

  /** Runs the given tests separately, and returns the reporter's output. */
  async function run(
    groups: Readonly<Record<string, Readonly<Record<string, () => void>>>>,
    after: () => void = () => undefined,
  ): Promise<TestResults> {
    const mocha = new Mocha({ reporter: REPORTER, reporterOptions: { isInner: true }, rootHooks });
    mocha.suite.afterAll(after);
    for (const [name, tests] of Object.entries(groups)) {
      const suite = Suite.create(mocha.suite, name);
      for (const [title, body] of Object.entries(tests)) {
        const test = new Test(title, body);
        test.file = join(process.cwd(), "test/unit/sample.test.ts");
        suite.addTest(test);
      }
    }
    await quietly(() => new Promise<void>((resolve) => void mocha.run(() => resolve())));
    mocha.dispose();
    return JSON.parse(await readFile(join(folder, "results.json"), "utf8")) as TestResults;
  }

  it("ends with the slowest tests, the failures, the command for each failure, and the counts", async () => {
    const fail = (): void => {
      throw new Error("7 is not 8");
    };
    const results = await run({ amounts: { "reads 8": fail, "reads 7": () => undefined } });
    expect(results.failed.map(({ name, command }) => [name, command])).to.deep.equal([
      ["amounts reads 8", 'npx hardhat test mocha test/unit/sample.test.ts --grep "amounts reads 8"'],
    ]);
    const lines = formatResults([results]).split("\n");
    expect(lines.filter((line) => line.trim() !== "" && !line.includes(" at "))).to.deep.equal([
      "The slowest tests:",
      "     0.0 s  amounts reads 7",
      "1) amounts reads 8",
      "  Error: 7 is not 8",
      "  Run only this test:",
      '  npx hardhat test mocha test/unit/sample.test.ts --grep "amounts reads 8"',
      "Tests: 1 passed, 1 failed.",
    ]);
  });

  it("reports the causes of a failure", async () => {
    const fail = (): void => {
      throw new Error("the property failed after 3 tests", { cause: new Error("7 is not 8") });
    };
    const { failed } = await run({ amounts: { "are 8": fail } });
    const lines = failed.flatMap(({ error }) => error.split("\n")).filter((line) => !line.includes(" at "));
    expect(lines).to.deep.equal(["Error: the property failed after 3 tests", "Caused by: Error: 7 is not 8"]);
  });

  it("fails if a server remains open", async () => {
    const server = createServer();
    const opened = { "opens one": () => void server.listen(0, "127.0.0.1") };
    try {
      const { failed } = await run({ servers: opened });
      expect(failed.map(({ error }) => error.split("\n")[0])).to.deep.equal(["Error: the tests leaked: TCPServerWrap"]);
    } finally {
      server.close();
    }
  });

  it("ignores resources that a root hook closes", async () => {
    const server = createServer();
    const { failed } = await run({ servers: { "opens one": () => void server.listen(0, "127.0.0.1") } }, () => {
      server.close();
    });
    expect(failed).to.deep.equal([]);
  });

  it("orders the groups by the seed only", async () => {
    const orderOf = async (seed: string): Promise<string> => {
      process.env.CROSSCALL_TEST_SEED = seed;
      const order: string[] = [];
      const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
      await run(Object.fromEntries(names.map((name) => [name, { runs: () => void order.push(name) }])));
      expect(order.toSorted()).to.deep.equal(names);
      return order.join("");
    };
    const first = await orderOf("1");
    expect(await orderOf("1")).to.equal(first);
    expect([await orderOf("2"), await orderOf("3")]).not.to.deep.equal([first, first]);
  });
});

/** Captures output instead of printing it. */
async function quietly(action: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => undefined;
  try {
    await action();
  } finally {
    console.log = log;
  }
}

// The checks that checkAll.ts runs.

/** A check: a script of package.json that must pass. */
export interface Gate {
  readonly name: string;
  readonly script: string;
  readonly needs?: readonly string[];
  /** Scripts that write the same cache. Starts only after they end, if they run at all. */
  readonly after?: readonly string[];
  readonly parameters?: readonly string[];
  /** Pattern of the TypeScript test files to run, except those of the other command. */
  readonly files?: string;
  /** Which half of these files to run. */
  readonly half?: 0 | 1;
  /** Text that test files must contain to run. */
  readonly text?: string;
  /** Factor for the number of random inputs. */
  readonly inputs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTest?: true;
  /** Whether it has priority, because the whole run waits for it. */
  readonly isLong?: true;
}

export const BUILDS: readonly Gate[] = [
  { name: "build", script: "compile", isLong: true },
  { name: "build of the Solidity tests", script: "compile:tests", needs: ["compile"] },
];

export const CHECKS: readonly Gate[] = [
  { name: "Solidity lint", script: "check:lint-solidity" },
  { name: "format", script: "check:format" },
  { name: "spelling", script: "check:spelling" },
  { name: "dependency direction", script: "check:dependencies" },
  { name: "unused code and dependencies", script: "check:unused" },
  { name: "generated ABIs are fresh", script: "check:abi", needs: ["compile"] },
  { name: "gas against the snapshots", script: "check:gas", needs: ["compile:tests"], after: ["test:solidity"] },
  { name: "types", script: "check:types", needs: ["compile"] },
  { name: "lint", script: "check:lint", needs: ["compile"] },
];

/** Splits a gate in two, so that none runs alone at the end. */
function halves(gate: Gate): readonly Gate[] {
  return ([0, 1] as const).map((half) => ({ ...gate, name: `${gate.name} (${half + 1} of 2)`, half }));
}

/** The longest tests come first, so that none runs alone at the end. */
export const TESTS: readonly Gate[] = [
  ...halves({
    name: "tests of how the parts work together",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/integration/{*,!(oracle)/**/*}.test.ts",
    isTest: true,
    isLong: true,
  }),
  { name: "Solidity tests", script: "test:solidity", needs: ["compile:tests"], isTest: true },
  {
    name: "tests of the oracle",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/integration/oracle/**/*.test.ts",
    isTest: true,
    isLong: true,
  },
  {
    name: "tests of the parts",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/unit/**/*.test.ts",
    isTest: true,
  },
];

/** Slow tests and checks: real crashes, browsers, other compilers, what npm installs, and the generated references. */
export const FULL: readonly Gate[] = [
  { name: "build without transient storage", script: "build:london", isLong: true },
  {
    name: "build of the packages",
    script: "check:packages:published",
    needs: ["compile", "build:london"],
    isLong: true,
  },
  {
    name: "packages in empty projects",
    script: "check:packages:installed",
    needs: ["check:packages:published"],
    parameters: ["--packages"],
    isLong: true,
  },
  {
    name: "packages in the example app, and in projects from the templates",
    script: "check:packages:installed",
    needs: ["check:packages:published"],
    parameters: ["--apps"],
    isLong: true,
  },
  ...halves({
    name: "slow tests of commands, pages and benchmarks",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/e2e/**/*.test.ts",
    isTest: true,
  }),
  ...halves({
    name: "slow tests of how the parts work together",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/{unit,integration}/**/*.test.ts",
    isTest: true,
  }),
  { name: "proofs", script: "prove" },
  ...halves({
    name: "crashes, and deployments that are interrupted or of the second build",
    script: "test:typescript",
    needs: ["compile", "build:london"],
    files: "test/campaigns/!(compose|*ImageBuild).test.ts",
    isTest: true,
  }),
  { name: "generated files are up to date", script: "check:api", needs: ["compile", "build:london"] },
  {
    name: "Solidity tests without transient storage",
    script: "test:solidity:london",
    needs: ["compile:tests", "build:london"],
    isTest: true,
  },
  { name: "opcodes of both builds", script: "check:opcodes:built", needs: ["compile", "build:london"] },
];

/** Tests with many more random inputs, or with version 2 of quotes. */
export const CAMPAIGNS: readonly Gate[] = [
  { name: "build without transient storage", script: "build:london" },
  {
    name: "20 times as many random inputs",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/{unit,integration,campaigns}/**/!(payOnce).test.ts",
    text: "/support/inputs.ts",
    inputs: 20,
    isTest: true,
  },
  {
    name: "the images of the oracle and of the local network, built with buildah",
    script: "test:typescript",
    needs: ["compile", "build:london"],
    files: "test/campaigns/*ImageBuild.test.ts",
    isTest: true,
  },
  {
    name: "services and workers in several processes, as docker/local/compose.yaml starts them",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/campaigns/compose.test.ts",
    isTest: true,
  },
  {
    name: "other people's programs, from the folder CROSSCALL_OTHER_PROGRAMS",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/campaigns/otherPrograms.test.ts",
    isTest: true,
  },
  {
    name: "first commands of the documentation, and install lines with four package managers",
    script: "check:quickstarts:built",
    needs: ["compile", "build:london"],
  },
  {
    name: "20,000 payments",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/integration/payOnce.test.ts",
    inputs: 20,
    isTest: true,
  },
  {
    name: "tests with quotes, with a service that only has version 2 of quotes",
    script: "test:typescript",
    needs: ["compile"],
    files: "test/integration/**/!(keys|metrics|quoteV3).test.ts",
    text: "getQuote(",
    env: { CROSSCALL_TEST_QUOTE_V2: "1" },
    isTest: true,
  },
  {
    name: "10,000 inputs for each property",
    script: "test:solidity",
    needs: ["compile:tests"],
    parameters: ["--test-profile", "campaign"],
    isTest: true,
  },
  {
    name: "10,000 inputs for each property without transient storage",
    script: "test:solidity:london",
    needs: ["compile:tests", "build:london"],
    parameters: ["--test-profile", "campaign"],
    isTest: true,
  },
];

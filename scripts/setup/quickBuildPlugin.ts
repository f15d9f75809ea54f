import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { CompilerInput, CompilerOutput } from "hardhat/types/solidity";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { asLondon } from "./london/asLondon.ts";

/** Where the tests of the contracts are, as the compiler names it. */
const TESTS = "project/test/contracts/";

/** Where the contracts are that only tests deploy, as the compiler names it. */
const MOCKS = "project/contracts/mocks/";

/** Those that contain code of the kit, or whose gas is measured: they are compiled as the kit's own contracts. */
const HARNESSES = `${MOCKS}harness/`;

type Selection = CompilerInput["settings"]["outputSelection"];

/** What the old code generator needs a tenth of the time for. */
const QUICK = { viaIR: false, optimizer: { enabled: false } } as const;

/**
 * Compiles tests and mocks by the old code generator, in a tenth of the time. Tests deploy what the build of the
 * contracts made (`create` of `test/contracts/support/Test.sol`), so that what is tested is what is deployed. Code for
 * London runs on every chain, so both builds run the same compiled tests.
 */
export const quickBuildPlugin: HardhatPlugin = {
  id: "crosscall-quick-build",
  hookHandlers: {
    solidity: () =>
      Promise.resolve({
        default: () =>
          Promise.resolve({
            preprocessSolcInputBeforeBuilding: (context, solcInput, next) =>
              next(context, hasSource(solcInput, TESTS) ? toTestInput(solcInput) : solcInput),
            invokeSolc: (context, compiler, solcInput, solcConfig, next) => {
              const compile = (input: CompilerInput) => next(context, compiler, input, solcConfig);
              if (hasSource(solcInput, TESTS)) {
                return compileOnce(context.config.paths.root, compiler.version, solcInput, compile);
              }
              return compileApart(solcInput, compile);
            },
            getCompilationJobErrors: async (context, job, output, next) => {
              const errors = await next(context, job, output);
              // The warnings of packages are for their authors.
              return errors.filter(
                ({ severity, formattedMessage = "" }) =>
                  severity === "error" || !/--> (?:\.\/)?node_modules\//u.test(formattedMessage),
              );
            },
          }),
      }),
  },
};

function hasSource({ sources }: CompilerInput, folder: string): boolean {
  return Object.keys(sources).some((name) => name.startsWith(folder));
}

function toTestInput({ sources, settings, ...input }: CompilerInput): CompilerInput {
  const london = Object.entries(sources).map(([name, { content }]) => [name, { content: asLondon(name, content) }]);
  const tests = select({ ...input, sources, settings }, (name) => name.startsWith(TESTS));
  return {
    ...input,
    sources: Object.fromEntries(london) as CompilerInput["sources"],
    settings: {
      ...tests.settings,
      ...QUICK,
      evmVersion: "london",
      // Without syntax trees: they take as long as the code, and EDR ends at the first test that fails where it has the
      // trees, but no code, of what the tests import.
      outputSelection: withoutTrees(tests.settings.outputSelection),
    },
  };
}

function withoutTrees(selection: Selection): Selection {
  return Object.fromEntries(Object.entries(selection).map(([name, { "*": code = [] }]) => [name, { "*": code }]));
}

/** Asks for the code of some sources. */
function select({ settings, ...input }: CompilerInput, isWanted: (sourceName: string) => boolean): CompilerInput {
  const outputs = settings.outputSelection["*"] ?? {};
  const wanted = Object.keys(input.sources).filter(isWanted);
  const outputSelection = Object.fromEntries(wanted.map((name) => [name, outputs]));
  return { ...input, settings: { ...settings, outputSelection } };
}

/** Compiles contracts by the settings of the build, in two processes at once, and the mocks quickly beside them. */
async function compileApart(
  input: CompilerInput,
  compile: (input: CompilerInput) => Promise<CompilerOutput>,
): Promise<CompilerOutput> {
  const isMock = (name: string): boolean => name.startsWith(MOCKS) && !name.startsWith(HARNESSES);
  const names = Object.keys(input.sources).sort();
  const contracts = names.filter((name) => !isMock(name));
  const parts = [
    { wanted: contracts.filter((_, index) => index % 2 === 0), settings: input.settings },
    { wanted: contracts.filter((_, index) => index % 2 === 1), settings: input.settings },
    { wanted: names.filter(isMock), settings: { ...input.settings, ...QUICK } },
  ].filter(({ wanted }) => wanted.length > 0);
  const outputs = await Promise.all(
    parts.map(async ({ wanted, settings }) => {
      const chosen = new Set(wanted);
      const output = await compile(select({ ...input, settings }, (name) => chosen.has(name)));
      return {
        ...output,
        sources: Object.fromEntries(Object.entries(output.sources).filter(([name]) => chosen.has(name))),
      };
    }),
  );
  // Each tells what it found in all sources.
  const errors = new Map(
    outputs.flatMap((output) => output.errors ?? []).map((error) => [error.formattedMessage, error]),
  );
  return {
    errors: [...errors.values()],
    sources: merge(outputs.map(({ sources }) => sources)),
    contracts: merge(outputs.map(({ contracts: compiled = {} }) => compiled)),
  };
}

function merge<Value>(records: readonly Readonly<Record<string, Value>>[]): Record<string, Value> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record)));
}

/** Compiles unless the last output is of the same input: the second build has the tests of the first. */
async function compileOnce(
  root: string,
  version: string,
  input: CompilerInput,
  compile: (input: CompilerInput) => Promise<CompilerOutput>,
): Promise<CompilerOutput> {
  const folder = join(root, "cache", "tests");
  const [keyPath, outputPath] = [join(folder, "input.sha256"), join(folder, "output.json")];
  const key = createHash("sha256")
    .update(JSON.stringify([version, input]))
    .digest("hex");
  if (existsSync(keyPath) && readFileSync(keyPath, "utf8") === key) {
    return JSON.parse(readFileSync(outputPath, "utf8")) as CompilerOutput;
  }
  const output = await compile(input);
  mkdirSync(folder, { recursive: true });
  writeFileSync(outputPath, JSON.stringify(output));
  // Last, so that an output that was not written whole is never read.
  writeFileSync(keyPath, key);
  return output;
}

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { CompilerInput, CompilerOutput } from "hardhat/types/solidity";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { asLondon } from "./london/asLondon.ts";

const TESTS = "project/test/contracts/";

const MOCKS = "project/contracts/mocks/";

/** Stand-ins that compile slowly and that no gas measurement uses. Gas is measured in the build for Cancun. */
const STAND_INS: Readonly<Record<string, RegExp>> = {
  cancun: /^project\/contracts\/localnet\/(?:LocalHub|LocalApprovalProxy|hub\/)/u,
  london: /^project\/contracts\/(?:localnet|testing)\//u,
};

/**
 * Folder of contracts with the kit's code or with measured gas, which are compiled in the same way as the kit's
 * contracts.
 */
const HARNESSES = `${MOCKS}harness/`;

/** The compiler's warning about `tstore`, which is ignored because the guard clears its slot. */
const TRANSIENT_STORAGE = "2394";

/** Settings that take a third of the time. */
const PLAIN = { viaIR: false, optimizer: { enabled: true, runs: 200 } } as const;

type Selection = CompilerInput["settings"]["outputSelection"];

/** Settings that take a tenth of the time. */
const QUICK = { viaIR: false, optimizer: { enabled: false } } as const;

/**
 * Compiles tests and mocks with the legacy code generator. Tests deploy the build's contracts (`create` of
 * `test/contracts/support/Test.sol`), so they test the deployed code. Both builds share the compiled tests, because
 * London code runs on every chain.
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
              // Ignores warnings in dependencies.
              return errors.filter(
                ({ severity, errorCode, formattedMessage = "" }) =>
                  severity === "error" ||
                  (errorCode !== TRANSIENT_STORAGE && !/--> (?:\.\/)?node_modules\//u.test(formattedMessage)),
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
      // Omits syntax trees, which take as long as the code. If there are syntax trees but no code of imported
      // contracts, EDR aborts at the first failing test.
      outputSelection: withoutTrees(tests.settings.outputSelection),
    },
  };
}

function withoutTrees(selection: Selection): Selection {
  return Object.fromEntries(Object.entries(selection).map(([name, { "*": code = [] }]) => [name, { "*": code }]));
}

function select({ settings, ...input }: CompilerInput, isWanted: (sourceName: string) => boolean): CompilerInput {
  const outputs = settings.outputSelection["*"] ?? {};
  const wanted = Object.keys(input.sources).filter(isWanted);
  const outputSelection = Object.fromEntries(wanted.map((name) => [name, outputs]));
  return { ...input, settings: { ...settings, outputSelection } };
}

/** Compiles contracts in two processes. Stand-ins and mocks use faster settings. */
async function compileApart(
  input: CompilerInput,
  compile: (input: CompilerInput) => Promise<CompilerOutput>,
): Promise<CompilerOutput> {
  const isMock = (name: string): boolean => name.startsWith(MOCKS) && !name.startsWith(HARNESSES);
  const names = Object.keys(input.sources).sort();
  const isStandIn = (name: string): boolean => STAND_INS[input.settings.evmVersion ?? ""]?.test(name) === true;
  const contracts = names.filter((name) => !isMock(name) && !isStandIn(name));
  const parts = [
    { wanted: contracts.filter((_, index) => index % 2 === 0), settings: input.settings },
    { wanted: contracts.filter((_, index) => index % 2 === 1), settings: input.settings },
    { wanted: names.filter(isStandIn), settings: { ...input.settings, ...PLAIN } },
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
  // Removes duplicates, because each process reports errors of all sources.
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

/** Skips the compilation if the last one had the same input, because both builds share the tests. */
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
  // Written last, so that an incomplete output is never used.
  writeFileSync(keyPath, key);
  return output;
}

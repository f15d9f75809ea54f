import { settings } from "../../hardhat.config.ts";
import { compile, readSource } from "../solidity/solc.ts";
import type { Code } from "./testProcess.ts";

interface Output {
  readonly errors?: readonly { readonly severity: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly evm: Readonly<Record<"bytecode" | "deployedBytecode", { readonly object: string }>> }>
      >
    >
  >;
}

/**
 * Settings of the build, or settings with the legacy code generator and without the optimizer, which are ten times as
 * fast.
 */
const SETTINGS = {
  deployed: settings,
  quick: { evmVersion: settings.evmVersion, metadata: { appendCBOR: false } },
} as const;

/**
 * Compiles contracts. Returns undefined if they do not compile.
 *
 * @param names source names
 * @param changed source that replaces the repository's source
 */
export function compileContracts(
  names: readonly string[],
  changed: ReadonlyMap<string, string>,
  build: keyof typeof SETTINGS,
): Code | undefined {
  const read = (name: string) => changed.get(name) ?? readSource(name);
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(names.map((name) => [name, { content: read(name) }])),
    settings: {
      ...SETTINGS[build],
      outputSelection: Object.fromEntries(
        names.map((name) => [name, { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] }]),
      ),
    },
  };
  const output = compile(input, read) as Output;
  if (output.errors?.some(({ severity }) => severity === "error") === true) return undefined;
  return Object.fromEntries(
    Object.entries(output.contracts ?? {}).flatMap(([source, contracts]) =>
      Object.entries(contracts).map(([name, { evm }]) => [
        `project/${source}:${name}`,
        { bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` },
      ]),
    ),
  );
}

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import solc from "solc";

import { settings } from "../../hardhat.config.ts";
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

// solc's types have `any`.
const compile = solc.compile as (
  input: string,
  callbacks: { import: (path: string) => { contents: string } | { error: string } },
) => string;

const root = new URL("../../", import.meta.url);

/** The settings of the build, or those of the legacy code generator without the optimizer, which is ten times as fast. */
const SETTINGS = {
  deployed: settings,
  quick: { evmVersion: settings.evmVersion, metadata: { appendCBOR: false } },
} as const;

/**
 * Compiles contracts. Returns undefined if they do not compile.
 *
 * @param names source names
 * @param changed a source instead of the one in the repository
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
  const output = JSON.parse(
    compile(JSON.stringify(input), {
      import: (path) => {
        const contents = read(path);
        return contents === undefined ? { error: `there is no ${path}` } : { contents };
      },
    }),
  ) as Output;
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

function readSource(name: string): string | undefined {
  const path = fileURLToPath(new URL(name.startsWith("@") ? `node_modules/${name}` : name, root));
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

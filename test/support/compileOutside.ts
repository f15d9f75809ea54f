import { createRequire } from "node:module";

interface Compiler {
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
}

interface Problem {
  readonly severity: "error" | "warning" | "info";
  readonly errorCode?: string;
  readonly formattedMessage: string;
}

export interface OutsideCompilation {
  readonly errors: readonly string[];
  /** Codes of the compiler's warnings. */
  readonly warnings: readonly string[];
  /** Contracts with code. */
  readonly deployable: readonly string[];
}

const require = createRequire(import.meta.url);

const COMPILERS = {
  "0.8.20": () => require("solc-0.8.20") as Compiler,
  "0.8.24": () => require("solc-0.8.24") as Compiler,
  "0.8.28": () => require("solc-0.8.28") as Compiler,
  "0.8.30": () => require("solc-0.8.30") as Compiler,
  "0.8.37": () => require("solc") as Compiler,
} as const satisfies Record<string, () => Compiler>;

export type CompilerVersion = keyof typeof COMPILERS;

export const COMPILER_VERSIONS = Object.keys(COMPILERS) as readonly CompilerVersion[];

/** Compiles files of a project with the fastest settings. */
export function compileOutside(
  version: CompilerVersion,
  {
    sources,
    output,
    remappings = [],
    read,
  }: {
    readonly sources: readonly string[];
    /** Code generation finds more errors, but takes several times as long. */
    readonly output: "abi" | "evm.bytecode.object";
    readonly remappings?: readonly string[];
    /** Returns the contents of a file by its import path. */
    readonly read: (path: string) => string;
  },
): OutsideCompilation {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(sources.map((path) => [path, { content: read(path) }])),
    settings: {
      remappings,
      // The first compiler version with transient storage has an older default EVM version.
      evmVersion: version === "0.8.20" ? "shanghai" : "cancun",
      outputSelection: { "*": { "*": [output] } },
    },
  };
  const resolve = (path: string) => {
    try {
      return { contents: read(path) };
    } catch (error) {
      return { error: String(error) };
    }
  };
  const { errors = [], contracts = {} } = JSON.parse(
    loadCompiler(version).compile(JSON.stringify(input), { import: resolve }),
  ) as {
    readonly errors?: readonly Problem[];
    readonly contracts?: Readonly<
      Record<string, Readonly<Record<string, { readonly evm?: { readonly bytecode: { readonly object: string } } }>>>
    >;
  };
  return {
    errors: errors.filter(({ severity }) => severity === "error").map(({ formattedMessage }) => formattedMessage),
    warnings: errors.filter(({ severity }) => severity === "warning").map(({ errorCode }) => errorCode ?? ""),
    deployable: Object.values(contracts).flatMap((file) =>
      Object.entries(file)
        .filter(([, { evm }]) => (evm?.bytecode.object ?? "") !== "")
        .map(([name]) => name),
    ),
  };
}

/** Removes the listener that each compiler adds, which ends the process on any rejection. */
function loadCompiler(version: CompilerVersion): Compiler {
  const before = process.listeners("unhandledRejection");
  const compiler = COMPILERS[version]();
  for (const listener of process.listeners("unhandledRejection")) {
    if (!before.includes(listener)) process.removeListener("unhandledRejection", listener);
  }
  return compiler;
}

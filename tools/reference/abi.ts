import { readFileSync } from "node:fs";

import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import type { Generated } from "./pages.ts";

const SOURCES = {
  "packages/protocol/src/abi": {
    // Lists the contracts with generated ABIs, which include the errors of libraries.
    attestationVerifier: "attestation/AttestationVerifier",
    depository: "interfaces/IDepository",
    destinationProxy: "interfaces/IDestinationProxy",
    livePuller: "interfaces/ILivePuller",
    pushExecutor: "interfaces/IPushExecutor",
    router: "interfaces/IRouter",
  },
  "packages/crosscall/src/abi": {
    localApprovalProxy: "localnet/LocalApprovalProxy",
    localDollar: "localnet/tokens/LocalDollar",
    localHub: "localnet/LocalHub",
    localSweeper: "localnet/LocalSweeper",
  },
} as const;

/** Contracts with code that is only set by state overrides. */
const OVERRIDES = { fillRunner: "replay/FillRunner", localBalances: "localnet/LocalBalances" } as const;

const DENIED_FUNCTIONS = "libraries/DeniedSelectors";

/**
 * Generates packages/protocol/src/abi/ and packages/crosscall/src/abi/: one `as const` array per contract, for viem's
 * types; the functions that the push executor denies; and the code of contracts that are never deployed.
 */
export function generate(): Generated {
  const pages = new Map<string, string>();
  const add = (file: string, source: string, constants: Readonly<Record<string, unknown>>): void => {
    const texts = Object.entries(constants).map(
      ([name, value]) =>
        `/** From \`contracts/${source}.sol\`. */\nexport const ${name} = ${toLiteral(value)} as const;\n`,
    );
    const head = `// Generated from contracts/${source}.sol by \`npm run generate\`.\n`;
    pages.set(`${file}.generated.ts`, head + texts.join(""));
  };
  for (const [folder, sources] of Object.entries(SOURCES)) {
    for (const [name, source] of Object.entries(sources)) {
      add(`${folder}/${name}`, source, { [`${name}Abi`]: readArtifact(source).abi });
    }
  }
  for (const [name, source] of Object.entries(OVERRIDES)) {
    const { abi, deployedBytecode } = readArtifact(source);
    add(`packages/crosscall/src/abi/${name}`, source, { [`${name}Abi`]: abi, [`${name}Code`]: deployedBytecode });
  }
  add("packages/protocol/src/abi/deniedFunctions", DENIED_FUNCTIONS, { deniedFunctions: readDeniedFunctions() });
  return { pages };
}

/** Writes one entry per line, without Solidity type names, which clients do not read. */
function toLiteral(value: unknown): string {
  const toText = (part: unknown): string =>
    JSON.stringify(part, (key, inner: unknown) => (key === "internalType" ? undefined : inner));
  return Array.isArray(value) ? `[\n${value.map((entry) => `  ${toText(entry)},\n`).join("")}]` : toText(value);
}

/** Reads the signatures in the library's comparisons. */
function readDeniedFunctions(): string[] {
  const library = readFileSync(new URL(`../../contracts/${DENIED_FUNCTIONS}.sol`, import.meta.url), "utf8");
  const found = [...library.matchAll(/selector\s*==\s*bytes4\(\s*keccak256\(\s*"(.+?)"/gu)];
  // Checks the number, because clients would not deny a missing function.
  const all = library.split("keccak256(").length - 1;
  if (found.length !== all)
    throw new Error(`${DENIED_FUNCTIONS} denies ${all} functions, but ${found.length} were read`);
  return found.map(([, signature = ""]) => signature);
}

import { readFileSync } from "node:fs";

import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import type { Generated } from "./pages.ts";

/** Contracts by file. The ABIs of the kit's contracts include the errors of libraries. */
const SOURCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "packages/protocol/src/abi/attestationVerifier": { attestationVerifier: "attestation/AttestationVerifier" },
  "packages/protocol/src/abi/destinationProxy": { destinationProxy: "interfaces/IDestinationProxy" },
  "packages/protocol/src/abi/executor": {
    livePuller: "interfaces/ILivePuller",
    pushExecutor: "interfaces/IPushExecutor",
  },
  "packages/protocol/src/abi/service": { depository: "interfaces/IDepository", router: "interfaces/IRouter" },
  "packages/crosscall/src/abi/fillRunner": { fillRunner: "replay/FillRunner" },
  "packages/crosscall/src/abi/localContracts": {
    localApprovalProxy: "localnet/LocalApprovalProxy",
    localBalances: "localnet/LocalBalances",
    localSweeper: "localnet/LocalSweeper",
  },
  "packages/crosscall/src/abi/localDollar": { localDollar: "localnet/tokens/LocalDollar" },
  "packages/crosscall/src/abi/localHub": { localHub: "localnet/LocalHub" },
};

/** Contracts that are never deployed: state overrides set their code. */
const OVERRIDES: ReadonlySet<string> = new Set(["fillRunner", "localBalances"]);

const HEAD = "// Generated from the contracts by `npm run generate`.\n\n";

const DENIED_FUNCTIONS = "libraries/DeniedSelectors";

/**
 * Generates packages/protocol/src/abi/ and packages/crosscall/src/abi/: one `as const` array per contract, for viem's
 * types; the functions that the push executor denies; and the code of contracts that are never deployed.
 */
export function generate(): Generated {
  const pages = Object.entries(SOURCES).map(([file, contracts]): [string, string] => {
    const constants = Object.entries(contracts).flatMap(([name, source]) => {
      const { abi, deployedBytecode } = readArtifact(source);
      const code = OVERRIDES.has(name) ? [toConstant(`${name}Code`, source, deployedBytecode)] : [];
      return [toConstant(`${name}Abi`, source, abi), ...code];
    });
    return [`${file}.generated.ts`, HEAD + constants.join("")];
  });
  const denied = toConstant("deniedFunctions", DENIED_FUNCTIONS, readDeniedFunctions());
  return { pages: new Map([...pages, ["packages/protocol/src/abi/deniedFunctions.generated.ts", HEAD + denied]]) };
}

function toConstant(name: string, source: string, value: unknown): string {
  return `/** From \`contracts/${source}.sol\`. */\nexport const ${name} = ${toLiteral(value)} as const;\n`;
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

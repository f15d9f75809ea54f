// Generates packages/protocol/src/abi/ and packages/crosscall/src/abi/ from the build: one `as const` array per contract, for viem's types; the
// functions that the push executor denies; and the code of contracts that are never deployed. `--check` writes nothing and fails if a file
// differs.
import { readFileSync, writeFileSync } from "node:fs";

import { readArtifact } from "../packages/crosscall/src/artifacts.ts";

const SOURCES = {
  "packages/protocol/src/abi": {
    // Includes the errors of libraries.
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

/** Their code is placed by state overrides. */
const OVERRIDES = { fillRunner: "replay/FillRunner", localBalances: "localnet/LocalBalances" } as const;

const DENIED_FUNCTIONS = "libraries/DeniedSelectors";

const isCheck = process.argv.includes("--check");
const stale: string[] = [];

for (const [folder, sources] of Object.entries(SOURCES)) {
  for (const [name, source] of Object.entries(sources)) {
    writeOrCheck(`${folder}/${name}`, source, { [`${name}Abi`]: readArtifact(source).abi });
  }
}
for (const [name, source] of Object.entries(OVERRIDES)) {
  const { abi, deployedBytecode } = readArtifact(source);
  writeOrCheck(`packages/crosscall/src/abi/${name}`, source, {
    [`${name}Abi`]: abi,
    [`${name}Code`]: deployedBytecode,
  });
}
writeOrCheck("packages/protocol/src/abi/deniedFunctions", DENIED_FUNCTIONS, { deniedFunctions: readDeniedFunctions() });

if (stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run \`npm run generate\`.`);
  process.exitCode = 1;
}

function writeOrCheck(file: string, source: string, constants: Readonly<Record<string, unknown>>): void {
  const path = new URL(`../${file}.generated.ts`, import.meta.url);
  const text = [
    `// Generated from contracts/${source}.sol by \`npm run generate\`.`,
    ...Object.entries(constants).map(
      ([constant, value]) =>
        `/** From \`contracts/${source}.sol\`. */\nexport const ${constant} = ${toLiteral(value)} as const;`,
    ),
    "",
  ].join("\n");
  if (!isCheck) {
    writeFileSync(path, text);
  } else if (readExisting(path) !== text) {
    stale.push(`${file}.generated.ts`);
  }
}

/** One entry per line, without Solidity type names, which clients do not read. */
function toLiteral(value: unknown): string {
  const toText = (part: unknown): string =>
    JSON.stringify(part, (key, inner: unknown) => (key === "internalType" ? undefined : inner));
  return Array.isArray(value) ? `[\n${value.map((entry) => `  ${toText(entry)},\n`).join("")}]` : toText(value);
}

/** The signatures in the library's comparisons. */
function readDeniedFunctions(): string[] {
  const library = readFileSync(new URL(`../contracts/${DENIED_FUNCTIONS}.sol`, import.meta.url), "utf8");
  const found = [...library.matchAll(/selector\s*==\s*bytes4\(\s*keccak256\(\s*"(.+?)"/gu)];
  // Clients would not deny a function that is missed here.
  const all = library.split("keccak256(").length - 1;
  if (found.length !== all)
    throw new Error(`${DENIED_FUNCTIONS} denies ${all} functions, but ${found.length} were read`);
  return found.map(([, signature = ""]) => signature);
}

function readExisting(path: URL): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

// Writes src/abi/ from the build: one `as const` array a contract, so that viem infers types from it. And the functions
// that the push executor denies, from their library; and the code that replays put into calls.
// `--check` writes nothing and fails when a file is not what the build says.
import { readFileSync, writeFileSync } from "node:fs";

import { readArtifact } from "../../src/chains/artifacts.ts";

/** Name of the exported array, and the contract it comes from. */
const SOURCES = {
  // With the errors of the libraries that it uses.
  attestationVerifier: "attestation/AttestationVerifier",
  depository: "interfaces/IDepository",
  destinationProxy: "interfaces/IDestinationProxy",
  livePuller: "interfaces/ILivePuller",
  localDollar: "localnet/tokens/LocalDollar",
  localSweeper: "localnet/LocalSweeper",
  pushExecutor: "interfaces/IPushExecutor",
  router: "interfaces/IRouter",
} as const;

/** Put into calls of nodes by its code, which any account can have. */
const RUNNER = "replay/FillRunner";

const DENIED_FUNCTIONS = "libraries/DeniedSelectors";

const isCheck = process.argv.includes("--check");
const stale: string[] = [];

for (const [name, source] of Object.entries(SOURCES)) {
  writeOrCheck(name, source, { [`${name}Abi`]: readArtifact(source).abi });
}
writeOrCheck("fillRunner", RUNNER, {
  fillRunnerAbi: readArtifact(RUNNER).abi,
  fillRunnerCode: readArtifact(RUNNER).deployedBytecode,
});
writeOrCheck("deniedFunctions", DENIED_FUNCTIONS, { deniedFunctions: readDeniedFunctions() });

if (stale.length > 0) {
  console.error(`not what the build says: ${stale.join(", ")}. Run \`npm run generate\`.`);
  process.exitCode = 1;
}

function writeOrCheck(name: string, source: string, constants: Readonly<Record<string, unknown>>): void {
  const path = new URL(`../../src/abi/${name}.generated.ts`, import.meta.url);
  const text = [
    `// Generated from contracts/${source}.sol by \`npm run generate\`.`,
    ...Object.entries(constants).map(
      ([constant, value]) => `export const ${constant} = ${JSON.stringify(value, null, 2)} as const;`,
    ),
    "",
  ].join("\n");
  if (!isCheck) {
    writeFileSync(path, text);
  } else if (readExisting(path) !== text) {
    stale.push(`src/abi/${name}.generated.ts`);
  }
}

/** The signatures whose hashes the library compares. */
function readDeniedFunctions(): string[] {
  const library = readFileSync(new URL(`../../contracts/${DENIED_FUNCTIONS}.sol`, import.meta.url), "utf8");
  return [...library.matchAll(/selector == bytes4\(keccak256\("(.+?)"\)\)/gu)].map(([, signature = ""]) => signature);
}

function readExisting(path: URL): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

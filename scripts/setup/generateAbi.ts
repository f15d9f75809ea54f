// Writes src/abi/ from the build: one `as const` array a contract, so that viem infers types from it.
// `--check` writes nothing and fails when a file is not what the build says.
import { readFileSync, writeFileSync } from "node:fs";

import { readArtifact } from "../../src/chains/artifacts.ts";

/** Name of the exported array, and the contract it comes from. */
const SOURCES = {
  depository: "interfaces/IDepository",
  destinationProxy: "interfaces/IDestinationProxy",
  localDollar: "localnet/tokens/LocalDollar",
  router: "interfaces/IRouter",
} as const;

const isCheck = process.argv.includes("--check");
const stale: string[] = [];

for (const [name, source] of Object.entries(SOURCES)) {
  const path = new URL(`../../src/abi/${name}.generated.ts`, import.meta.url);
  const text = [
    `// Generated from contracts/${source}.sol by \`npm run generate\`.`,
    `export const ${name}Abi = ${JSON.stringify(readArtifact(source).abi, null, 2)} as const;`,
    "",
  ].join("\n");
  if (!isCheck) {
    writeFileSync(path, text);
  } else if (readExisting(path) !== text) {
    stale.push(`src/abi/${name}.generated.ts`);
  }
}

if (stale.length > 0) {
  console.error(`not what the build says: ${stale.join(", ")}. Run \`npm run generate\`.`);
  process.exitCode = 1;
}

function readExisting(path: URL): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

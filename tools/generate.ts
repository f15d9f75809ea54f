// Writes the files that are generated from the sources: `npm run generate`. Pass names to generate only some parts:
// `node tools/generate.ts api`. `--check` writes nothing and fails if a file in Git is out of date.
import { parseArgs } from "node:util";

import { writePages, type Generated } from "./reference/pages.ts";

/** Parts in order. Each part reads the output of earlier parts. */
const PARTS: Readonly<Record<string, () => Promise<{ readonly generate: () => Generated | Promise<Generated> }>>> = {
  abi: () => import("./reference/abi.ts"),
  deployments: () => import("./reference/deployments.ts"),
  addresses: () => import("./reference/addresses.ts"),
  errors: () => import("./reference/errors.ts"),
  scenarios: () => import("./reference/scenarios.ts"),
  api: () => import("./reference/api.ts"),
  commands: () => import("./reference/commands.ts"),
};

const { values, positionals } = parseArgs({ options: { check: { type: "boolean" } }, allowPositionals: true });
for (const name of positionals.length === 0 ? Object.keys(PARTS) : positionals) {
  const load = PARTS[name];
  if (load === undefined) throw new Error(`there is no part ${name}; pass one of ${Object.keys(PARTS).join(", ")}`);
  const { pages, faults = [] } = await (await load()).generate();
  const all = [...faults, ...writePages(pages, values.check === true)];
  for (const fault of all) console.error(fault);
  if (all.length > 0) process.exitCode = 1;
}

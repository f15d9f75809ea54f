import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { addLine, type ManagerName } from "./installLines.ts";
import type { Shell } from "./shell.ts";

/** Existing projects: what they installed before, and their files. */
export const PROJECTS: Readonly<
  Record<string, { readonly installs: string; readonly files: Readonly<Record<string, string>> }>
> = {
  "Node.js": { installs: "viem", files: {} },
  Hardhat: {
    // With the compiler from npm, because Hardhat would download one.
    installs: "hardhat @nomicfoundation/hardhat-mocha mocha solc@0.8.28",
    files: {
      "hardhat.config.ts": `import mocha from "@nomicfoundation/hardhat-mocha";
import { defineConfig } from "hardhat/config";
const path = new URL("node_modules/solc/soljson.js", import.meta.url).pathname;
export default defineConfig({ plugins: [mocha], solidity: { version: "0.8.28", path } });
`,
    },
  },
};

/** Runs `crosscall init` in a project of a package manager, and then each command that it prints under "Next". */
export async function checkInit(shell: Shell, manager: ManagerName, project: string): Promise<void> {
  const { installs, files } = PROJECTS[project] ?? { installs: "", files: {} };
  const manifest = { name: "project", private: true, type: "module" };
  for (const [name, text] of Object.entries({ "package.json": JSON.stringify(manifest), ...files })) {
    await writeFile(join(shell.folder, name), text);
  }
  // Also writes the lockfile, by which `init` recognizes the package manager.
  await shell.run(addLine(manager, installs));
  const output = await shell.run("npx crosscall init --yes");
  const steps = (/^Next:\n((?: {2}.*\n)+)/mu.exec(output)?.[1] ?? "").trim().split(/\n +/u);
  if (steps.length < 3) throw new Error(`no commands:\n${output}`);
  for (const step of steps) {
    if (step.includes("# in another terminal")) await shell.startUntil(step, /127\.0\.0\.1/u);
    else await shell.run(step);
  }
}

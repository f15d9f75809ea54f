import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { InvalidStateError } from "../../src/core/errors.ts";

const OPTIONS = ["--quiet", "--no-tests", "--no-typechain"];

/**
 * Compiles contracts, where a checkout has them not compiled or changed. The published package has them compiled.
 *
 * @param sources paths below `contracts/`, without the ending
 * @throws {@link InvalidStateError} when they do not compile
 */
export async function compileContracts(signal: AbortSignal, sources: readonly string[]): Promise<void> {
  const root = new URL(".", import.meta.resolve("crosscall/package.json"));
  if (!existsSync(new URL("hardhat.config.ts", root))) return;
  const hardhat = fileURLToPath(import.meta.resolve("hardhat/package.json").replace("package.json", "dist/src/cli.js"));
  const files = sources.map((source) => `contracts/${source}.sol`);
  try {
    await promisify(execFile)(process.execPath, [hardhat, "build", ...OPTIONS, ...files], {
      cwd: fileURLToPath(root),
      env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" },
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new InvalidStateError({
      message: "the contracts do not compile",
      cure: "Run `npx hardhat build` for the compiler's messages.",
      cause,
    });
  }
}

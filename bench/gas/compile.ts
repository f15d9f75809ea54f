import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { InvalidStateError } from "../../packages/protocol/src/core/errors.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Compiles the benchmark's own contracts if they are new or changed.
 *
 * @throws {@link InvalidStateError} if they do not compile
 */
export async function compile(signal: AbortSignal): Promise<void> {
  const hardhat = fileURLToPath(import.meta.resolve("hardhat/package.json").replace("package.json", "dist/src/cli.js"));
  const options = ["--config", "bench/hardhat.config.ts", "build", "--quiet", "--no-tests"];
  try {
    // Runs in a separate process, because Hardhat prints compiler warnings to standard output.
    await promisify(execFile)(process.execPath, [hardhat, ...options], {
      cwd: ROOT,
      env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" },
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new InvalidStateError({
      message: "the contracts of the benchmark do not compile",
      hint: "Run `npx hardhat --config bench/hardhat.config.ts build --no-tests` to see the compiler's messages.",
      cause,
    });
  }
}

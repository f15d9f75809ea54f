import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Prints to the terminal.
 *
 * @returns the exit code
 */
export async function runTests(files: readonly string[], parameters: readonly string[] = []): Promise<number> {
  const child = spawn("npx", ["hardhat", "test", "mocha", "--no-compile", ...parameters, ...files], {
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" },
  });
  const [status] = (await once(child, "close")) as [number | null];
  return status ?? 1;
}

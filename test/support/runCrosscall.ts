import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A finished command. */
export interface FinishedCommand {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Runs `crosscall` as its own process, with no setting of the kit from outside but the given ones. */
export async function runCrosscall(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<FinishedCommand> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CROSSCALL_"));
  const child = spawn(process.execPath, ["scripts/crosscall.ts", ...args], {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, stdout, stderr };
}

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, statSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { type Build, BUILD_FOLDERS, BUILD_ROOT } from "../artifacts.ts";
import { InvalidStateError } from "@crosscall/protocol/core";

const OPTIONS: Readonly<Record<Build, readonly string[]>> = {
  cancun: ["--quiet", "--no-tests", "--no-typechain"],
  london: ["--config", "hardhat.london.config.ts", "--quiet", "--no-tests"],
};

/**
 * Compiles contracts in a checkout if the build is missing or outdated. The npm package includes the build.
 *
 * @param sources paths in `contracts/`, without the extension
 */
export async function compileContracts(
  signal: AbortSignal,
  sources: readonly string[],
  build: Build = "cancun",
): Promise<void> {
  const root = BUILD_ROOT;
  if (!existsSync(new URL("hardhat.config.ts", root))) return;
  const stamp = stampOf(root, sources, build);
  if (isBuilt(root, sources, stamp, build)) return;
  const started = new Date();
  const hardhat = fileURLToPath(import.meta.resolve("hardhat/package.json").replace("package.json", "dist/src/cli.js"));
  const files = sources.map((source) => `contracts/${source}.sol`);
  try {
    await promisify(execFile)(process.execPath, [hardhat, "build", ...OPTIONS[build], ...files], {
      cwd: fileURLToPath(root),
      env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" },
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new InvalidStateError({
      message: "the contracts do not compile",
      hint: `Run \`npm run ${build === "cancun" ? "compile" : "build:london"}\` to see the compiler's messages.`,
      cause,
    });
  }
  // Uses the start time, so that a source that changes during the build is newer.
  await mkdir(new URL(".", stamp), { recursive: true });
  await writeFile(stamp, "");
  await utimes(stamp, started, started);
}

/**
 * Returns the file with the time of the last build. Without this file, Hardhat takes over a second to find that nothing
 * changed.
 */
function stampOf(root: URL, sources: readonly string[], build: Build): URL {
  const hash = createHash("sha256")
    .update(JSON.stringify([build, sources]))
    .digest("hex");
  return new URL(`cache/crosscall/built-${hash.slice(0, 16)}`, root);
}

/** @param stamp file with the time of the build */
export function isBuilt(root: URL, sources: readonly string[], stamp: URL, build: Build = "cancun"): boolean {
  if (!existsSync(stamp)) return false;
  const builtAt = statSync(stamp).mtimeMs;
  const inputs = [...globSync("contracts/**/*.sol", { cwd: root }), "hardhat.config.ts", "package-lock.json"];
  return (
    inputs.every((path) => statSync(new URL(path, root)).mtimeMs < builtAt) &&
    sources.every((path) =>
      existsSync(new URL(`${BUILD_FOLDERS[build]}/contracts/${path}.sol/${nameOf(path)}.json`, root)),
    )
  );
}

function nameOf(source: string): string {
  return source.slice(source.lastIndexOf("/") + 1);
}

import { existsSync, readFileSync } from "node:fs";
import { stat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { InvalidInputError } from "@crosscall/protocol/core";

import { PACKAGE_FOLDER } from "../../artifacts.ts";
import { confirm } from "../../terminal/confirm.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { outputColors, toJsonLine, writeNotice, writeOutput } from "../../terminal/output.ts";
import {
  type InitPlan,
  type PackageManager,
  planInit,
  type ProjectFacts,
  type ProjectKind,
  type Change,
} from "./planInit.ts";
import { replaceFile } from "../../terminal/replaceFile.ts";

interface InitOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const LOCKFILES: Readonly<Record<string, PackageManager>> = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
};

const NAMES: Readonly<Record<ProjectKind, string>> = {
  foundry: "Foundry",
  hardhat2: "Hardhat 2",
  hardhat3: "Hardhat 3",
  next: "Next.js",
  node: "Node.js",
  vite: "Vite",
};

export async function runInit(folder: string, { dryRun = false, yes = false, json }: InitOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const target = resolve(folder);
  await requireFolder(folder, target);
  const packageManager = findPackageManager(target);
  const plan = planInit({ read: (path) => readText(join(target, path)), packageManager, ...readOwnVersions() });
  const isWritten = !dryRun && plan.changes.length > 0;
  (json === true ? writeNotice : writeOutput)(describe(plan, packageManager));
  if (isWritten) {
    if (!yes) await confirm("Write these changes?", "the changes", interrupt.signal);
    for (const change of plan.changes) await writeChange(target, change);
  }
  writeOutput(json === true ? toReport(plan, target, packageManager, isWritten) : toEnd(plan, dryRun));
}

async function requireFolder(folder: string, target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new InvalidInputError({
    field: "folder",
    value: folder,
    reason: found === undefined ? "there is no such folder" : "it is not a folder",
    hint: "Pass the folder of your project. For a new project, run `npm create crosscall`.",
  });
}

/** Detects the package manager by the lockfile of the folder or of its workspace. */
function findPackageManager(folder: string): PackageManager {
  const found = Object.keys(LOCKFILES).find((name) => existsSync(join(folder, name)));
  if (found !== undefined) return LOCKFILES[found] ?? "npm";
  const named = /"packageManager":\s*"(npm|pnpm|yarn|bun)@/u.exec(readText(join(folder, "package.json")) ?? "")?.[1];
  if (named !== undefined) return named as PackageManager;
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, ".git")) ? "npm" : findPackageManager(parent);
}

function readOwnVersions(): Pick<ProjectFacts, "version" | "viem"> {
  const { version, peerDependencies } = JSON.parse(readFileSync(join(PACKAGE_FOLDER, "package.json"), "utf8")) as {
    readonly version: string;
    readonly peerDependencies: { readonly viem: string };
  };
  return { version, viem: peerDependencies.viem };
}

function describe({ kinds, changes, kept, notes }: InitPlan, packageManager: PackageManager): string {
  const width = Math.max(...[...changes, { path: "" }].map(({ path }) => path.length));
  const mark = outputColors.green("+");
  return [
    `${kinds.map((kind) => NAMES[kind]).join(", ")} with ${packageManager}`,
    ...changes.flatMap(({ action, path, details }) => [
      `  ${action === "create" ? "create" : "edit  "}  ${details.length === 0 ? path : path.padEnd(width)}`.trimEnd(),
      ...details.map((detail) => `            ${mark} ${detail}`),
    ]),
    ...kept.map((path) => `  keep    ${path}`),
    ...notes.map((note) => `${outputColors.yellow("Note:")} ${note}`),
    "",
  ].join("\n");
}

function toEnd({ changes, nextSteps }: InitPlan, isDryRun: boolean): string {
  const done = changes.length === 0 ? "Nothing to change." : isDryRun ? "Nothing was written." : "Done.";
  return [done, ...(isDryRun ? [] : ["", "Next:", ...nextSteps.map((step) => `  ${step}`)]), ""].join("\n");
}

function toReport(
  { kinds, changes, kept, notes, nextSteps }: InitPlan,
  folder: string,
  packageManager: PackageManager,
  isWritten: boolean,
): string {
  const listed = changes.map(({ path, action, details }) => ({ path, action, details }));
  return toJsonLine({ ok: true, folder, kinds, packageManager, isWritten, changes: listed, kept, notes, nextSteps });
}

/**
 * Writes one change below a folder.
 *
 * @throws {@link InvalidInputError} if the file changed since it was planned, or cannot be written
 */
export async function writeChange(folder: string, { path, action, before, after }: Change): Promise<void> {
  const file = join(folder, path);
  if (action === "edit") {
    if (readText(file) !== before) throw changedMeanwhile(path);
    await replaceFile(file, (handle) => handle.writeFile(after), { field: "folder" });
    return;
  }
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, after, { flag: "wx" });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") throw changedMeanwhile(path, cause);
    throw new InvalidInputError({
      field: "folder",
      value: file,
      reason: "the file cannot be written",
      hint: "Check that you can write to its folder.",
      cause,
    });
  }
}

function changedMeanwhile(path: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    field: "folder",
    value: path,
    reason: "the file changed while the command was running",
    hint: "Run the command again.",
    cause,
  });
}

/**
 * Reads a file. Returns undefined if the file does not exist.
 *
 * @throws {@link InvalidInputError} if the file cannot be read
 */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new InvalidInputError({
      field: "folder",
      value: path,
      reason: "the file cannot be read",
      hint: "Check its permissions.",
      cause,
    });
  }
}

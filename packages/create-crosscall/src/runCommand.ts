import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";

import { askFolder, askTemplate } from "./ask.ts";
import { CreateError } from "./createError.ts";
import { detectPackageManager } from "./packageManager.ts";
import { packageNameFlaw, packageNameOf, similarPackageName } from "./packageName.ts";
import { type Options, parseOptions } from "./parseOptions.ts";
import { TEMPLATE_NAMES, type TemplateName, TEMPLATES } from "./templates.ts";
import { requireEmpty, writeProject } from "./writeProject.ts";

/** Process state that the command uses. */
export interface CommandContext {
  readonly workingFolder: string;
  readonly nodeVersion: string;
  /** User agent of the package manager that ran the command. */
  readonly userAgent: string | undefined;
  /** Whether the terminal is interactive. */
  readonly isTerminal: boolean;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const EXIT_CODES = { success: 0, failure: 1, usage: 2, interrupted: 130 } as const;

const USAGE = `Usage: npm create crosscall [folder] -- [options]

Creates a project that uses crosscall. In a terminal, it prompts for missing values.

  -t, --template <name>  ${TEMPLATE_NAMES.map((name) => `${name.padEnd(8)} ${TEMPLATES[name].about}`).join(`\n${" ".repeat(25)}`)}
  -y, --yes              skip the prompts: template ${TEMPLATE_NAMES[0]}, folder my-<template>
      --install          install the packages
  -h, --help             show this help
  -v, --version          show the version

Example: npm create crosscall my-proxy -- --template proxy`;

/**
 * Runs the command with its arguments.
 *
 * @returns the exit code
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options.help) context.print(USAGE);
    else if (options.version) context.print(await ownVersion());
    else await createProject(options, context);
    return EXIT_CODES.success;
  } catch (error) {
    if (!(error instanceof CreateError)) throw error;
    context.printError(`Failed: ${error.message}\nTo do: ${error.hint}`);
    if (error.code === "ABORTED") return EXIT_CODES.interrupted;
    return error.code === "INVALID_INPUT" ? EXIT_CODES.usage : EXIT_CODES.failure;
  }
}

async function createProject(options: Options, context: CommandContext): Promise<void> {
  const { workingFolder, signal, print } = context;
  const template = options.template ?? (await chooseTemplate(options, context));
  const chosen = options.folder ?? (await chooseFolder(template, options, context));
  const folder = resolve(workingFolder, chosen);
  const packageName = requirePackageName(workingFolder, chosen);
  await requireEmpty(folder);
  const nodeRange = await writeProject({ folder, template, packageName, version: await ownVersion(), signal });

  const manager = detectPackageManager(context.userAgent);
  const commands = [
    ...(folder === workingFolder ? [] : [`cd ${quote(relative(workingFolder, folder))}`]),
    ...(options.install ? [] : [manager.install]),
    ...TEMPLATES[template].setup.map((command) => `${manager.execute} ${command.join(" ")}`),
    manager.test,
  ];
  print(`Created ${packageName} from the template ${template}.`);
  if (options.install) await install(manager.install, folder, signal);
  if (isOlder(context.nodeVersion, nodeRange)) {
    print(`\nThe project needs Node.js ${nodeRange.replace(">=", "")} or newer. This is ${context.nodeVersion}.`);
  }
  print(`\n${commands.map((command) => `  ${command}`).join("\n")}\n\nREADME.md has the next steps.`);
}

async function chooseTemplate(options: Options, { isTerminal, signal }: CommandContext): Promise<TemplateName> {
  if (options.yes) return "proxy";
  if (isTerminal) return askTemplate(signal);
  throw new CreateError(
    "INVALID_INPUT",
    "The template is missing.",
    `Pass --template ${TEMPLATE_NAMES.join("|")}, or --yes.`,
  );
}

async function chooseFolder(template: TemplateName, options: Options, context: CommandContext): Promise<string> {
  const proposal = `my-${template}`;
  if (options.yes) return proposal;
  if (context.isTerminal) {
    return askFolder(
      proposal,
      (folder) => packageNameFlaw(packageNameOf(context.workingFolder, folder)),
      context.signal,
    );
  }
  throw new CreateError("INVALID_INPUT", "The folder is missing.", `Pass a folder, such as ${proposal}, or --yes.`);
}

function requirePackageName(workingFolder: string, folder: string): string {
  const name = packageNameOf(workingFolder, folder);
  const flaw = packageNameFlaw(name);
  if (flaw === undefined) return name;
  throw new CreateError(
    "INVALID_INPUT",
    `The folder ${name} is not a valid package name: it ${flaw}.`,
    `Choose another folder, such as ${similarPackageName(name)}.`,
  );
}

async function install(command: string, folder: string, signal: AbortSignal): Promise<void> {
  const [program = "", ...args] = command.split(" ");
  // Package managers are scripts on Windows.
  const child = spawn(program, args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
  const [code] = (await once(child, "close").catch((): [number] => [1])) as [number | null];
  if (code === 0) return;
  const hint = `Run \`${command}\` in ${folder}.`;
  // Ctrl-C also stops the package manager.
  if (signal.aborted)
    throw new CreateError("ABORTED", "The project was created, but its dependencies are not installed.", hint);
  throw new CreateError("INSTALL_FAILED", `The project was created, but \`${command}\` failed.`, hint);
}

async function ownVersion(): Promise<string> {
  // The file is one level up from both the sources and the compiled files.
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** Whether a version of Node.js is below a range such as `>=22.13`. */
export function isOlder(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = range.replace(">=", "").split(".").map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

function quote(folder: string): string {
  return /\s/u.test(folder) ? JSON.stringify(folder) : folder;
}

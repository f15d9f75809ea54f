import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { type ConfigurationProblem, type Environment, OracleConfigurationError } from "./environment.ts";

/** Pattern of a file that contains the value of the variable with the same name. */
const VARIABLE_FILE = /^[A-Z_][A-Z0-9_]*$/u;

const ASSIGNMENT = /^(?<name>[A-Za-z_]\w*)=(?<value>.*)$/su;

/**
 * Reads the variables from the files in a folder. Parses a file as a shell that sources it does, but runs nothing:
 * commands are skipped, and command substitutions stay text.
 *
 * @param env variables that the files can reference
 * @throws {@link OracleConfigurationError} if a value would be lost, because it is not quoted or a quote is not closed
 */
export async function readSecrets(folder: string, env: Environment): Promise<Environment> {
  const secrets: Record<string, string> = {};
  const problems: ConfigurationProblem[] = [];
  for (const name of await listFiles(folder)) {
    const text = await readFile(join(folder, name), "utf8");
    if (VARIABLE_FILE.test(name)) secrets[name] = text.replace(/(?:\r?\n)+$/u, "");
    else problems.push(...source(text, join(folder, name), secrets, env));
  }
  if (problems.length > 0) throw new OracleConfigurationError(problems);
  return secrets;
}

/** Adds the variables that a file sets. */
function source(
  text: string,
  path: string,
  secrets: Record<string, string>,
  env: Environment,
): readonly ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  const find = (variable: string): string => secrets[variable] ?? env[variable] ?? "";
  for (const { line, words, isComplete } of readStatements(text.replaceAll("\r\n", "\n"), find)) {
    const at = `${path}, line ${line}`;
    const isExport = words[0] === "export";
    const assignments = (isExport ? words.slice(1) : words).map((word) => ASSIGNMENT.exec(word)?.groups);
    if (!isComplete) {
      problems.push({ at, reason: "a quote is not closed", hint: "Close it." });
    } else if (isExport || !assignments.includes(undefined)) {
      for (const { name = "", value = "" } of assignments.filter((groups) => groups !== undefined)) {
        secrets[name] = value;
      }
    } else if (assignments[0] !== undefined) {
      problems.push({ at, reason: "a shell would run part of the value as a command", hint: "Quote the value." });
    }
  }
  return problems;
}

/** Lists the files in a folder. Returns none if the folder does not exist. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** One command of a shell script. */
interface Statement {
  /** From 1. */
  readonly line: number;
  /** Words without quotes, with variables replaced by their values. */
  readonly words: readonly string[];
  /** Whether all quotes are closed. */
  readonly isComplete: boolean;
}

const REFERENCE = /\$(?:(?<bare>[A-Za-z_]\w*)|\{(?<braced>[A-Za-z_]\w*)\})/uy;

/** Characters that a backslash escapes within double quotes. */
const PROTECTED = '"\\$`';

/**
 * Splits a script into statements as a POSIX shell does, with quotes, backslashes, comments, separators and variable
 * references. Command substitutions stay text.
 *
 * @param find returns the value of a variable
 */
function* readStatements(text: string, find: (name: string) => string): Generator<Statement> {
  let at = 0;
  let line = 1;
  let isComplete: boolean;

  const take = (): string => {
    const taken = text[at] ?? "";
    if (taken === "\n") line += 1;
    at += 1;
    return taken;
  };

  const takeReference = (): string => {
    REFERENCE.lastIndex = at;
    const { 0: whole = "", groups } = REFERENCE.exec(text) ?? {};
    if (groups === undefined) return take();
    at += whole.length;
    return find(groups.bare ?? groups.braced ?? "");
  };

  const takeSingleQuoted = (): string => {
    let quoted = "";
    for (take(); at < text.length;) {
      const next = take();
      if (next === "'") return quoted;
      quoted += next;
    }
    isComplete = false;
    return quoted;
  };

  const takeDoubleQuoted = (): string => {
    let quoted = "";
    for (take(); at < text.length;) {
      if (text[at] === "$") {
        quoted += takeReference();
        continue;
      }
      const next = take();
      if (next === '"') return quoted;
      if (next !== "\\") quoted += next;
      else if (text[at] === "\n") take();
      else quoted += PROTECTED.includes(text[at] ?? " ") ? take() : next;
    }
    isComplete = false;
    return quoted;
  };

  const takeEscaped = (): string => {
    take();
    const escaped = take();
    return escaped === "\n" ? "" : escaped;
  };

  const takeWord = (): string => {
    let word = "";
    while (at < text.length && !/[\s;&|]/u.test(text[at] ?? "")) {
      const next = text[at];
      if (next === "'") word += takeSingleQuoted();
      else if (next === '"') word += takeDoubleQuoted();
      else if (next === "\\") word += takeEscaped();
      else word += next === "$" ? takeReference() : take();
    }
    return word;
  };

  while (at < text.length) {
    const start = line;
    const words: string[] = [];
    isComplete = true;
    for (let next = text[at]; next !== undefined && !"\n;&|".includes(next); next = text[at]) {
      if (text.startsWith("\\\n", at)) takeEscaped();
      else if (next === "#") while (at < text.length && text[at] !== "\n") take();
      else if (/\s/u.test(next)) take();
      else words.push(takeWord());
    }
    take();
    if (words.length > 0) yield { line: start, words, isComplete };
  }
}

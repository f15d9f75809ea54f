import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { type ConfigurationProblem, OracleConfigurationError } from "./configurationError.ts";
import type { Environment } from "./environment.ts";
import { readStatements } from "./readStatements.ts";

/** A file with such a name contains the value of that variable. */
const VARIABLE_FILE = /^[A-Z_][A-Z0-9_]*$/u;

const ASSIGNMENT = /^(?<name>[A-Za-z_]\w*)=(?<value>.*)$/su;

/**
 * Reads the variables of the files in a folder (spec 3, section 2). A file is read as a shell sources it, but nothing is
 * run: commands are skipped, and a substitution of a command stays text.
 *
 * @param env for references of the files to variables
 * @throws {@link OracleConfigurationError} if a value would be lost: it is not quoted, or a quote does not end
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
      problems.push({ at, reason: "a quote does not end", hint: "End it." });
    } else if (isExport || !assignments.includes(undefined)) {
      for (const { name = "", value = "" } of assignments.filter((groups) => groups !== undefined)) {
        secrets[name] = value;
      }
    } else if (assignments[0] !== undefined) {
      problems.push({ at, reason: "a shell would run a part of the value as a command", hint: "Quote the value." });
    }
  }
  return problems;
}

/** None without the folder. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

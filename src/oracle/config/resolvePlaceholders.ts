import type { ReportProblem } from "./configurationError.ts";
import type { Environment } from "./environment.ts";

/**
 * Puts the variables of the environment in the place of every text that starts with `$`, at any depth.
 *
 * @param at names the value, for the problem
 */
export function resolvePlaceholders(value: unknown, env: Environment, at: string, report: ReportProblem): unknown {
  if (typeof value === "string" && value.startsWith("$")) {
    const name = value.slice(1);
    const resolved = env[name];
    if (resolved === undefined || resolved === "") report(at, `the variable ${name} is not set`, `Set ${name}.`);
    return resolved;
  }
  if (Array.isArray(value))
    return value.map((item, index) => resolvePlaceholders(item, env, `${at}[${index}]`, report));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, resolvePlaceholders(item, env, `${at}.${name}`, report)]),
  );
}

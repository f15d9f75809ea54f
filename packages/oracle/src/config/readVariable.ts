import type { ReportProblem } from "./configurationError.ts";
import type { Environment } from "./environment.ts";

/** Separated by semicolons. */
export function readList(env: Environment, name: string): readonly string[] {
  return (env[name] ?? "")
    .split(";")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

export function readNumber(
  env: Environment,
  name: string,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
  report: ReportProblem,
): number {
  const text = env[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/u.test(text) && value >= min && value <= max) return value;
  report(name, `it is not a whole number from ${min} to ${max}`, `Set one, or leave it out for ${fallback}.`);
  return fallback;
}

/** Invalid values fall back to the default, as in the public oracle (spec 5, section 1). */
export function readPositiveOrDefault(env: Environment, name: string, fallback: number): number {
  const value = Number(env[name]);
  return Number.isFinite(value) && value > 0 ? value : fallback;
}

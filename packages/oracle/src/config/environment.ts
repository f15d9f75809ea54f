import { CrosscallError } from "@crosscall/protocol/core";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A problem with a setting. It never contains the value, which may be a secret. */
export interface ConfigurationProblem {
  /** Location: a variable, or a file and a path in the file, such as `configs/chains.localnet.json [2].httpRpcUrl`. */
  readonly at: string;
  readonly reason: string;
  /** Hint for the user, in one sentence. */
  readonly hint: string;
}

export class OracleConfigurationError extends CrosscallError {
  readonly code = "INVALID_CONFIGURATION";
  /** All problems with location, reason and hint, but never the value. */
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(({ at, reason, hint }) => `  - ${at}: ${reason}. ${hint}`);
    super({
      message: ["the oracle's configuration is invalid:", ...lines].join("\n"),
      hint: "Correct the listed values, and restart the oracle.",
    });
    this.problems = problems;
  }
}

/** Collects problems, so that all are reported at once. */
export type ReportProblem = (at: string, reason: string, hint: string) => void;

export interface Reports {
  /** Adds a problem that keeps the oracle from starting. */
  readonly report: ReportProblem;
  /** Adds a problem of a part that the oracle can start without. */
  readonly warn: ReportProblem;
}

/** Reads a list separated by semicolons. */
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
  report(
    name,
    `it is not a whole number from ${min} to ${max}`,
    `Set a whole number in this range, or omit the variable to use ${fallback}.`,
  );
  return fallback;
}

/** Reads a number. Uses the default for invalid values, as the public oracle does. */
export function readPositiveOrDefault(env: Environment, name: string, fallback: number): number {
  const value = Number(env[name]);
  return Number.isFinite(value) && value > 0 ? value : fallback;
}

import { CrosscallError } from "@crosscall/protocol/core";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Never contains the value, which may be a secret. */
export interface ConfigurationProblem {
  /** A variable, or a file and a path in it: `configs/chains.localnet.json [2].httpRpcUrl`. */
  readonly at: string;
  readonly reason: string;
  /** What the user can do about it, in one sentence. */
  readonly hint: string;
}

export class OracleConfigurationError extends CrosscallError {
  readonly code = "INVALID_CONFIGURATION";
  /** Every problem with its place, reason and hint, but never the value. */
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(({ at, reason, hint }) => `  - ${at}: ${reason}. ${hint}`);
    super({
      message: ["the oracle's configuration cannot be used:", ...lines].join("\n"),
      hint: "Correct the listed values, and restart the oracle.",
    });
    this.problems = problems;
  }
}

/** Collects problems, so that all are reported at once. */
export type ReportProblem = (at: string, reason: string, hint: string) => void;

export interface Reports {
  /** The oracle does not start. */
  readonly report: ReportProblem;
  /** The oracle starts without the affected part. */
  readonly warn: ReportProblem;
}

/** Reads a list that is separated by semicolons. */
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
  report(name, `it is not a whole number from ${min} to ${max}`, `Set one, or omit it for ${fallback}.`);
  return fallback;
}

/** Falls back to the default for invalid values, as the public oracle does (spec 5, section 1). */
export function readPositiveOrDefault(env: Environment, name: string, fallback: number): number {
  const value = Number(env[name]);
  return Number.isFinite(value) && value > 0 ? value : fallback;
}

import { CrosscallError } from "@crosscall/protocol/core";

/** Never contains the value, which may be a secret. */
export interface ConfigurationProblem {
  /** A variable, or a file and the path in it: `configs/chains.localnet.json [2].httpRpcUrl`. */
  readonly at: string;
  readonly reason: string;
  /** What to do about it, in one sentence. */
  readonly hint: string;
}

export class OracleConfigurationError extends CrosscallError {
  readonly code = "INVALID_CONFIGURATION";
  /** Every problem: its place, the reason and a hint, but never the value. */
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(({ at, reason, hint }) => `  - ${at}: ${reason}. ${hint}`);
    super({
      message: ["the oracle's configuration cannot be used:", ...lines].join("\n"),
      hint: "Correct what is listed, and start the oracle again.",
    });
    this.problems = problems;
  }
}

/** Collects problems, so that all are reported at once. */
export type ReportProblem = (at: string, reason: string, hint: string) => void;

export interface Reports {
  /** The oracle does not start. */
  readonly report: ReportProblem;
  /** The oracle starts without what has the problem. */
  readonly warn: ReportProblem;
}

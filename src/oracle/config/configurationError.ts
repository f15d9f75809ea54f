import { CrosscallError } from "@crosscall/sdk/internal/core/errors";

/** Something about the oracle's configuration that cannot be used. Never holds a value: it may be a secret. */
export interface ConfigurationProblem {
  /** The variable, or the file and the path inside it: `configs/chains.localnet.json [2].httpRpcUrl`. */
  readonly at: string;
  /** Why it cannot be used. */
  readonly reason: string;
  /** What to do about it, as a sentence. */
  readonly hint: string;
}

/** The oracle cannot start with this configuration: lists all that is wrong with it. */
export class OracleConfigurationError extends CrosscallError {
  readonly code = "INVALID_CONFIGURATION";
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

/** Takes note of a problem; the configuration is then read on, so that all problems are told at once. */
export type ReportProblem = (at: string, reason: string, hint: string) => void;

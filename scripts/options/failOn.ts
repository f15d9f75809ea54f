import { Option } from "commander";

import type { CallFinding } from "@crosscall/sdk/internal/calls/check/finding";
import type { Severity } from "@crosscall/sdk/internal/calls/check/rule";

const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

/** From which severity on findings fail a command. */
export type FailOn = Severity | "never";

/** `--fail-on severity`: what findings do to the exit code. */
export function failOnOption(): Option {
  return new Option("--fail-on <severity>", "exit with 1 on findings of at least this severity")
    .choices([...SEVERITIES, "never"])
    .default("error");
}

/** Whether findings fail the command. */
export function isFailing(findings: readonly CallFinding[], failOn: FailOn): boolean {
  if (failOn === "never") return false;
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return findings.some(({ severity }) => failing.includes(severity));
}

import { Option } from "commander";

import type { CallFinding } from "@crosscall/sdk/calls";
import type { Severity } from "@crosscall/sdk/kit";

const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

export type FailOn = Severity | "never";

export function failOnOption(): Option {
  return new Option("--fail-on <severity>", "exit with 1 on findings of at least this severity")
    .choices([...SEVERITIES, "never"])
    .default("error");
}

export function isFailing(findings: readonly CallFinding[], failOn: FailOn): boolean {
  if (failOn === "never") return false;
  const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
  return findings.some(({ severity }) => failing.includes(severity));
}

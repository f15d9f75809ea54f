import {
  diffOracles,
  type DiffOutcome,
  openOracleHttp,
  type RequestDiff,
  requireHttpUrl,
} from "@crosscall/oracle/check";
import { countOf, toJsonLine, writeOutput } from "../../terminal/output.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { createProgressLines } from "../../terminal/progressLines.ts";
import { readRequestFile } from "./requestFile.ts";
import { printableData } from "@crosscall/protocol/core";

interface DiffOptions {
  readonly requests: string;
  readonly apiKeyA?: string;
  readonly apiKeyB?: string;
  readonly json?: boolean;
}

/** Exits with 1 if a response differs. */
export async function runDiff(a: string, b: string, options: DiffOptions): Promise<void> {
  const { requests, apiKeyA, apiKeyB, json = false } = options;
  requireHttpUrl(a, "<a>");
  requireHttpUrl(b, "<b>");
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const sideOf = (url: string, key: string | undefined, name: "A" | "B") => {
    const apiKey = key === "" ? undefined : key;
    const passKey = `set CROSSCALL_ORACLE_API_KEY_${name}, or pass --api-key-${name.toLowerCase()}`;
    return { http: openOracleHttp({ url, apiKey, signal }), apiKey, passKey };
  };
  const counts: Record<DiffOutcome, number> = {
    equal: 0,
    "both-refused": 0,
    different: 0,
    "refused-by-a": 0,
    "refused-by-b": 0,
    unanswered: 0,
  };
  const differences: RequestDiff[] = [];
  let compared = 0;
  const progress = createProgressLines({ isSilent: json });
  try {
    const input = readRequestFile(requests, "--requests", signal);
    for await (const diff of diffOracles(input, sideOf(a, apiKeyA, "A"), sideOf(b, apiKeyB, "B"))) {
      compared += 1;
      counts[diff.outcome] += 1;
      if (diff.outcome !== "equal" && diff.outcome !== "both-refused") {
        if (json) differences.push(diff);
        else writeOutput(toText(printableData(diff)));
      }
      progress.wait(
        `${countOf(compared, "request")} compared, ${compared - counts.equal - counts["both-refused"]} differ`,
      );
    }
  } finally {
    progress.stop();
  }
  const ok = counts.equal + counts["both-refused"] === compared;
  writeOutput(json ? toJsonLine({ ok, compared, counts, differences }) : toSummary(compared, counts));
  if (!ok) process.exitCode = 1;
}

function toText({ line, route, outcome, fields }: RequestDiff): string {
  const values = fields.map(({ path, a, b }) => `  ${path}\n    A ${toValue(a)}\n    B ${toValue(b)}\n`);
  return `line ${line}, ${route}: ${outcome.replaceAll("-", " ")}\n${values.join("")}`;
}

function toValue(value: unknown): string {
  return value === undefined ? "(absent)" : JSON.stringify(value);
}

function toSummary(compared: number, counts: Readonly<Record<DiffOutcome, number>>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return `${countOf(compared, "request")}: ${parts.map(([outcome, count]) => `${count} ${outcome.replaceAll("-", " ")}`).join(", ")}\n`;
}

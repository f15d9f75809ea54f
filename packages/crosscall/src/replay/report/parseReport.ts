import { Decode, Errors } from "typebox/value";

import { MalformedDataError } from "@crosscall/protocol/core";
import type { ReplayReport } from "../replayReport.ts";
import { ReportSchema } from "./reportSchema.ts";

/**
 * Parses the JSON that `toReportJson` returns.
 *
 * @param value parsed from JSON
 * @param what names it, for the error
 * @throws {@link MalformedDataError} when it is not a report of this version
 */
export function parseReport(value: unknown, what = "the replay report"): ReplayReport {
  const [error] = Errors(ReportSchema, value);
  if (error !== undefined) {
    throw new MalformedDataError({
      what,
      path: error.instancePath.slice(1).replaceAll("/", "."),
      reason: `it ${error.message}`,
      hint: "Pass the JSON that `crosscall replay --json` of this version writes.",
    });
  }
  const { version: _version, ...report } = Decode(ReportSchema, value);
  return report;
}

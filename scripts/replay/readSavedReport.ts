import type { ReplayReport } from "../../src/replay/replayReport.ts";
import { parseReport } from "../../src/replay/report/parseReport.ts";
import { readJson } from "../options/readJson.ts";

/**
 * Reads the report that `crosscall replay --json` printed.
 *
 * @throws {@link InvalidInputError} when the file cannot be read, or is no JSON
 * @throws {@link MalformedDataError} when it holds no report
 */
export async function readSavedReport(file: string): Promise<ReplayReport> {
  const content = await readJson(file, "--diff");
  const isWrapped = typeof content === "object" && content !== null && "report" in content;
  return parseReport(isWrapped ? content.report : content, `the report in ${file}`);
}

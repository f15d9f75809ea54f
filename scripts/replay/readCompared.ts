import type { ReplayReport } from "../../src/replay/replayReport.ts";
import { parseReport } from "../../src/replay/report/parseReport.ts";
import type { ReplayInput } from "../../src/replay/subject/findFill.ts";
import { readJson } from "../options/readJson.ts";
import { isModule } from "../plan/readPlan.ts";
import { isHash, readInput, type ReadInputParameters } from "./readInput.ts";

/** A saved replay, or another fill to replay. */
export type Compared =
  | { readonly kind: "report"; readonly report: ReplayReport }
  | { readonly kind: "input"; readonly input: ReplayInput };

/**
 * A report of `crosscall replay --json`, or anything that can be replayed.
 *
 * @throws {@link InvalidInputError} if the file cannot be read or used
 * @throws {@link MalformedDataError} if it is neither a report nor a quote nor a plan
 * @throws {@link RequestNotFoundError} if the service has no such request, and no chain may know the hash
 */
export async function readCompared(parameters: ReadInputParameters): Promise<Compared> {
  const { what } = parameters;
  if (isHash(what) || isModule(what)) return { kind: "input", input: await readInput(parameters) };
  const content = await readJson(what, "--diff");
  const isObject = typeof content === "object" && content !== null;
  if (!isObject || !("report" in content || "verdict" in content)) {
    return { kind: "input", input: await readInput(parameters) };
  }
  return {
    kind: "report",
    report: parseReport("report" in content ? content.report : content, `the report in ${what}`),
  };
}

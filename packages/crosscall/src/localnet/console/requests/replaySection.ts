import { CrosscallError } from "@crosscall/protocol/core";
import { createMutex } from "../../devchain/mutex.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { facts as factList } from "../../../replay/report/html/page.ts";
import { notationOf } from "../../../replay/report/notation.ts";
import { failureFacts, headlineOf } from "../../../replay/report/summary.ts";
import { reportSections } from "../../../replay/report/toReportHtml.ts";
import { replay } from "../../../replay/replay.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import { alert } from "../elements.ts";
import type { RequestFacts } from "./requestFacts.ts";

/** A fork occupies the process, so there is one at a time. */
const runExclusive = createMutex();

/** Replays a fill, and shows the report of `crosscall replay`. */
export function replaySection(
  { chains }: Pick<ConsoleParts, "chains">,
  { request, record }: RequestFacts,
  signal: AbortSignal,
): Promise<Markup> {
  return runExclusive(async () => {
    const rpcUrl = chains.get(request.destination_chain_id)?.rpcUrl ?? "";
    try {
      const report = await replay({ input: { kind: "request", record }, rpcUrl, signal });
      const isGood = report.verdict.outcome === "success";
      return markup`<h2>Replay</h2><div class="verdict ${isGood ? "works" : "fails"}"><p><strong>${isGood ? "✓" : "✗"} ${headlineOf(report)}</strong></p>
${factList(failureFacts(report, notationOf(report)))}</div>
${reportSections(report)}`;
    } catch (error) {
      if (!(error instanceof CrosscallError)) throw error;
      return markup`<h2>Replay</h2>${alert(`${error.message}. ${error.hint}`)}`;
    }
  });
}

import type { FinishedItem } from "../localnet/store/campaigns.ts";
import type { CampaignSummary } from "./summarizeCampaign.ts";

/** Characters that XML forbids even as entities, and bidirectional controls. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * JUnit XML, line by line: a test case per fill, failed if the fill fails, and in error if it could not be replayed.
 */
export async function* junitLines(
  campaignId: string,
  summary: CampaignSummary,
  items: AsyncIterable<FinishedItem>,
): AsyncGenerator<string> {
  const { total, waiting, fails, errors } = summary;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n`;
  yield `<testsuite name="${escapeXml(campaignId)}" tests="${total - waiting}" failures="${fails}" errors="${errors}">\n`;
  for await (const item of items) yield toTestCase(campaignId, item);
  yield "</testsuite>\n";
}

function toTestCase(campaignId: string, { id, outcome, cause, summary }: FinishedItem): string {
  const start = `  <testcase classname="${escapeXml(campaignId)}" name="${escapeXml(id)}"`;
  if (outcome === "success") return `${start}/>\n`;
  const tag = outcome === "failure" ? "failure" : "error";
  const { error, hint } = summary as { readonly error?: string | null; readonly hint?: string | null };
  const message = `message="${escapeXml(error ?? "")}"`;
  return `${start}><${tag} type="${escapeXml(cause ?? "UNKNOWN")}" ${message}>${escapeXml(hint ?? "")}</${tag}></testcase>\n`;
}

function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, "\uFFFD").replace(/[&<>"]/gu, (character) => ESCAPES[character] ?? character);
}

import type { FinishedItem } from "../store/campaigns.ts";
import type { CampaignSummary } from "./summarizeCampaign.ts";

/** What JUnit's XML forbids even as an entity, and characters that would turn text around in a viewer. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * A campaign as JUnit's XML, a line at a time: a test case for each replayed fill, which fails where the fill fails, and
 * is in error where it could not be replayed.
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

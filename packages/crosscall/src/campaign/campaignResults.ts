import { countCampaign, type FinishedItem, listFinishedItems } from "../localnet/store/campaigns.ts";
import type { Database } from "../localnet/store/schema.ts";

export interface CampaignSummary {
  readonly total: number;
  readonly works: number;
  readonly fails: number;
  readonly errors: number;
  readonly waiting: number;
  readonly causes: readonly CampaignCause[];
}

interface CampaignCause {
  readonly outcome: "failure" | "error";
  /** A `failReason`, or the code of an error. */
  readonly cause: string;
  readonly count: number;
}

export async function summarizeCampaign(db: Database, campaignId: string): Promise<CampaignSummary> {
  const counts = await countCampaign(db, campaignId);
  const countOf = (wanted: (typeof counts)[number]["outcome"]): number =>
    counts.reduce((sum, { outcome, count }) => (outcome === wanted ? sum + count : sum), 0);
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    works: countOf("success"),
    fails: countOf("failure"),
    errors: countOf("error"),
    waiting: countOf(null),
    causes: counts.flatMap(({ outcome, cause, count }) =>
      outcome === "failure" || outcome === "error" ? [{ outcome, cause: cause ?? "UNKNOWN", count }] : [],
    ),
  };
}

export async function* eachFinishedItem(db: Database, campaignId: string): AsyncGenerator<FinishedItem> {
  let page = await listFinishedItems(db, campaignId);
  while (page.length > 0) {
    yield* page;
    page = await listFinishedItems(db, campaignId, { after: page.at(-1)?.id ?? "" });
  }
}

/** Characters that XML forbids even as entities, and bidirectional control characters. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\uFFFE\uFFFF]/gu;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Writes JUnit XML line by line, with one test case per fill. The case fails if the fill fails, and has an error if the
 * fill could not be replayed.
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

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { InvalidInputError } from "@crosscall/protocol/core";
import { DOCS, plainText } from "../explain/explanations.ts";

/** A part of a page, from its heading to the next one. */
export interface DocsSection {
  /** File in the package's `docs/`, such as `replay.md`. */
  readonly page: string;
  /** Title of the page. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

export interface DocsMatch {
  readonly page: string;
  readonly heading: string;
  readonly excerpt: string;
}

const MAX_MATCHES = 8;
const EXCERPT_LENGTH = 240;

/** The line of a table below its titles. */
const TABLE_RULE = /^\|[\s|:-]+\|$/gmu;

/** Points of a word by the place where it first occurs. */
const POINTS = { title: 8, heading: 6, text: 1 } as const;

/** Most points for repetitions in the text. */
const MAX_REPETITIONS = 3;

/** Pages of tasks come before the reference. */
const REFERENCE = /^(?:api|commands|benchmarks|errors\/\w+|[a-z]+-reference)\.md$/u;
const REFERENCE_WEIGHT = 0.6;

/** Reads the pages that the package contains. */
export async function readDocs(): Promise<readonly DocsSection[]> {
  const errors = (await readdir(join(DOCS, "errors"))).map((name) => `errors/${name}`);
  const pages = [...(await readdir(DOCS)), ...errors].filter((name) => name.endsWith(".md"));
  const texts = await Promise.all(pages.toSorted().map(async (page) => sectionsOf(page, await readPage(page))));
  return texts.flat();
}

export function sectionsOf(page: string, markdown: string): DocsSection[] {
  const sections: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(?:```|~~~)/u.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : /^#{1,3} (.+)$/u.exec(line)?.[1];
    if (heading !== undefined) sections.push({ heading: heading.replaceAll("`", ""), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  const title = sections[0]?.heading ?? page;
  return sections.map(({ heading, lines }) => ({ page, title, heading, text: lines.join("\n").trim() }));
}

/** Ranks sections by the words of the query in title, heading and text. Sections with all words come first. */
export function searchDocs(sections: readonly DocsSection[], query: string): DocsMatch[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [])].map(stemOf);
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, MAX_MATCHES)
    .map(({ section: { page, heading, text } }) => ({ page, heading, excerpt: excerptOf(text, words) }));
}

function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/u, "") : word;
}

function scoreOf({ page, title, heading, text }: DocsSection, words: readonly string[]): number {
  const [inTitle, inHeading, inText] = [title, heading, text].map((part) => part.toLowerCase());
  const points = words.map((word) => {
    const repetitions = Math.min(MAX_REPETITIONS, (inText?.split(word).length ?? 1) - 1);
    return (
      (inTitle?.includes(word) === true ? POINTS.title : 0) +
      (inHeading?.includes(word) === true ? POINTS.heading : 0) +
      repetitions * POINTS.text
    );
  });
  const found = points.filter((point) => point > 0).length;
  const share = found / Math.max(words.length, 1);
  return points.reduce((sum, point) => sum + point, 0) * share ** 2 * (REFERENCE.test(page) ? REFERENCE_WEIGHT : 1);
}

/** Returns the text around the first word of the query. */
function excerptOf(text: string, words: readonly string[]): string {
  const line = plainText(text.replaceAll(TABLE_RULE, "")).replaceAll(/\s+/gu, " ").trim();
  const places = words.map((word) => line.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, line.length) - EXCERPT_LENGTH / 4);
  const from = places.length === 0 ? 0 : start;
  const part = line.slice(from, from + EXCERPT_LENGTH);
  return `${from > 0 ? "…" : ""}${part}${from + EXCERPT_LENGTH < line.length ? "…" : ""}`;
}

/** Returns a page, or one of its sections. */
export async function readDocsPage(page: string, heading: string | undefined): Promise<string> {
  const sections = (await readDocs()).filter((section) => section.page === page);
  if (sections.length === 0) {
    throw new InvalidInputError({
      field: "page",
      value: page,
      reason: "the package has no such page",
      hint: "Pass a page from search_docs, such as start.md.",
    });
  }
  if (heading === undefined) return plainText(await readPage(page));
  const found = sections.find((section) => section.heading.toLowerCase() === heading.replaceAll("`", "").toLowerCase());
  if (found !== undefined) return plainText(`## ${found.heading}\n\n${found.text}`);
  throw new InvalidInputError({
    field: "heading",
    value: heading,
    reason: "the page has no such heading",
    hint: `Use one of: ${sections.map((section) => section.heading).join("; ")}.`,
  });
}

function readPage(page: string): Promise<string> {
  return readFile(join(DOCS, page), "utf8");
}

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import MiniSearch, { type SearchOptions } from "minisearch";

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

/** Weights of the documentation site's search. */
const WEIGHTS = { title: 4, text: 2, titles: 1 };

/** Pages of tasks come before the reference, as on the site. */
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

/** Returns a function that searches sections as the documentation site does, best matches first. */
export function createDocsSearch(sections: readonly DocsSection[]): (query: string) => DocsMatch[] {
  const index = new MiniSearch({ fields: ["title", "titles", "text"], storeFields: ["page", "heading", "markdown"] });
  index.addAll(
    sections.map(({ page, title, heading, text: markdown }, id) => {
      const titles = heading === title ? "" : title;
      return { id, title: heading, titles, text: plainText(markdown), page, heading, markdown };
    }),
  );
  const options: SearchOptions = {
    fuzzy: 0.2,
    prefix: true,
    boost: WEIGHTS,
    boostDocument: (_id, _term, section) => (REFERENCE.test(String(section?.page)) ? REFERENCE_WEIGHT : 1),
  };
  return (query) =>
    index
      .search(query, options)
      .slice(0, MAX_MATCHES)
      .map(({ page, heading, markdown, terms }) => ({
        page: String(page),
        heading: String(heading),
        excerpt: excerptOf(String(markdown), terms),
      }));
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

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { resolveLink } from "./links.ts";
import { DOCS, GROUPS, pagesOf, readPage } from "./sidebar.ts";

/** Writes what language models read: `llms.txt` (llmstxt.org), `llms-full.txt`, and each page's Markdown. */
export async function writeMarkdown(folder: string): Promise<void> {
  const pages = ["index", ...GROUPS.flatMap(pagesOf)];
  const texts = await Promise.all(pages.map(readMarkdown));
  for (const [index, page] of pages.entries()) {
    const file = join(folder, `${page}.md`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, texts[index] ?? "");
  }
  await writeFile(join(folder, "llms-full.txt"), texts.join("\n"));
  await writeFile(join(folder, "llms.txt"), formatOverview());
}

function formatOverview(): string {
  const groups = GROUPS.map((group) => [`## ${group.title}`, "", ...pagesOf(group).map(formatLink)].join("\n"));
  return [`# crosscall`, `> ${readPage("index").summary}`, formatLink("index"), ...groups].join("\n\n").concat("\n");
}

function formatLink(page: string): string {
  const { title, summary } = readPage(page);
  return `- [${title}](${toUrl(page)})${summary === "" ? "" : `: ${summary}`}`;
}

/** The text of a page with links from the root of the site. */
async function readMarkdown(page: string): Promise<string> {
  const file = join(DOCS, `${page}.md`);
  const text = await readFile(file, "utf8");
  return text.replace(/\[([^\]]*)\]\(([^)\s]+)\)/gu, (_, title: string, href: string) => {
    const target = resolveLink(href, file, toUrl);
    return target === undefined ? title : `[${title}](${target})`;
  });
}

function toUrl(page: string): string {
  return `/${page}.md`;
}

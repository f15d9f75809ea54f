import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { DefaultTheme } from "vitepress";

/** A group of the sidebar: names of pages in `docs/`, without extension, and folders of pages. */
export interface Group {
  readonly title: string;
  /** Title in the top navigation, which has room for six groups; the others are in its menu. */
  readonly nav?: string;
  /** A page takes the pages of the folder of its name as its items. */
  readonly pages: readonly string[];
  readonly sections?: readonly Section[];
}

/** A collapsed list below the pages of a group: named pages, or all pages of a folder. */
interface Section {
  readonly title: string;
  readonly pages?: readonly string[];
  readonly folder?: string;
}

export interface PageText {
  readonly title: string;
  /** The first paragraph, without Markdown. */
  readonly summary: string;
}

/** Add a page with one line here. */
export const GROUPS: readonly Group[] = [
  { title: "Start", nav: "Start", pages: ["start", "guide", "agents", "packages", "glossary"] },
  {
    title: "Compose",
    nav: "Compose",
    pages: ["calls", "aave-without-solidity", "checks", "plan-files", "contracts", "chains"],
  },
  {
    title: "Verify and execute",
    nav: "Execute",
    pages: [
      "what-you-sign",
      "verifying",
      "client",
      "browser-without-key",
      "executing",
      "gasless",
      "requests",
      "request-signatures",
      "fees",
    ],
  },
  {
    title: "Test",
    nav: "Test",
    pages: ["testing", "mainnet-fork", "hardhat", "foundry", "web", "other-languages"],
    sections: [
      {
        title: "Local network",
        pages: [
          "localnet",
          "console",
          "scenarios",
          "held-fills",
          "snapshots",
          "keys-and-webhooks",
          "local-service",
          "quotes",
          "other-chains",
          "solver",
          "settlement",
          "containers-and-ci",
          "more-than-one-machine",
        ],
      },
    ],
  },
  { title: "Debug a failed fill", nav: "Debug", pages: ["why-fills-fail", "replay"] },
  {
    title: "Deploy",
    nav: "Deploy",
    pages: ["deploy-your-proxy", "deployment", "addresses", "receiver"],
  },
  { title: "Operate", pages: ["oracle", "oracle-reference", "oracle-runbook"] },
  { title: "Migrate", pages: ["upgrading", "migrating-to-v3", "migrating-to-quote-v3"] },
  {
    title: "Reference",
    pages: ["api", "commands", "errors", "security", "benchmarks"],
    sections: [
      { title: "Decisions", folder: "decisions" },
      { title: "Specification", folder: "spec" },
    ],
  },
];

export const DOCS = fileURLToPath(new URL("../", import.meta.url));

/** Names of all pages, also of those in folders: `guide`, `errors/ABORTED`. */
export function listPages(): readonly string[] {
  return globSync("**/*.md", { cwd: DOCS, exclude: [".vitepress/**", "public/**"] })
    .map((path) => path.replaceAll("\\", "/").replace(/\.md$/u, ""))
    .toSorted();
}

/** Names of the pages of a group, in the order of the sidebar. */
export function pagesOf({ pages, sections = [] }: Group): readonly string[] {
  return [...pages.flatMap((page) => [page, ...pagesIn(page)]), ...sections.flatMap(pagesOfSection)];
}

/** Path of a page on the site. Every static host serves a folder's `index.html`. */
export function toPath(page: string): string {
  return page === "index" ? "/" : `/${page.replace(/\/index$/u, "")}/`;
}

export function readPage(page: string): PageText {
  const text = readFileSync(join(DOCS, `${page}.md`), "utf8").replace(/^---\n.*?\n---\n/su, "");
  const [, title = page] = /^# (.+)$/mu.exec(text) ?? [];
  const blocks = text.slice(text.indexOf(`# ${title}`) + title.length + 2).split(/\n{2,}/u);
  const paragraph = blocks
    .map((block) => block.trim())
    .find((block) => /^[\w`*[]/u.test(block) && !/^[*-] /u.test(block));
  return { title: toPlainText(title), summary: toPlainText(paragraph ?? "") };
}

export function listSidebar(): DefaultTheme.SidebarItem[] {
  return GROUPS.map(({ title, pages, sections = [] }) => ({
    text: title,
    collapsed: true,
    items: [
      ...pages.map((page) => ({ ...toItem(page), ...toItems(pagesIn(page)) })),
      ...sections.map((section) => ({ text: section.title, ...toItems(pagesOfSection(section)) })),
    ],
  }));
}

function toItems(pages: readonly string[]): { collapsed: true; items: DefaultTheme.SidebarItem[] } | undefined {
  return pages.length === 0 ? undefined : { collapsed: true, items: pages.map(toItem) };
}

function pagesOfSection({ pages = [], folder }: Section): readonly string[] {
  return folder === undefined ? pages : pagesIn(folder);
}

function toItem(page: string): DefaultTheme.SidebarItem {
  return { text: readPage(page).title, link: toPath(page) };
}

function pagesIn(folder: string): readonly string[] {
  return listPages().filter((page) => page.startsWith(`${folder}/`));
}

function toPlainText(markdown: string): string {
  return markdown
    .replace(/\s+/gu, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(/[`*]/gu, "")
    .trim();
}

import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import type { MarkdownRenderer } from "vitepress";

import { DOCS, toPath } from "./sidebar.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const { homepage, repository } = JSON.parse(readFileSync(join(ROOT, "packages/crosscall/package.json"), "utf8")) as {
  readonly homepage: string;
  readonly repository: { readonly url: string };
};

export const HOMEPAGE = homepage;

export const REPOSITORY = repository.url.replace(/^git\+|\.git$/gu, "");

/**
 * Makes links as they work on GitHub work on the site: a page of `docs/` by its path, and any other file of the
 * repository by its URL on GitHub.
 */
export function linkPages(md: MarkdownRenderer): void {
  md.core.ruler.push("link_pages", ({ tokens, env }) => {
    const { path, realPath = path } = env as { readonly path: string; readonly realPath?: string };
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet("href");
      if (token.type === "link_open" && href !== null) token.attrSet("href", resolveLink(href, realPath, toPath));
    }
  });
}

/**
 * @param href as the file has it
 * @param file with the link
 * @param pathOf path or URL of a page
 */
export function resolveLink(href: string, file: string, pathOf: (page: string) => string): string {
  const [, path = "", anchor = ""] = /^([^#]*)(#.*)?$/u.exec(href) ?? [];
  if (path === "" || path.startsWith("/") || /^\w+:/u.test(path)) return href;
  const target = resolve(dirname(file), decodeURI(path));
  const inDocs = relative(DOCS, target).replaceAll("\\", "/");
  if (inDocs.endsWith(".md") && !inDocs.startsWith("../")) return `${pathOf(inDocs.slice(0, -".md".length))}${anchor}`;
  const kind = statSync(target).isDirectory() ? "tree" : "blob";
  return `${REPOSITORY}/${kind}/main/${relative(ROOT, target).replaceAll("\\", "/")}${anchor}`;
}

/** The anchor that GitHub gives a heading. */
export function toAnchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

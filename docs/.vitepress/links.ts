import { statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import type { MarkdownRenderer } from "vitepress";

import { publicRepository } from "../../tools/repository.ts";
import { DOCS, toPath } from "./sidebar.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const REPOSITORY = publicRepository();

/**
 * Makes links as they work on GitHub work on the site: a page of `docs/` by its path, and any other file of the
 * repository by its URL there. While there is no public repository, these links are plain text.
 */
export function linkPages(md: MarkdownRenderer): void {
  md.core.ruler.push("link_pages", ({ tokens, env }) => {
    const { path, realPath = path } = env as { readonly path: string; readonly realPath?: string };
    for (const { children } of tokens) {
      for (const [index, token] of children?.entries() ?? []) {
        const href = token.attrGet("href");
        if (token.type !== "link_open" || href === null) continue;
        const target = resolveLink(href, realPath, toPath);
        if (target !== undefined) token.attrSet("href", target);
        else {
          for (const part of [token, children?.slice(index).find(({ type }) => type === "link_close")]) {
            if (part !== undefined) Object.assign(part, { type: "text", content: "" });
          }
        }
      }
    }
  });
}

/**
 * @param href as the file has it
 * @param file with the link
 * @param pathOf path of a page
 * @returns undefined if the file is not in the documentation, and there is no public repository
 */
export function resolveLink(href: string, file: string, pathOf: (page: string) => string): string | undefined {
  const [, path = "", anchor = ""] = /^([^#]*)(#.*)?$/u.exec(href) ?? [];
  if (path === "" || path.startsWith("/") || /^\w+:/u.test(path)) return href;
  const target = resolve(dirname(file), decodeURI(path));
  const inDocs = relative(DOCS, target).replaceAll("\\", "/");
  if (inDocs.endsWith(".md") && !inDocs.startsWith("../")) return `${pathOf(inDocs.slice(0, -".md".length))}${anchor}`;
  if (REPOSITORY === undefined) return undefined;
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

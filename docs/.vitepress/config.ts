import { type DefaultTheme, defineConfig, type MarkdownRenderer } from "vitepress";

import { accessibleTheme } from "./accessibleTheme.ts";
import { linkPages, REPOSITORY, toAnchor } from "./links.ts";
import { writeMarkdown } from "./llms.ts";
import { type Group, GROUPS, listSidebar, pagesOf, readPage, toPath } from "./sidebar.ts";

export default defineConfig({
  lang: "en-US",
  title: "crosscall",
  description: readPage("index").summary,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }]],
  rewrites: (file) => (/(?:^|\/)index\.md$/u.test(file) ? file : file.replace(/\.md$/u, "/index.md")),
  cleanUrls: true,
  markdown: {
    anchor: { slugify: toAnchor },
    config(md) {
      linkPages(md);
      excludeFromSearch(md);
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // GitHub does not link bare names such as "example.com" in text either.
    linkify: false,
  },
  transformPageData: ({ filePath }) => ({ description: readPage(filePath.replace(/\.md$/u, "")).summary }),
  vite: {
    plugins: [accessibleTheme],
    // The search index, which loads when a reader opens the search.
    build: { chunkSizeWarningLimit: 5_000 },
  },
  buildEnd: ({ outDir }) => writeMarkdown(outDir),
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      ...GROUPS.filter(({ nav }) => nav !== undefined).map(toNavItem),
      { text: "More", items: GROUPS.filter(({ nav }) => nav === undefined).map(toNavItem) },
    ],
    sidebar: listSidebar(),
    outline: [2, 3],
    ...(REPOSITORY === undefined
      ? {}
      : {
          socialLinks: [{ icon: "github", link: REPOSITORY }],
          editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: "Edit this page" },
        }),
    search: { provider: "local", options: { miniSearch: { searchOptions: { boostDocument: weigh } } } },
  },
});

function toNavItem(group: Group): DefaultTheme.NavItemWithLink {
  const pages = pagesOf(group);
  return {
    text: group.nav ?? group.title,
    link: toPath(pages[0] ?? "index"),
    activeMatch: `^/(?:${pages.join("|")})/$`,
  };
}

/** Leaves the specification and the decisions out of the search. */
function excludeFromSearch(md: MarkdownRenderer): void {
  md.core.ruler.push("exclude_from_search", ({ env }) => {
    const page = env as { readonly relativePath: string; frontmatter?: object };
    if (/^(?:decisions|spec)\//u.test(page.relativePath)) page.frontmatter = { ...page.frontmatter, search: false };
  });
}

/**
 * Ranks pages of tasks before the reference. VitePress writes the text of this function into the site, so it uses nothing
 * from outside.
 */
function weigh(id: string): number {
  return /^\/(?:api|commands|errors|benchmarks|[a-z]+-reference)\//u.test(id) ? 0.6 : 1;
}

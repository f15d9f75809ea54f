import { type DefaultTheme, defineConfig } from "vitepress";

import { accessibleTheme } from "./accessibleTheme.ts";
import { HOMEPAGE, linkPages, REPOSITORY, toAnchor } from "./links.ts";
import { writeMarkdown } from "./llms.ts";
import { SEARCH } from "./search.ts";
import { type Group, GROUPS, listSidebar, pagesOf, readPage, toPath } from "./sidebar.ts";

export default defineConfig({
  lang: "en-US",
  title: "crosscall",
  description: readPage("index").summary,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }]],
  rewrites: (file) => (/(?:^|\/)index\.md$/u.test(file) ? file : file.replace(/\.md$/u, "/index.md")),
  cleanUrls: true,
  sitemap: { hostname: HOMEPAGE },
  markdown: {
    anchor: { slugify: toAnchor },
    config: linkPages,
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // GitHub does not link bare names such as "crosscall.dev" in text either.
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
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: "Edit this page" },
    search: { provider: "local", options: { miniSearch: SEARCH } },
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

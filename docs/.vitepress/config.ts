import { defineConfig } from "vitepress";

import { HOMEPAGE, linkPages, REPOSITORY, toAnchor } from "./links.ts";
import { writeMarkdown } from "./llms.ts";
import { GROUPS, listSidebar, pagesOf, readPage, toPath } from "./sidebar.ts";

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
    // GitHub does not link bare names such as "crosscall.dev" in text either.
    linkify: false,
  },
  transformPageData: ({ filePath }) => ({ description: readPage(filePath.replace(/\.md$/u, "")).summary }),
  buildEnd: ({ outDir }) => writeMarkdown(outDir),
  themeConfig: {
    logo: "/icon.svg",
    nav: GROUPS.map((group) => {
      const pages = pagesOf(group);
      return {
        text: group.title,
        link: toPath(pages[0] ?? "index"),
        activeMatch: `^/(?:${pages.map((page) => `${page}/`).join("|")})$`,
      };
    }),
    sidebar: listSidebar().map((group) => ({ ...group })),
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: "Edit this page" },
    search: { provider: "local" },
  },
});

import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";
import type { Page } from "playwright-core";

import { toAnchor } from "../../docs/.vitepress/links.ts";
import { DOCS, GROUPS, listPages, pagesOf, readPage, toPath } from "../../docs/.vitepress/sidebar.ts";
import { useBrowser } from "../support/browser.ts";
import { closeConsole, findBarriers, openConsole, overflowOf } from "../support/consolePages.ts";
import { QUESTIONS } from "../support/docsQuestions.ts";
import { startProgram } from "../support/programs.ts";
import { serveFolder } from "../support/staticSite.ts";
import { until } from "../support/until.ts";
import type { TestServer } from "../support/httpServer.ts";
import { useFolder } from "../support/useFolder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Repository of the site in this test. */
const REPOSITORY = "https://example.com/owner/name";

const COLOR_SCHEMES = ["light", "dark"] as const;

describe("the documentation site", () => {
  const browser = useBrowser();
  const folder = useFolder();
  let site: TestServer;
  /** Site path of each file. */
  let files: readonly string[];

  before(async () => {
    const generate = await startProgram("tools/generate.ts", ["api", "commands"]).finished;
    expect(generate.exitCode, generate.stderr).to.equal(0);
    const build = startProgram("node_modules/vitepress/bin/vitepress.js", ["build", "docs", "--outDir", folder], {
      env: { CROSSCALL_REPOSITORY: REPOSITORY },
    });
    const { exitCode, stdout, stderr } = await build.finished;
    expect(exitCode, `${stdout}\n${stderr}`).to.equal(0);
    files = globSync("**/*", { cwd: folder }).map((file) => `/${file.replaceAll("\\", "/")}`);
    site = await serveFolder(folder);
  });

  after(() => site.close());

  const readHtml = (path: string): Promise<string> => readFile(join(folder, path, "index.html"), "utf8");

  it("lists each page in one sidebar group", () => {
    const listed = GROUPS.flatMap(pagesOf);
    expect(listed.toSorted()).to.deep.equal(listPages().filter((page) => page !== "index"));
  });

  it("lists only existing pages", () => {
    const named = GROUPS.flatMap(({ pages, sections = [] }) => [
      ...pages,
      ...sections.flatMap(({ pages = [] }) => pages),
    ]);
    expect(listPages()).to.include.members(named);
  });

  it("renders every page on a phone without errors, requests to other hosts or horizontal scrolling", async () => {
    const opened = await openConsole(browser(), `${site.url}/`, { width: 360 });
    const { page } = opened;
    const wide: unknown[] = [];
    for (const name of listPages()) {
      // The pages of a folder share a layout, so this uses the site's own navigation, which is faster than loading each
      // page.
      if (name.includes("/")) await page.evaluate(follow(toPath(name)));
      else await page.goto(`${site.url}${toPath(name)}`);
      await page.locator("h1", { hasText: readPage(name).title }).waitFor();
      const overflow = await overflowOf(page);
      if (overflow > 0) wide.push({ name, overflow });
    }
    expect(wide, JSON.stringify(wide, null, 2)).to.deep.equal([]);
    await closeConsole(opened);
  });

  it("has no broken links, anchors, scripts or images", async () => {
    const paths = listPages().map(toPath);
    const pages = new Map(await Promise.all(paths.map(async (path) => [path, await readHtml(path)] as const)));
    const anchors = new Map([...pages].map(([path, html]) => [path, attributes(html, "id")]));
    const broken: string[] = [];
    for (const [path, html] of pages) {
      for (const link of new Set([...attributes(html, "href"), ...attributes(html, "src")])) {
        const { origin, pathname, hash } = new URL(link, `${site.url}${path}`);
        if (origin !== site.url) continue;
        const isFound = pathname.endsWith("/")
          ? hash === ""
            ? pages.has(pathname)
            : anchors.get(pathname)?.includes(decodeURIComponent(hash.slice(1)))
          : files.includes(decodeURIComponent(pathname));
        if (isFound !== true) broken.push(`${path}: ${link}`);
      }
    }
    expect(broken, JSON.stringify(broken, null, 2)).to.deep.equal([]);
  });

  it("links to the rest of the repository, and to headings that exist", async () => {
    const links = new Set(
      (await Promise.all(listPages().map(toPath).map(readHtml))).flatMap((html) => attributes(html, "href")),
    );
    const inRepository = [...links].filter((link) => link.startsWith(`${REPOSITORY}/blob/`));
    expect(inRepository).to.not.deep.equal([]);
    for (const link of inRepository) {
      const [path = "", anchor] = link.slice(`${REPOSITORY}/blob/main/`.length).split("#");
      const text = await readFile(join(ROOT, path), "utf8");
      const headings = [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = ""]) => toAnchor(heading));
      if (anchor !== undefined) expect(headings, link).to.include(anchor);
    }
  });

  it("answers each question with the first search result", async () => {
    const opened = await openConsole(browser(), `${site.url}/`);
    await openSearch(opened.page);
    const missed: unknown[] = [];
    for (const [question, answer] of QUESTIONS) {
      const found = (await search(opened.page, question)).slice(0, 3);
      if (found[0]?.startsWith(toPath(answer)) !== true) missed.push({ question, answer, found });
    }
    expect(missed, JSON.stringify(missed, null, 2)).to.deep.equal([]);
    await closeConsole(opened);
  });

  it("opens a search result with the keyboard", async () => {
    const opened = await openConsole(browser(), `${site.url}/`);
    const { page } = opened;
    await openSearch(page);
    expect((await search(page, "glossary"))[0]).to.equal("/glossary/");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Glossary" }).waitFor();
    expect(page.url()).to.equal(`${site.url}/glossary/#glossary`);
    await closeConsole(opened);
  });

  for (const colorScheme of COLOR_SCHEMES) {
    it(`has no accessibility violations in the ${colorScheme} color scheme`, async () => {
      const barriers: unknown[] = [];
      for (const name of ["index", "executing", "errors"]) {
        const opened = await openConsole(browser(), `${site.url}${toPath(name)}`, { colorScheme });
        barriers.push(...(await findBarriers(opened.page)).map((barrier) => `${name}: ${barrier}`));
        await closeConsole(opened);
      }
      const opened = await openConsole(browser(), `${site.url}/`, { colorScheme });
      await openSearch(opened.page);
      await search(opened.page, "deploy");
      barriers.push(...(await findBarriers(opened.page)).map((barrier) => `search: ${barrier}`));
      await closeConsole(opened);
      expect(barriers, JSON.stringify(barriers, null, 2)).to.deep.equal([]);
    });
  }

  it("shows the README's main task on its home page", async () => {
    const [readme, home] = await Promise.all([
      readFile(join(ROOT, "README.md"), "utf8"),
      readFile(join(DOCS, "index.md"), "utf8"),
    ]);
    const blocks = [...readme.matchAll(/^```(?:text|ts)\n.*?^```$/gmsu)].map(([block]) => block);
    expect(blocks).to.have.length(2);
    for (const block of blocks) expect(home).to.include(block);
  });

  it("provides each page as Markdown, listed in llms.txt", async () => {
    const overview = await readFile(join(folder, "llms.txt"), "utf8");
    const full = await readFile(join(folder, "llms-full.txt"), "utf8");
    const [title, description] = overview.split("\n\n");
    expect([title, description]).to.deep.equal(["# crosscall", `> ${readPage("index").summary}`]);
    const listed = [...overview.matchAll(/^- \[(.+)\]\((\S+)\)(?:: .+)?$/gmu)].map(([, name, url]) => [url, name]);
    expect(listed.toSorted()).to.deep.equal(
      listPages()
        .map((page) => [`/${page}.md`, readPage(page).title])
        .toSorted(),
    );
    for (const page of listPages()) {
      const text = await readFile(join(folder, `${page}.md`), "utf8");
      expect(full.includes(text), page).to.equal(true);
      const relative = [...text.matchAll(/\]\((?!https:\/\/|\/|#|mailto:)([^)\s]+)\)/gu)].map(([, link]) => link);
      expect(relative, page).to.deep.equal([]);
    }
  });
});

/** Opens the search with its keyboard shortcut, which works only after the page's script has started. */
async function openSearch(page: Page): Promise<void> {
  await until(async () => {
    await page.keyboard.press("Control+k");
    return page.locator(".search-input").isVisible();
  });
}

/** Returns the paths of the search results. */
async function search(page: Page, query: string): Promise<readonly string[]> {
  const input = page.locator(".search-input");
  await input.fill("");
  await page.locator(".results .result").first().waitFor({ state: "detached" });
  await input.fill(query);
  await page.locator(".results :is(.result, .no-results)").first().waitFor();
  const expression = "[...document.querySelectorAll('.results a.result')].map(({ href }) => href)";
  const links = await page.evaluate<string[]>(expression);
  return links.map((link) => new URL(link).pathname);
}

/** Returns a script that clicks the link to a path. */
function follow(path: string): string {
  return `document.body.appendChild(Object.assign(document.createElement("a"), { href: ${JSON.stringify(path)} })).click()`;
}

/** Returns the values of an attribute in HTML that VitePress generated. */
function attributes(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<[^<>]*\\s${name}="([^"]*)"`, "gu"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&").replaceAll("&quot;", '"'),
  );
}

import { existsSync } from "node:fs";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect } from "chai";

import { copyPages } from "../../../../tools/packages/publishedPages.ts";

const LINK = /\]\((?!#|[a-z]+:)([^()\s#]+)/gu;

for (const url of [undefined, "https://example.com/owner/name"]) {
  describe(`the pages in a package ${url === undefined ? "without" : "with"} a public repository`, () => {
    let target: string;

    before(async () => {
      target = await mkdtemp(join(tmpdir(), "pages-"));
      await copyPages({ folder: "docs", pages: "{*,errors/*}.md", target, url, revision: "v1.2.3" });
    });
    after(() => rm(target, { recursive: true }));

    it("link relatively to each other only", async () => {
      const links: string[] = [];
      const dead: string[] = [];
      for await (const page of glob("**/*.md", { cwd: target })) {
        const prose = (await readFile(join(target, page), "utf8")).replaceAll(/^```[^]*?^```$/gmu, "");
        for (const [, link = ""] of prose.matchAll(LINK)) {
          links.push(link);
          if (!existsSync(join(target, dirname(page), link))) dead.push(`${page}: ${link}`);
        }
      }
      expect(dead).to.deep.equal([]);
      expect(links).to.include.members(["replay.md", "../errors.md"]);
    });

    it("link to other files in the repository, and name generated pages", async () => {
      const page = await readFile(join(target, "security.md"), "utf8");
      const replay = await readFile(join(target, "replay.md"), "utf8");
      const address = "https://example.com/owner/name/blob/v1.2.3/SECURITY.md";
      expect(page).to.include(url === undefined ? "See SECURITY.md for" : `See [SECURITY.md](${address}) for`);
      expect(replay).to.include("Commands lists all options").and.not.include("commands/replay.md");
    });
  });
}

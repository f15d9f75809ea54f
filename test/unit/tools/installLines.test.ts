import { existsSync, globSync, readFileSync } from "node:fs";

import { expect } from "chai";

const ROOT = new URL("../../../", import.meta.url);

const PAGES = globSync(["README.md", "docs/*.md", "packages/*/README.md"], { cwd: ROOT }).toSorted();

/** Returns the name of a package: `@crosscall/sdk` of `@crosscall/sdk/calls`, and `typescript` of `typescript@6`. */
function packageOf(text: string): string {
  return /^(?:@[^/@]+\/)?[^/@]+/u.exec(text)?.[0] ?? "";
}

/** Returns the packages that a page's install lines name. */
function installedOn(page: string): readonly string[] {
  const lines = page.matchAll(/^(?:\$ )?npm install (.+)$/gmu);
  return [...lines].flatMap(([, names = ""]) =>
    names
      .replace(/#.*$/u, "")
      .trim()
      .split(/\s+/u)
      .filter((name) => !name.startsWith("-"))
      .map(packageOf),
  );
}

/** Returns the packages that a page's TypeScript and JavaScript programs import. */
function importedOn(page: string): readonly string[] {
  const programs = [...page.matchAll(/^```(?:ts|tsx|typescript|js|javascript)\b.*\n([^]*?)^```$/gmu)];
  const names = programs.flatMap(([, program = ""]) =>
    [...program.matchAll(/(?:\bfrom |\bimport |\bimport\()"([^".][^"]*)"/gu)].map(([, name = ""]) => name),
  );
  return [...new Set(names.filter((name) => !name.startsWith("node:")).map(packageOf))].toSorted();
}

describe("the install lines of the documentation", () => {
  // pnpm and Yarn give a program only the packages that its own manifest names.
  for (const path of PAGES) {
    const page = readFileSync(new URL(path, ROOT), "utf8");
    const installed = installedOn(page);
    if (installed.length === 0) continue;
    it(`of ${path} name the packages that its programs import`, () => {
      expect(importedOn(page).filter((name) => !installed.includes(name))).to.deep.equal([]);
    });
  }

  it("are read with several packages, versions, options and comments", () => {
    expect(
      installedOn("$ npm install --save-dev a @b/c@2   # unless it is there\nnpm install d\n$ npm install\n"),
    ).to.deep.equal(["a", "@b/c", "d"]);
  });

  it("need no lockfile in a folder that has none", () => {
    const pages = globSync(["examples/**/README.md", "packages/*/templates/**/README.md"], {
      cwd: ROOT,
      exclude: ["**/node_modules/**"],
    });
    const needing = pages.filter((path) => /^\$ npm ci$/mu.test(readFileSync(new URL(path, ROOT), "utf8")));
    expect(pages.length).to.be.greaterThan(1);
    expect(needing.filter((path) => !existsSync(new URL("package-lock.json", new URL(path, ROOT))))).to.deep.equal([]);
  });

  it("exist on the first pages", () => {
    for (const path of ["README.md", "docs/guide.md", "docs/hardhat.md", "packages/sdk/README.md"]) {
      expect([path, installedOn(readFileSync(new URL(path, ROOT), "utf8")).length > 0]).to.deep.equal([path, true]);
    }
  });
});

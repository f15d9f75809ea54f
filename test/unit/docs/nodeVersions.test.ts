import { globSync, readFileSync } from "node:fs";

import { expect } from "chai";

/** Oldest Node.js of the programs, and of the libraries for browsers and servers. */
const PROGRAM = "22.13";
const LIBRARY = "20.19";

const rangeOf = (file: string): string | undefined =>
  (JSON.parse(readFileSync(file, "utf8")) as { engines?: { node?: string } }).engines?.node;

describe("the oldest Node.js", () => {
  it("is one version for programs and one for libraries", () => {
    for (const folder of ["", "packages/crosscall/", "packages/oracle/"]) {
      expect(rangeOf(`${folder}package.json`), folder).to.equal(`>=${PROGRAM}`);
    }
    for (const folder of ["packages/sdk/", "packages/protocol/"]) {
      expect(rangeOf(`${folder}package.json`), folder).to.equal(`>=${LIBRARY}`);
    }
    const templates = globSync("packages/create-crosscall/templates/*/package.json").map((file) => [
      file.split("/").at(-2),
      rangeOf(file),
    ]);
    // The backend runs its TypeScript without a build, which older releases need a flag for.
    expect(Object.fromEntries(templates)).to.deep.equal({
      app: `>=${PROGRAM}`,
      backend: ">=22.18",
      proxy: `>=${PROGRAM}`,
    });
  });

  it("is the same in every page", () => {
    const pages = globSync([
      "README.md",
      "docs/*.md",
      "packages/*/README.md",
      "packages/create-crosscall/templates/*/README.md",
    ]);
    expect(pages.length).to.be.above(50);
    for (const page of pages) {
      for (const [text, version] of readFileSync(page, "utf8").matchAll(
        /Node(?:\.js)? (\d+(?:\.\d+)?)(?= or newer| and later|\+)/gu,
      )) {
        const allowed = page.includes("templates/backend") ? ["22.18"] : [PROGRAM, LIBRARY];
        expect(allowed, `${page}: ${text}`).to.include(version);
      }
    }
  });
});

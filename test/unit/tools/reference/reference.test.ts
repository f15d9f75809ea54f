import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";

import { expect } from "chai";

import { handwrittenPart, missingSections } from "../../../../tools/reference/errors.ts";
import { toFailReasonsPage } from "../../../../tools/reference/failReasons.ts";
import {
  formatTable,
  GENERATED_MARK,
  listPages,
  ROOT,
  withReference,
  withTable,
  writePages,
} from "../../../../tools/reference/pages.ts";
import { readErrorClasses } from "../../../../tools/reference/sources.ts";
import { ERROR_CODES } from "../../../../packages/protocol/src/core/errors.ts";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "../../../../packages/protocol/src/schema/values.ts";

describe("formatTable", () => {
  it("aligns columns and escapes pipes", () => {
    expect(formatTable(["a", "type"], [["`x`", "`A | B`"]])).to.equal(
      ["| a   | type     |", "| --- | -------- |", "| `x` | `A \\| B` |"].join("\n"),
    );
  });
});

describe("writePages", () => {
  let folder: string;

  beforeEach(() => {
    mkdirSync(".crosscall", { recursive: true });
    folder = mkdtempSync(".crosscall/pages-");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("writes pages", () => {
    expect(writePages(new Map([[`${folder}/a/new.md`, "new"]]), false)).to.deep.equal([]);
    expect(readFileSync(`${ROOT}${folder}/a/new.md`, "utf8")).to.equal("new");
  });

  it("only reports pages that are missing or differ in check mode", () => {
    const before = new Map([
      [`${folder}/same.md`, "same"],
      [`${folder}/other.md`, "before"],
    ]);
    writePages(before, false);
    const pages = new Map(["same", "other", "missing"].map((name) => [`${folder}/${name}.md`, name]));
    expect(writePages(pages, true)).to.deep.equal(
      ["other", "missing"].map((name) => `${folder}/${name}.md is out of date: run \`npm run generate\``),
    );
    expect(listPages(folder)).to.deep.equal([`${folder}/other.md`, `${folder}/same.md`]);
  });

  it("does not compare pages that Git ignores", () => {
    expect(writePages(new Map([["docs/api/none.md", "new"]]), true)).to.deep.equal([]);
  });

  it("keeps the text around a reference and a table", () => {
    const path = `${folder}/page.md`;
    writePages(
      new Map([[path, `# A\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nAfter.\n\n${GENERATED_MARK}\n\nOld.\n`]]),
      false,
    );
    expect(withReference(path, "New.")).to.match(/^# A\n[^]*After\.\n\n<!--.*-->\n\nNew\.\n$/u);
    expect(withTable(path, ["a", "b"], [["3", "4"]])).to.match(/^# A\n\n.*\n.*\n\| 3 {3}\| 4 {3}\|\n\nAfter\.\n/u);
  });
});

describe("readErrorClasses", () => {
  it("finds one class for each code", () => {
    expect(readErrorClasses().map(({ code }) => code)).to.deep.equal(Object.keys(ERROR_CODES));
  });

  it("reads the fields of a class with their types, but without its code", () => {
    const found = readErrorClasses().find(({ code }) => code === "SERVICE_UNREACHABLE");
    expect(found?.fields.map(({ name, type, isOptional }) => [name, type, isOptional])).to.deep.equal([
      ["endpoint", "string", false],
      ["tries", "number", true],
      ["requestId", "string", true],
    ]);
  });
});

describe("the page about an error", () => {
  const body = "## When it is thrown\n\nOften.\n\n## How to fix it\n\n1. Do this.\n\n## Example\n\nNone.";
  const page = `# CODE\n\nIt happened.\n\n${body}\n\n${GENERATED_MARK}\n\n## Fields\n`;

  it("contains the handwritten text between the meaning and the reference", () => {
    expect(handwrittenPart(page)).to.equal(body);
    expect(missingSections(page)).to.deep.equal([]);
  });

  it("must state when the error is thrown and how to fix it, with an example", () => {
    expect(missingSections(page.replace("1. Do this.\n\n", ""))).to.deep.equal(["How to fix it"]);
    expect(missingSections(page.replace("## Example\n\nNone.", ""))).to.deep.equal(["Example"]);
    expect(missingSections(handwrittenPart(undefined))).to.deep.equal([
      "When it is thrown",
      "How to fix it",
      "Example",
    ]);
  });
});

describe("the page about failed fills", () => {
  it("has one section for each reason", () => {
    const sections = [...toFailReasonsPage().matchAll(/^### (.*)$/gmu)].map(([, title]) => title);
    expect(sections).to.have.members([...FAIL_REASONS, ...REFUND_FAIL_REASONS.map((reason) => `refund:${reason}`)]);
  });
});

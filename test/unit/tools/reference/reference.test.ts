import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";

import { expect } from "chai";

import { readErrorClasses } from "../../../../tools/reference/errorClasses.ts";
import { toFailReasonsPage } from "../../../../tools/reference/failReasonsPage.ts";
import { GENERATED_MARK, handwrittenPart, missingSections } from "../../../../tools/reference/handwrittenPart.ts";
import { formatTable, listPages, writePages } from "../../../../tools/reference/writePages.ts";
import { ERROR_CODES } from "../../../../packages/protocol/src/core/errors.ts";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "../../../../packages/protocol/src/schema/values.ts";

const ROOT = new URL("../../../../", import.meta.url);

describe("formatTable", () => {
  it("aligns columns and escapes pipes", () => {
    expect(formatTable(["a", "type"], [["`x`", "`A | B`"]])).to.equal(
      ["| a   | type     |", "| --- | -------- |", "| `x` | `A \\| B` |"].join("\n"),
    );
  });
});

describe("writePages", () => {
  let folder: string;
  const { argv } = process;

  beforeEach(() => {
    mkdirSync(".crosscall", { recursive: true });
    folder = mkdtempSync(".crosscall/pages-");
  });
  afterEach(() => {
    process.argv = argv;
    rmSync(folder, { recursive: true });
  });

  it("writes pages, and reports those that nothing generates", () => {
    writePages(new Map([[`${folder}/old.md`, "old"]]), folder);
    const faults = writePages(new Map([[`${folder}/new.md`, "new"]]), folder);
    expect(faults).to.deep.equal([`${folder}/old.md is not generated: delete it`]);
    expect(readFileSync(new URL(`${folder}/new.md`, ROOT), "utf8")).to.equal("new");
  });

  it("only reports pages that are missing or differ with --check", () => {
    writePages(
      new Map([
        [`${folder}/same.md`, "same"],
        [`${folder}/other.md`, "before"],
      ]),
    );
    process.argv = [...argv, "--check"];
    const pages = new Map(["same", "other", "missing"].map((name) => [`${folder}/${name}.md`, name]));
    expect(writePages(pages)).to.deep.equal(
      ["other", "missing"].map((name) => `${folder}/${name}.md is out of date: run \`npm run generate\``),
    );
    expect(listPages(folder)).to.deep.equal([`${folder}/other.md`, `${folder}/same.md`]);
  });
});

describe("readErrorClasses", () => {
  it("finds one class for each code", () => {
    expect(readErrorClasses().map(({ code }) => code)).to.deep.equal(Object.keys(ERROR_CODES));
  });

  it("reads the fields of a class with their types, and without its code", () => {
    const found = readErrorClasses().find(({ code }) => code === "SERVICE_UNREACHABLE");
    expect(found?.fields.map(({ name, type, isOptional }) => [name, type, isOptional])).to.deep.equal([
      ["endpoint", "string", false],
      ["tries", "number", true],
      ["requestId", "string", true],
    ]);
  });
});

describe("the page of an error", () => {
  const body = "## When it is thrown\n\nOften.\n\n## How to fix it\n\n1. Do this.\n\n## Example\n\nNone.";
  const page = `# CODE\n\nIt happened.\n\n${body}\n\n${GENERATED_MARK}\n\n## Fields\n`;

  it("keeps what is written by hand, between the meaning and the reference", () => {
    expect(handwrittenPart(page)).to.equal(body);
    expect(missingSections(page)).to.deep.equal([]);
  });

  it("must say when the error is thrown and how to fix it, with an example", () => {
    expect(missingSections(page.replace("1. Do this.\n\n", ""))).to.deep.equal(["How to fix it"]);
    expect(missingSections(page.replace("## Example\n\nNone.", ""))).to.deep.equal(["Example"]);
    expect(missingSections(handwrittenPart(undefined))).to.deep.equal([
      "When it is thrown",
      "How to fix it",
      "Example",
    ]);
  });
});

describe("the page of failed fills", () => {
  it("has one section for each reason", () => {
    const sections = [...toFailReasonsPage().matchAll(/^### (.*)$/gmu)].map(([, title]) => title);
    expect(sections).to.have.members([...FAIL_REASONS, ...REFUND_FAIL_REASONS.map((reason) => `refund:${reason}`)]);
  });
});

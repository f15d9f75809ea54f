import { expect } from "chai";

import { compareReports } from "../../../../tools/release/compareReports.ts";

function report(...declarations: readonly string[]): string {
  return ["## API", "```ts\n", ...declarations.map((text) => `${text}\n`), "```\n"].join("\n");
}

const FETCH = "// @public\nexport function fetch(url: string): Promise<void>;";
const OPTIONS =
  "// @public\nexport interface Options {\n    // (undocumented)\n    readonly a: string;\n    readonly b?: string;\n}";

describe("the difference of API reports", () => {
  it("is empty if only the order, comments or imports differ", () => {
    const moved = report("import { a } from 'a';", OPTIONS.replaceAll(/\/\/.*\n/gu, ""), FETCH);
    expect(compareReports({ "a.md": report(FETCH, OPTIONS) }, { "a.md": moved })).to.deep.equal({
      removed: [],
      added: [],
    });
  });

  it("has what was removed, changed and added", () => {
    const after = report(OPTIONS.replace("b?: string", "b: string"), "export const c: 1;");
    expect(compareReports({ "a.md": report(FETCH, OPTIONS) }, { "a.md": after })).to.deep.equal({
      removed: [
        "a.md: fetch: export function fetch(url: string): Promise<void>;",
        "a.md: Options: readonly b?: string;",
      ],
      added: ["a.md: Options: readonly b: string;", "a.md: c: export const c: 1;"],
    });
  });

  it("compares declarations and reports by name", () => {
    const before = { "a.md": report("interface A {\n    readonly a: 1;\n}"), "b.md": report() };
    const after = { "a.md": report("interface A {\n}", "interface B {\n    readonly a: 1;\n}"), "b.md": report() };
    expect(compareReports(before, after).removed).to.deep.equal(["a.md: A: readonly a: 1;"]);
    expect(compareReports(before, { "a.md": report(), "b.md": before["a.md"] }).removed).to.have.length(3);
  });

  it("counts lines that a declaration repeats", () => {
    const twice = report("type A = {\n    a: {\n        b: 1;\n    };\n    c: {\n        b: 1;\n    };\n};");
    const once = report("type A = {\n    a: {\n        b: 1;\n    };\n    c: {\n    };\n};");
    expect(compareReports({ "a.md": twice }, { "a.md": once }).removed).to.deep.equal(["a.md: A: b: 1;"]);
  });

  it("adds a member of a union or list, and removes one", () => {
    const short = report('export type A = "a" | "b";', 'export const B: readonly ["a", "b"];');
    const long = report('export type A = "a" | "c" | "b";', 'export const B: readonly ["a", "b", "c"];');
    expect(compareReports({ "a.md": short }, { "a.md": long })).to.deep.equal({
      removed: [],
      added: ['a.md: A: "c"', 'a.md: B: "c"'],
    });
    expect(compareReports({ "a.md": long }, { "a.md": short })).to.deep.equal({
      removed: ['a.md: A: "c"', 'a.md: B: "c"'],
      added: [],
    });
  });
});

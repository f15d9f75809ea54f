import { expect } from "chai";

import { addEntries, readManifest } from "../../../../../packages/crosscall/src/commands/init/editManifest.ts";
import { refusal } from "../../../../support/rejection.ts";

describe("addEntries", () => {
  it("sorts new dependencies among the existing ones, and keeps the rest unchanged", () => {
    const text = '{\n\t"files": ["a",  "b"],\n\t"dependencies": {\n\t\t"b": "1",\n\t\t"d": "1"\n\t}\n}\n';
    expect(addEntries(text, "dependencies", { e: "5", a: "1", c: "3" })).to.equal(
      '{\n\t"files": ["a",  "b"],\n\t"dependencies": {\n\t\t"a": "1",\n\t\t"b": "1",\n\t\t"c": "3",\n\t\t"d": "1",\n\t\t"e": "5"\n\t}\n}\n',
    );
  });

  it("adds scripts at the end, and adds a missing section", () => {
    const text = '{\n    "scripts": {\n        "z": "1"\n    }\n}';
    const scripts = addEntries(text, "scripts", { a: 'say "hi"' });
    expect(scripts).to.equal('{\n    "scripts": {\n        "z": "1",\n        "a": "say \\"hi\\""\n    }\n}');
    expect(addEntries(scripts, "devDependencies", { x: "1" })).to.equal(
      '{\n    "scripts": {\n        "z": "1",\n        "a": "say \\"hi\\""\n    },\n    "devDependencies": {\n        "x": "1"\n    }\n}',
    );
  });

  it("expands objects on one line to one line per property", () => {
    expect(addEntries("{}", "dependencies", { x: "1" })).to.equal('{\n  "dependencies": {\n    "x": "1"\n  }\n}');
    expect(addEntries('{\n  "dependencies": {"y": "1"}\n}', "dependencies", { x: "1" })).to.equal(
      '{\n  "dependencies": {\n    "x": "1",\n    "y": "1"\n  }\n}',
    );
    expect(addEntries('{\n  "dependencies": {\n  }\n}', "dependencies", { x: "1" })).to.equal(
      '{\n  "dependencies": {\n    "x": "1"\n  }\n}',
    );
  });

  it("keeps Windows line endings", () => {
    expect(addEntries('{\r\n  "name": "x"\r\n}\r\n', "dependencies", { y: "1" })).to.equal(
      '{\r\n  "name": "x",\r\n  "dependencies": {\r\n    "y": "1"\r\n  }\r\n}\r\n',
    );
  });
});

describe("readManifest", () => {
  it("rejects an invalid package.json", () => {
    for (const [text, value] of [
      ["", '""'],
      ["{", '"{"'],
      ["[]", "[]"],
      ["null", "null"],
      ['{"dependencies": []}', '{"dependencies":[]}'],
      ['{"scripts": "x"}', '{"scripts":"x"}'],
    ] as const) {
      expect(refusal(() => readManifest(text))).to.include({ code: "INVALID_INPUT", field: "package.json", value });
    }
    expect(readManifest('\uFEFF{"type": "module"}')).to.deep.equal({ type: "module" });
  });
});

import { expect } from "chai";

import { findUnwanted } from "../../../../tools/packages/packedFiles.ts";

function unwanted(files: Readonly<Record<string, string>>): readonly string[] {
  const packed = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }));
  return findUnwanted(packed, ["/home/me/checkout"]).map((fault) => fault.split(" ")[0] ?? "");
}

describe("a package's files", () => {
  it("contain no secrets, tests, source maps or folders of this machine", () => {
    const files = {
      ".env": "",
      ".env.local": "",
      "a/.npmrc": "",
      "a/id_ed25519": "",
      "a/server.key": "",
      "a/test/b.js": "",
      "a/b.test.js": "",
      "a/B.t.sol": "",
      "a/b.js.map": "",
      "a/b.js": "a();\n//# sourceMappingURL=../b.ts.map\n",
      "a/c.json": '{ "path": "/home/me/checkout/a" }',
    };
    expect(unwanted(files)).to.deep.equal(Object.keys(files));
  });

  it("can contain templates with tests, sample environments, and code that searches for source maps", () => {
    const files = {
      "templates/a/test/b.test.ts": "",
      "templates/a/.env.example": "",
      "a/testing.js": 'const mark = "//# sourceMappingURL=";',
      "contracts/testing/FillTest.sol": "",
    };
    expect(unwanted(files)).to.deep.equal([]);
  });
});

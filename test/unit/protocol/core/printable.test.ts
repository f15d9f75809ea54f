import { expect } from "chai";
import fc from "fast-check";

import { printable, printableData, printableLines } from "../../../../packages/protocol/src/core/printable.ts";

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

describe("printable", () => {
  it("escapes only control and bidirectional characters, as JSON does", () => {
    expect(printable("a\u001B[2J\t\n\u009B\u202E\u{E0041}é日🎉")).to.equal(
      "a\\u001b[2J\\u0009\\u000a\\u009b\\u202e\\udb40\\udc41é日🎉",
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => printable(text).match(HIDDEN) === null));
  });

  it("keeps line breaks in text, and the value of JSON", () => {
    expect(printableLines("a\n\tb\r\u0007")).to.equal("a\n\tb\\u000d\\u0007");
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = printableLines(JSON.stringify(value));
        expect(text.match(HIDDEN)).to.equal(null);
        expect(JSON.parse(text)).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("escapes keys and texts in data, and keeps other values", () => {
    const date = new Date(0);
    let deep: unknown = "\u0007";
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(() => printableData(deep)).not.to.throw();
    const data = { "a\n": ["\u0007", 1n, null], date, map: new Map([["a", 1]]) };
    expect(printableData(data)).to.deep.equal({
      "a\\u000a": ["\\u0007", 1n, null],
      date,
      map: new Map([["a", 1]]),
    });
  });
});

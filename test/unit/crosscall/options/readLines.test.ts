import { Readable } from "node:stream";

import { expect } from "chai";

import { readLines } from "../../../../packages/crosscall/src/options/readLines.ts";
import { failureOf } from "../../../integration/support/failureOf.ts";

const FROM = { field: "file", path: "-", maxLength: 10 };

async function read(input: Readable, signal = new AbortController().signal): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(input, { ...FROM, signal })) lines.push(line);
  return lines;
}

describe("readLines", () => {
  it("reads lines split across chunks, even within a character", async () => {
    const bytes = Buffer.from("é1\r\n\n2\u2028\nlast");
    for (let at = 0; at <= bytes.length; at += 1) {
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
      expect(await read(Readable.from(chunks))).to.deep.equal(["é1", "", "2\u2028", "last"]);
    }
    expect(await read(Readable.from([]))).to.deep.equal([]);
  });

  it("stops at a line that is too long, before its end", async () => {
    let taken = 0;
    function* endless(): Generator<string> {
      for (; ; taken += 1) yield "12345";
    }
    expect(await failureOf(read(Readable.from(endless())))).to.include({
      code: "INVALID_INPUT",
      field: "file",
      reason: "a line is longer than 10 characters",
    });
    expect(taken).to.be.lessThan(100);
  });

  it("ends if the signal aborts while it waits", async () => {
    const abort = new AbortController();
    const input = new Readable({ read: () => abort.abort() });
    expect(await read(input, abort.signal)).to.deep.equal([]);
    expect(input.destroyed).to.equal(true);
    expect(await read(new Readable(), abort.signal)).to.deep.equal([]);
  });
});

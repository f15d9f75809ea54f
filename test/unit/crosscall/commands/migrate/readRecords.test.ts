import { Readable } from "node:stream";

import { expect } from "chai";

import { readRecords } from "../../../../../packages/crosscall/src/commands/migrate/records.ts";

const FROM = { field: "file", path: "-", signal: new AbortController().signal };

async function read(...chunks: string[]): Promise<unknown[]> {
  const records = [];
  for await (const { line, at, value, text } of readRecords(Readable.from(chunks), FROM)) {
    records.push(text === undefined ? [line, at, value] : [line, at, text]);
  }
  return records;
}

describe("readRecords reads", () => {
  const inputs: Record<string, [string[], unknown[]]> = {
    "lines, wherever chunks end": [
      ['{"id":"1"}\n{"i', 'd":"2"}\r\n\n{"id":"3"}'],
      [
        [1, "", { id: "1" }],
        [2, "", { id: "2" }],
        [4, "", { id: "3" }],
      ],
    ],
    "an array on one line": [
      ['[{"id":"1"},5]\n'],
      [
        [1, "[0]", { id: "1" }],
        [1, "[1]", 5],
      ],
    ],
    "an array on many lines": [
      ['[\n  {"id":"1"},\n\n  {"id":"2"}\n]\n'],
      [
        [undefined, "[0]", { id: "1" }],
        [undefined, "[1]", { id: "2" }],
      ],
    ],
    "pages of the listing, one per line": [
      ['{"requests":[{"id":"1"}],"continuation":"c"}\n{"requests":[{"id":"2"}]}\n'],
      [
        [1, "requests[0]", { id: "1" }],
        [2, "requests[0]", { id: "2" }],
      ],
    ],
    "a page that spans many lines": [
      ['{\n "requests": [\n {"id":"1"}\n ]\n}\n'],
      [[undefined, "requests[0]", { id: "1" }]],
    ],
    "no records from an empty input": [["\n\n"], []],
    "lines that are not JSON, as text": [
      ['{"id":"1"}\n{"id"\n{"id":"3"}\n'],
      [
        [1, "", { id: "1" }],
        [2, "", '{"id"'],
        [3, "", { id: "3" }],
      ],
    ],
    "lines after a first line that is not JSON": [
      ['oops\n{"id":"2"}\n'],
      [
        [1, "", "oops"],
        [2, "", { id: "2" }],
      ],
    ],
  };
  for (const [name, [chunks, records]] of Object.entries(inputs)) {
    it(name, async () => {
      expect(await read(...chunks)).to.deep.equal(records);
    });
  }
});

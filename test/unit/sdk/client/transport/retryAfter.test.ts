import { expect } from "chai";

import { parseRetryAfter } from "../../../../../packages/sdk/src/client/transport/exchange.ts";

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);

describe("parseRetryAfter", () => {
  const values: [string | null, number | undefined][] = [
    ["0", 0],
    ["7", 7_000],
    [" 7 ", 7_000],
    ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
    ["Saturday, 21-Nov-26 12:00:30 GMT", 30_000],
    ["Sat Nov 21 12:00:30 2026 GMT", 30_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
    [null, undefined],
    ["", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["2026", 2_026_000],
    ["soon", undefined],
    ["Someday, soon", undefined],
  ];
  for (const [value, expected] of values) {
    it(`reads ${JSON.stringify(value)} as ${expected}`, () => {
      expect(parseRetryAfter(value, NOW)).to.equal(expected);
    });
  }
});

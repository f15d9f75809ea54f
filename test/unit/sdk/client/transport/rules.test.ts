import { expect } from "chai";

import { rulesOf } from "../../../../../packages/sdk/src/client/transport/endpoints.ts";
import { parseRetryAfter } from "../../../../../packages/sdk/src/client/transport/exchange.ts";

describe("the rules for endpoints", () => {
  const rules: ["GET" | "POST", string, string, boolean][] = [
    ["POST", "/quote/v2", "quote", true],
    ["POST", "/quote/v3", "quote", true],
    ["POST", "/execute/permits/v2", "other", false],
    ["GET", "/requests/v3", "listing", true],
    ["GET", "/requests/v2", "other", true],
    ["GET", "/requests/0xab/signature", "other", true],
    ["GET", "/intents/status/v3", "other", true],
    ["GET", "/chains", "other", true],
    ["POST", "/transactions/index", "other", true],
    ["POST", "/transactions/single", "other", true],
    ["GET", "/lives/v1", "oracle", true],
    ["GET", "/chains/v1", "oracle", true],
    ["POST", "/attestations/solver-fills/v1", "oracle", true],
    ["POST", "/price", "other", true],
    ["POST", "/currencies/v2", "other", true],
    ["POST", "/requests/metadata", "other", true],
    ["POST", "/fast-fill", "other", false],
    ["POST", "/transactions/deposit-address/reindex", "other", false],
    ["POST", "/app-fees/0xab/claim", "other", false],
    ["POST", "/execute/permits", "other", false],
    ["POST", "/execute", "other", false],
    ["POST", "/authorize", "other", false],
  ];
  for (const [method, path, family, isRepeatable] of rules) {
    it(`define ${method} ${path} as ${family} and ${isRepeatable ? "" : "not "}repeatable`, () => {
      expect(rulesOf(method, path)).to.deep.equal({ family, isRepeatable });
    });
  }
});

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

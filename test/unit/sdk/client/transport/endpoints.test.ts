import { expect } from "chai";

import { rulesOf } from "../../../../../packages/sdk/src/client/transport/endpoints.ts";

describe("the rules of endpoints", () => {
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
    it(`count ${method} ${path} as ${family}, ${isRepeatable ? "" : "not "}repeatable`, () => {
      expect(rulesOf(method, path)).to.deep.equal({ family, isRepeatable });
    });
  }
});

import { readFileSync } from "node:fs";

import { expect } from "chai";

import { endpointGeneration, ENDPOINTS, successorOf } from "../../../../packages/protocol/src/generations/endpoints.ts";

describe("generations of endpoints", () => {
  it("name a successor for each that ends, and none for the newest", () => {
    const successors = Object.fromEntries(ENDPOINTS.map(({ path }) => [path, successorOf(path)]));
    expect(successors).to.deep.equal({
      "/price": "/quote/v3",
      "/quote": "/quote/v3",
      "/quote/v2": "/quote/v3",
      "/quote/v3": undefined,
      "/execute/permits": "/execute/permits/v2",
      "/execute/permits/v2": undefined,
      "/requests/v2": "/requests/v3",
      "/requests/v3": undefined,
    });
    expect(ENDPOINTS.filter((one) => "endsOn" in one).map(({ path }) => path)).to.deep.equal(
      ENDPOINTS.map(({ path }) => path).filter((path) => successorOf(path) !== undefined),
    );
  });

  it("are on the first page of the docs, with the day on which they end", () => {
    const rows = readFileSync("docs/index.md", "utf8").split("\n");
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
    for (const one of ENDPOINTS) {
      const row = rows.find((text) => text.startsWith("|") && new RegExp(`[ \`]${one.path}\``, "u").test(text));
      expect(row, one.path).to.not.equal(undefined);
      if ("endsOn" in one) expect(row, one.path).to.include(`| ${day.format(new Date(one.endsOn))} `);
    }
  });

  it("carry the dates of the service's headers", () => {
    const { deprecatedSince, endsOn } = endpointGeneration("/quote/v2");
    expect(Date.parse(deprecatedSince) / 1_000).to.equal(1_795_564_800);
    expect(new Date(endsOn).toUTCString()).to.equal("Tue, 23 Feb 2027 00:00:00 GMT");
  });
});

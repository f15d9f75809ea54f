import { expect } from "chai";

import { InvalidInputError } from "../../../../../packages/protocol/src/core/errors.ts";
import { readReferrer, readScenarios } from "../../../../../packages/crosscall/src/localnet/scenarios/readScenarios.ts";

const read = (text: string): unknown =>
  readScenarios(text, "header").map(({ scenario: { name }, parameters }) => [name, parameters]);

describe("scenarios in a request", () => {
  it("are read from a referrer, including the live service's own hook", () => {
    expect(readReferrer("scenario:SLIPPAGE").map(({ scenario }) => scenario.name)).to.deep.equal(["SLIPPAGE"]);
    expect(readReferrer("debug-force-refund").map(({ scenario }) => scenario.name)).to.deep.equal([
      "MANUAL_ADMIN_REFUND",
    ]);
  });

  for (const referrer of [undefined, "", "my-app", "scenarios", "my-scenario:SLIPPAGE", "debug-force-refunds"]) {
    it(`cannot be read from the referrer ${String(referrer)}`, () => {
      expect(readReferrer(referrer)).to.deep.equal([]);
    });
  }

  it("can be combined, with numbers, text and booleans as parameters", () => {
    expect(read("delivery?bps=-50&kind=normal&seed=7&belowMinimum=true, slow-fill?delayMs=500,SLIPPAGE")).to.deep.equal(
      [
        ["delivery", { bps: -50, kind: "normal", seed: "7", belowMinimum: true }],
        ["slow-fill", { delayMs: 500 }],
        ["SLIPPAGE", {}],
      ],
    );
  });

  for (const [text, field] of [
    ["", "header"],
    ["SLIPPAGE,", "header"],
    ["SLIPAGE", "header"],
    ["SLIPPAGE?bps=1", "SLIPPAGE.bps"],
    ["delivery", "delivery.bps"],
    ["delivery?bps=1.5", "delivery.bps"],
    ["delivery?bps=10001", "delivery.bps"],
    ["delivery?bps=1&kind=gauss", "delivery.kind"],
    ["delivery?bps=1&bsp=1", "delivery.bsp"],
    ["slow-fill?delayMs=0", "slow-fill.delayMs"],
    ["stale-price?bps=10000", "stale-price.bps"],
    ["http:500?probability=2", "http:500.probability"],
  ] as const) {
    it(`are rejected in the form ${JSON.stringify(text)}`, () => {
      expect(() => read(text))
        .to.throw(InvalidInputError)
        .with.property("field", field);
    });
  }
});

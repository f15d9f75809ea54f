import { expect } from "chai";

import { InvalidInputError } from "../../../../../packages/protocol/src/core/errors.ts";
import { SERVICE_ERROR_CODES } from "../../../../../packages/protocol/src/errors/serviceError.ts";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "../../../../../packages/protocol/src/schema/values.ts";
import { SCENARIOS, requireScenario } from "../../../../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import type { ScenarioFamily } from "../../../../../packages/crosscall/src/localnet/scenarios/scenario.ts";

const namesOf = (family: ScenarioFamily): string[] =>
  SCENARIOS.flatMap((scenario) => (scenario.family === family ? [scenario.name] : []));

describe("the scenario catalog", () => {
  it("contains exactly the failReasons", () => {
    expect(namesOf("failReason")).to.deep.equal(FAIL_REASONS);
  });

  it("contains exactly the refundFailReasons", () => {
    expect(namesOf("refundFailReason")).to.deep.equal(REFUND_FAIL_REASONS.map((reason) => `refund:${reason}`));
  });

  it("contains exactly the quote error codes", () => {
    expect(namesOf("quoteError")).to.deep.equal(SERVICE_ERROR_CODES.map((code) => `quote:${code}`));
  });

  it("lists each scenario once, with a description in complete sentences", () => {
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).to.equal(SCENARIOS.length);
    for (const { name, what, hint } of SCENARIOS) {
      expect(what, name).to.match(/^[A-Z][^|\n]+\.$/u);
      expect(hint, name).to.match(/^[A-Z][^|\n]+\.$/u);
    }
  });

  it("describes each parameter", () => {
    const described = SCENARIOS.flatMap(({ parameters }) => parameters.map(({ meaning }) => meaning));
    expect(described.length).to.be.greaterThan(0);
    for (const meaning of described) expect(meaning).to.not.equal("");
  });

  for (const [name, found] of [
    ["SLIPPAGE", "SLIPPAGE"],
    ["quote:CHAIN_DISABLED", "quote:CHAIN_DISABLED"],
    ["CHAIN_DISABLED", "quote:CHAIN_DISABLED"],
    ["REFUND_RECIPIENT_IS_VASP", "refund:REFUND_RECIPIENT_IS_VASP"],
    ["429", "http:429"],
    // A name that is both a failReason and a quote error code means the failReason.
    ["NO_QUOTES", "NO_QUOTES"],
    ["AMOUNT_TOO_LOW_TO_REFUND", "AMOUNT_TOO_LOW_TO_REFUND"],
  ] as const) {
    it(`finds ${found} by the name ${name}`, () => {
      expect(requireScenario(name, "name").name).to.equal(found);
    });
  }

  for (const name of ["", "slippage", "quote:", "constructor", "__proto__"]) {
    it(`rejects ${JSON.stringify(name)}`, () => {
      expect(() => requireScenario(name, "name"))
        .to.throw(InvalidInputError)
        .with.property("field", "name");
    });
  }
});

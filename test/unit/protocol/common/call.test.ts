import { expect } from "chai";

import { InvalidInputError } from "../../../../packages/protocol/src/core/errors.ts";
import { sumCallValues } from "../../../../packages/protocol/src/common/call.ts";
import { parseProblems } from "../../../../packages/protocol/src/quote/quoteProblem.ts";
import { call, calls } from "../quoteRequests.ts";

describe("sumCallValues", () => {
  it("adds up the values", () => {
    expect(sumCallValues([])).to.equal(0n);
    expect(sumCallValues(calls)).to.equal(100n);
  });

  it("reports a value that is not an amount", () => {
    expect(() => sumCallValues([call, { ...call, value: "" }]))
      .to.throw(InvalidInputError)
      .with.property("field", "txs[1].value");
  });
});

describe("parseProblems", () => {
  it("does not catch errors other than rejections", () => {
    const parse = (): never => {
      throw new RangeError("a defect");
    };
    expect(() => parseProblems("INVALID_REQUEST", "1", "amount", parse)).to.throw(RangeError);
  });
});

import { expect } from "chai";
import { maxUint256 } from "viem";

import { type AllowanceState, raiseAllowance } from "../../../../packages/sdk/src/calls/raiseAllowance.ts";
import { refusal } from "../../../support/refusal.ts";
import { PROXY, TOKEN } from "./accounts.ts";
import { readCall } from "./decode.ts";

/** The approved amounts, in order. */
function approved(amount: bigint | undefined, facts?: AllowanceState): unknown[] {
  const calls = raiseAllowance({
    token: TOKEN,
    spender: PROXY,
    ...(amount === undefined ? {} : { amount }),
    ...(facts === undefined ? {} : { facts }),
  });
  return calls.map(readCall).map(({ to, name, args }) => {
    expect([to, name, args[0]]).to.deep.equal([TOKEN, "approve", PROXY]);
    return args[1];
  });
}

describe("raiseAllowance", () => {
  it("approves exactly, or the maximum", () => {
    expect(approved(5n)).to.deep.equal([5n]);
    expect(approved(undefined)).to.deep.equal([maxUint256]);
  });

  it("only approves if the token accepts every change, for any allowance", () => {
    expect(approved(5n, { standing: 3n })).to.deep.equal([5n]);
    expect(approved(5n, { standing: 9n, refusesChange: false })).to.deep.equal([5n]);
  });

  for (const [standing, amounts] of [
    [0n, [5n]],
    [1n, [0n, 5n]],
    [4n, [0n, 5n]],
    [5n, []],
    [6n, []],
    [undefined, [0n, 5n]],
  ] as const) {
    it(`of a token that rejects changes, with an allowance of ${standing ?? "unknown size"} where 5 are needed`, () => {
      const facts = { refusesChange: true, ...(standing === undefined ? {} : { standing }) };
      expect(approved(5n, facts)).to.deep.equal(amounts);
    });
  }

  it("resets before the maximum, unless the allowance is already the maximum", () => {
    expect(approved(undefined, { refusesChange: true, standing: maxUint256 - 1n })).to.deep.equal([0n, maxUint256]);
    expect(approved(undefined, { refusesChange: true, standing: maxUint256 })).to.deep.equal([]);
  });

  it("rejects an invalid allowance", () => {
    expect(refusal(() => approved(5n, { refusesChange: true, standing: -1n }))).to.deep.equal({
      code: "INVALID_INPUT",
      field: "facts.standing",
      value: "-1",
    });
  });
});

import { expect } from "chai";

import { deliveredAmount, type DeliveryInput } from "../../../../../packages/crosscall/src/localnet/solver/delivery.ts";

const AS_QUOTED: DeliveryInput = {
  tradeType: "EXACT_INPUT",
  quotedInput: 1_000n,
  depositedInput: 1_000n,
  expectedOutput: 900n,
  minimumOutput: 800n,
  deliveryBps: 0,
};

describe("deliveredAmount", () => {
  const cases: Record<string, [Partial<DeliveryInput>, bigint]> = {
    "the expected amount": [{}, 900n],
    "less by the deviation": [{ deliveryBps: -100 }, 891n],
    "more by the deviation": [{ deliveryBps: 100 }, 909n],
    "the deviation rounded down": [{ deliveryBps: -1 }, 899n],
    "the minimum exactly": [{ minimumOutput: 891n, deliveryBps: -100 }, 891n],
    "never less than the minimum": [{ deliveryBps: -10_000 }, 800n],
    "at most twice the expected amount": [{ deliveryBps: 10_000 }, 1_800n],
    "increased in proportion for a deposit above the quote": [{ depositedInput: 1_500n }, 1_350n],
    "the proportion rounded down": [{ depositedInput: 1_001n }, 900n],
    "at least the minimum increased in proportion": [{ depositedInput: 1_500n, deliveryBps: -10_000 }, 1_200n],
    "reduced by the deviation for an expected output": [{ tradeType: "EXPECTED_OUTPUT", deliveryBps: -100 }, 891n],
    "an exact output exactly": [{ tradeType: "EXACT_OUTPUT", deliveryBps: -100, depositedInput: 1_500n }, 900n],
  };
  for (const [name, [changes, amount]] of Object.entries(cases)) {
    it(`is ${name}`, () => {
      expect(deliveredAmount({ ...AS_QUOTED, ...changes })).to.equal(amount);
    });
  }
});

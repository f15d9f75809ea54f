import { expect } from "chai";
import { toEventSignature, toFunctionSignature } from "viem";

import { depositoryAbi } from "../../../../packages/protocol/src/abi/depository.generated.ts";
import { DEPOSIT_ABI, DEPOSIT_EVENTS } from "../../../../packages/protocol/src/chains/depositAbi.ts";

describe("the depository's ABI in apps", () => {
  it("has every function and event of a deposit, as in the interface", () => {
    const functions = depositoryAbi.flatMap((item) =>
      item.type === "function" && item.name.startsWith("deposit")
        ? [`${toFunctionSignature(item)} ${item.stateMutability}`]
        : [],
    );
    const shown = DEPOSIT_ABI.map((item) => `${toFunctionSignature(item)} ${item.stateMutability}`);
    expect(shown).to.have.members(functions);
    const events = depositoryAbi.flatMap((item) =>
      item.type === "event" && item.name.endsWith("Deposit") ? [toEventSignature(item)] : [],
    );
    expect(DEPOSIT_EVENTS.map((item) => toEventSignature(item))).to.have.members(events);
    expect(DEPOSIT_EVENTS.flatMap(({ inputs }) => inputs.map((input) => "indexed" in input))).not.to.include(true);
  });
});

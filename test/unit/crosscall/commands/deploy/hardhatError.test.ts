import { HardhatError } from "@nomicfoundation/hardhat-errors";
import { expect } from "chai";

import { HARDHAT_ERRORS, isHardhatError } from "../../../../../packages/crosscall/src/commands/deploy/hardhatError.ts";

const KNOWN: Readonly<Record<string, { readonly number: number }>> = {
  ...HardhatError.ERRORS.IGNITION.EXECUTION,
  ...HardhatError.ERRORS.HARDHAT_VERIFY.GENERAL,
};

describe("the errors of Hardhat that a deployment handles", () => {
  it("have the numbers that Hardhat gives them", () => {
    for (const [name, number] of Object.entries(HARDHAT_ERRORS)) expect(KNOWN[name]?.number, name).to.equal(number);
  });

  it("are recognized by their number", () => {
    const lost = new HardhatError(HardhatError.ERRORS.IGNITION.EXECUTION.TRANSACTION_LOST, {
      futureId: "module#contract",
      nonce: 1,
      sender: "0x",
    });
    expect(isHardhatError(lost)).to.equal(true);
    expect(isHardhatError(lost, [HARDHAT_ERRORS.TRANSACTION_LOST])).to.equal(true);
    expect(isHardhatError(lost, [HARDHAT_ERRORS.NONCE_TOO_LOW])).to.equal(false);
    expect(isHardhatError(new Error("HHE10410"))).to.equal(false);
  });
});

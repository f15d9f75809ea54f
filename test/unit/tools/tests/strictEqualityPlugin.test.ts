import { expect } from "chai";
import { network } from "hardhat";

describe("deep.equal after connecting to a network", () => {
  before(async () => {
    const connection = await network.create("hardhat");
    await connection.close();
  });

  it("distinguishes a bigint amount from a string or a number with the same digits", () => {
    expect({ amount: 5n }).to.deep.equal({ amount: 5n });
    expect({ amount: "5" }).not.to.deep.equal({ amount: 5n });
    expect({ amount: 5 }).not.to.deep.equal({ amount: 5n });
  });

  it("shows the difference", () => {
    expect(() => expect({ amount: "5" }, "the quote").to.deep.equal({ amount: "6" })).to.throw(
      "the quote: expected { amount: '5' } to deeply equal { amount: '6' }",
    );
  });
});

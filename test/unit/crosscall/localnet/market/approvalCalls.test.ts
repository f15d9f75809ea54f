import { expect } from "chai";
import { decodeFunctionData, erc20Abi } from "viem";

import { approvalCalls } from "../../../../../packages/crosscall/src/localnet/market/approvalCalls.ts";
import { account, origin } from "./fixtures.ts";

const { contracts, tokens } = origin;
const spender = account("c");

const amounts = (token: `0x${string}`, mayHaveAllowance: boolean): unknown[] =>
  approvalCalls(tokens, { token, spender, amount: 5n, mayHaveAllowance }).map(({ to, data, value }) => {
    expect({ to, value }).to.deep.equal({ to: token, value: 0n });
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    expect([functionName, args[0]?.toLowerCase()]).to.deep.equal(["approve", spender.toLowerCase()]);
    return args[1];
  });

describe("approvalCalls", () => {
  it("resets a Tether allowance first", () => {
    expect(amounts(contracts.tether, true)).to.deep.equal([0n, 5n]);
  });

  it("overwrites every other allowance", () => {
    expect(amounts(contracts.tether, false)).to.deep.equal([5n]);
    expect(amounts(contracts.dollar, true)).to.deep.equal([5n]);
  });
});

import { expect } from "chai";
import { type Hex, concat, decodeFunctionData, encodeFunctionData, parseAbi, slice, size, zeroAddress } from "viem";

import type { EvmCall } from "../../../../../packages/crosscall/src/localnet/devchain/devChain.ts";
import {
  type FillParameters,
  fillTransaction,
  transferTransaction,
} from "../../../../../packages/crosscall/src/localnet/solver/fillTransaction.ts";
import { account, RECIPIENT, word } from "../market/fixtures.ts";

// ABIs written from spec 4, section 3 and EIP-20, independently of the build, because the live contracts must accept
// the calls.
const abi = parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable",
  "function transfer(address to, uint256 amount) returns (bool)",
]);

const ORDER_ID = word("7");
const ROUTER = account("8");
const TOKEN = account("9");
const first: EvmCall = { to: account("a"), data: "0x01", value: 60n };
const second: EvmCall = { to: account("b"), data: "0x", value: 40n };
const payment: EvmCall = { to: TOKEN, data: "0x02", value: 0n };
const fill: FillParameters = {
  orderId: ORDER_ID,
  router: ROUTER,
  recipient: RECIPIENT,
  currency: zeroAddress,
  amount: 150n,
  calls: [first, second],
  tokenPayment: undefined,
};

/** Returns the decoded call and the last word of call data. */
function read(data: Hex): { name: string; args: readonly unknown[]; last: Hex } {
  const end = size(data) - 32;
  const call = slice(data, 0, end);
  const { functionName, args } = decodeFunctionData({ abi, data: call });
  expect(encodeFunctionData({ abi, functionName, args })).to.equal(call);
  return { name: functionName, args, last: slice(data, end) };
}

const call3 = ({ to, data, value }: EvmCall): unknown => ({ target: to, allowFailure: false, value, callData: data });

describe("fillTransaction", () => {
  it("pays the router the native amount first, runs the calls in order, and appends the orderId", () => {
    const { to, data, value } = fillTransaction(fill);
    const received: EvmCall = { to: ROUTER, data: "0x", value: 150n };
    expect([to, value, read(data)]).to.deep.equal([
      ROUTER,
      150n,
      {
        name: "multicall",
        args: [[call3(received), call3(first), call3(second)], RECIPIENT, RECIPIENT, "0x"],
        last: ORDER_ID,
      },
    ]);
  });

  it("transfers the tokens first, and sends the native currency for the calls", () => {
    const { to, data, value } = fillTransaction({ ...fill, currency: TOKEN, tokenPayment: payment });
    expect([to, value, read(data)]).to.deep.equal([
      ROUTER,
      100n,
      {
        name: "multicall",
        args: [[call3(payment), call3(first), call3(second)], RECIPIENT, RECIPIENT, "0x"],
        last: ORDER_ID,
      },
    ]);
  });

  it("builds a plain transfer if there are no calls", () => {
    for (const currency of [zeroAddress, TOKEN]) {
      const bare = { ...fill, currency, calls: [] };
      expect(fillTransaction(bare)).to.deep.equal(transferTransaction(bare));
    }
  });
});

describe("transferTransaction", () => {
  it("builds a plain transfer of native currency with the orderId as call data", () => {
    expect(transferTransaction(fill)).to.deep.equal({ to: RECIPIENT, data: ORDER_ID, value: 150n });
  });

  it("builds a token transfer with the orderId appended", () => {
    const { to, data, value } = transferTransaction({ ...fill, currency: TOKEN });
    expect([to, value, read(data)]).to.deep.equal([
      TOKEN,
      0n,
      { name: "transfer", args: [RECIPIENT, 150n], last: ORDER_ID },
    ]);
    expect(data).to.equal(
      concat([
        "0xa9059cbb",
        `0x${"00".repeat(12)}${RECIPIENT.slice(2).toLowerCase()}`,
        `0x${"0".repeat(62)}96`,
        ORDER_ID,
      ]),
    );
  });
});

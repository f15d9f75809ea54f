import { expect } from "chai";
import { type Address, type Hex, getAddress, numberToHex, pad, toEventSelector, zeroAddress } from "viem";

import type { CallFrame, FrameLog } from "../../../../../packages/crosscall/src/replay/trace/callFrame.ts";
import { netReceived } from "../../../../../packages/crosscall/src/replay/envelope/forkTrials.ts";

const account = (byte: string): Address => getAddress(pad(`0x${byte}`, { size: 20 }));
const [USER, OTHER, TOKEN] = [account("a1"), account("b0"), account("c0")];

const transfer = (from: Address, to: Address, amount: bigint, more: readonly Hex[] = []): FrameLog => ({
  address: TOKEN,
  topics: [toEventSelector("Transfer(address,address,uint256)"), pad(from), pad(to), ...more],
  data: numberToHex(amount, { size: 32 }),
  position: 0,
});

const frame = (fields: Partial<CallFrame> = {}): CallFrame => ({
  kind: "CALL",
  from: OTHER,
  to: TOKEN,
  value: 0n,
  gas: 0n,
  gasUsed: 0n,
  input: "0x",
  output: "0x",
  error: undefined,
  errorText: undefined,
  calls: [],
  logs: [],
  ...fields,
});

const net = (root: CallFrame) => [...netReceived(root, USER)];

describe("the net amounts that an account receives from a call", () => {
  it("are incoming minus outgoing transfers, at any depth", () => {
    const inner = frame({ logs: [transfer(OTHER, USER, 7n)] });
    expect(net(frame({ logs: [transfer(USER, OTHER, 2n)], calls: [inner] }))).to.deep.equal([[TOKEN, 5n]]);
  });

  it("omit net amounts of zero", () => {
    expect(net(frame({ logs: [transfer(OTHER, USER, 7n), transfer(USER, OTHER, 7n)] }))).to.deep.equal([]);
  });

  it("exclude a failed call and all calls inside it", () => {
    const inner = frame({ value: 3n, to: USER });
    expect(net(frame({ calls: [frame({ error: "reverted", calls: [inner] })] }))).to.deep.equal([]);
  });

  it("include the value of calls, but not of delegated calls", () => {
    const calls = [frame({ value: 9n, to: USER }), frame({ kind: "DELEGATECALL", value: 9n, to: USER })];
    expect(net(frame({ calls }))).to.deep.equal([[zeroAddress, 9n]]);
    expect(net(frame({ value: 4n, from: USER }))).to.deep.equal([[zeroAddress, -4n]]);
  });

  it("exclude NFTs and other accounts", () => {
    expect(net(frame({ logs: [transfer(OTHER, USER, 1n, [pad("0x1")]), transfer(TOKEN, OTHER, 1n)] }))).to.deep.equal(
      [],
    );
  });
});

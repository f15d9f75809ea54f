import { expect } from "chai";
import { toHex, zeroAddress } from "viem";

import { listTransfers } from "../../../../../packages/crosscall/src/replay/trace/listTransfers.ts";
import { callTo, dataOf, frameOf, logOf, multicallOf, planOf, ROUTER, SOLVER, TOKEN, USER, VAULT } from "./frames.ts";

const word = (value: bigint) => toHex(value, { size: 32 });
const transferLog = (from: string, to: string, amount: bigint, position = 0) =>
  logOf("event Transfer(address indexed a, address indexed b, uint256 v)", TOKEN, [from, to], word(amount), position);
const depositLog = logOf("event Deposit(address indexed dst, uint256 wad)", TOKEN, [VAULT], word(5n));
const withdrawalLog = logOf("event Withdrawal(address indexed src, uint256 wad)", TOKEN, [VAULT], word(5n), 1);
const plan = planOf([callTo(TOKEN, "0xd0e30db0", 5n), callTo(VAULT, "0x12345678")]);

describe("listTransfers", () => {
  it("lists transfers of tokens and native currency in sequence, with the order's call that made each", () => {
    const inner = frameOf({ from: VAULT, logs: [transferLog(VAULT, USER, 2n)] });
    const vault = frameOf({
      to: VAULT,
      input: "0x12345678",
      calls: [inner],
      logs: [transferLog(ROUTER, VAULT, 1n, 0), transferLog(USER, VAULT, 3n, 1)],
    });
    const frame = multicallOf(plan, {
      value: 5n,
      calls: [frameOf({ input: "0xd0e30db0", value: 5n, logs: [depositLog] }), vault, frameOf({ to: USER, value: 4n })],
    });
    const native = zeroAddress;
    expect(listTransfers(frame, plan)).to.deep.equal([
      { currency: native, from: SOLVER, to: ROUTER, amount: 5n, txIndex: undefined },
      { currency: native, from: ROUTER, to: TOKEN, amount: 5n, txIndex: 0 },
      { currency: TOKEN, from: zeroAddress, to: VAULT, amount: 5n, txIndex: 0 },
      { currency: TOKEN, from: ROUTER, to: VAULT, amount: 1n, txIndex: 1 },
      { currency: TOKEN, from: VAULT, to: USER, amount: 2n, txIndex: 1 },
      { currency: TOKEN, from: USER, to: VAULT, amount: 3n, txIndex: 1 },
      { currency: native, from: ROUTER, to: USER, amount: 4n, txIndex: undefined },
    ]);
  });

  it("counts wrapping once if the contract also logs a transfer for it", () => {
    const logs = [transferLog(zeroAddress, VAULT, 5n), depositLog];
    const found = listTransfers(frameOf({ value: 5n, logs }), plan);
    expect(found.map(({ amount, from }) => [amount, from])).to.deep.equal([
      [5n, ROUTER],
      [5n, zeroAddress],
    ]);
  });

  it("reads a withdrawal event if native currency leaves the contract, and ignores such events from other contracts", () => {
    const paid = frameOf({ logs: [withdrawalLog], calls: [frameOf({ from: TOKEN, to: VAULT, value: 5n })] });
    expect(listTransfers(paid, plan)).to.deep.equal([
      { currency: zeroAddress, from: TOKEN, to: VAULT, amount: 5n, txIndex: undefined },
      { currency: TOKEN, from: VAULT, to: zeroAddress, amount: 5n, txIndex: undefined },
    ]);
    expect(listTransfers(frameOf({ logs: [depositLog, { ...withdrawalLog, position: 0 }] }), plan)).to.deep.equal([]);
  });

  it("ignores NFTs, the value of delegate calls, and transfers in a failed call", () => {
    const nft = { ...transferLog(ROUTER, USER, 1n), topics: [...transferLog(ROUTER, USER, 1n).topics, word(1n)] };
    const failed = frameOf({ value: 9n, error: "reverted", calls: [frameOf({ value: 8n })] });
    const delegated = frameOf({ kind: "DELEGATECALL", value: 7n });
    expect(listTransfers(frameOf({ logs: [nft], calls: [failed, delegated] }), plan)).to.deep.equal([]);
    expect(
      listTransfers(frameOf({ input: dataOf("function f()"), error: "out of gas", value: 1n }), plan),
    ).to.deep.equal([]);
  });
});

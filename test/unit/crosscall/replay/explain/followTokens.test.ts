import { expect } from "chai";
import { type Hex, maxUint256, toHex, zeroHash } from "viem";

import type { CallFrame } from "../../../../../packages/crosscall/src/replay/trace/callFrame.ts";
import { followTokens } from "../../../../../packages/crosscall/src/replay/explain/followTokens.ts";
import { dataOf, frameOf, ROUTER, TOKEN, USER, VAULT } from "../trace/frames.ts";

const YES = toHex(1n, { size: 32 });
const NO = toHex(0n, { size: 32 });
const PERMIT =
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)";

/** Returns a call from the router to the token. */
const callOf = (signature: string, args: readonly unknown[], parts: Partial<CallFrame> = {}): CallFrame =>
  frameOf({ input: dataOf(signature, ...args), output: YES, ...parts });
/** Returns the state before the last call. */
const after = (...calls: readonly CallFrame[]) =>
  followTokens(frameOf({ to: ROUTER, calls: [...calls, frameOf({})] }), [calls.length]);
const held = (...calls: readonly CallFrame[]) => after(...calls).balance(TOKEN, ROUTER, 100n);
const allowed = (first: bigint, ...calls: readonly CallFrame[]) =>
  after(...calls).allowance(TOKEN, ROUTER, VAULT, first);

describe("followTokens", () => {
  const transfer = (amount: bigint, parts?: Partial<CallFrame>) =>
    callOf("function transfer(address to, uint256 amount)", [USER, amount], parts);
  const withdraw = (amount: bigint, paid: bigint) =>
    callOf("function withdraw(uint256 amount)", [amount], {
      output: "0x",
      calls: [frameOf({ from: TOKEN, to: ROUTER, value: paid })],
    });
  const change = (name: string, amount: bigint, output: Hex = YES) =>
    callOf(`function ${name}(address spender, uint256 amount)`, [VAULT, amount], { output });

  it("follows transfers, except those that failed or returned false", () => {
    expect(held(transfer(30n))).to.equal(70n);
    expect(held(transfer(30n, { error: "reverted" }), transfer(30n, { output: NO }))).to.equal(100n);
  });

  it("follows the wrapping and unwrapping of native currency", () => {
    const deposit = callOf("function deposit() payable", [], { value: 9n, output: "0x" });
    expect(held(deposit)).to.equal(109n);
    expect(held(deposit, withdraw(4n, 4n))).to.equal(105n);
  });

  it("ignores a withdrawal event without a native transfer", () => {
    expect(held(withdraw(4n, 0n))).to.equal(100n);
  });

  it("follows partial changes of allowances", () => {
    expect(allowed(5n, change("increaseAllowance", 7n))).to.equal(12n);
    expect(allowed(5n, change("decreaseAllowance", 2n))).to.equal(3n);
    expect(allowed(maxUint256, change("decreaseAllowance", maxUint256))).to.equal(0n);
    expect(allowed(5n, change("increaseAllowance", 7n, NO))).to.equal(5n);
  });

  it("follows a permit from any sender", () => {
    const args = [ROUTER, VAULT, 42n, maxUint256, 27, zeroHash, zeroHash];
    expect(allowed(5n, callOf(PERMIT, args, { from: USER, output: "0x" }))).to.equal(42n);
  });
});

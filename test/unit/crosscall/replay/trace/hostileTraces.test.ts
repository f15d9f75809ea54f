import { expect } from "chai";
import fc from "fast-check";
import { bytesToHex, type Hex, toEventSelector, toFunctionSelector } from "viem";

import { listTouched } from "../../../../../packages/crosscall/src/replay/effects/effects.ts";
import { findCause } from "../../../../../packages/crosscall/src/replay/explain/findCause.ts";
import { findSwallowed } from "../../../../../packages/crosscall/src/replay/explain/findings.ts";
import { followTokens } from "../../../../../packages/crosscall/src/replay/explain/followTokens.ts";
import { findRejectedTransfer } from "../../../../../packages/crosscall/src/replay/explain/stateConditions.ts";
import type { CallFrame, FrameLog } from "../../../../../packages/crosscall/src/replay/trace/callFrame.ts";
import { listTransfers } from "../../../../../packages/crosscall/src/replay/trace/listTransfers.ts";
import { readTrace } from "../../../../../packages/crosscall/src/replay/trace/readTrace.ts";
import { callTo, frameOf, planOf, ROUTER, TOKEN, USER } from "./frames.ts";

/** First bytes that make a contract's data look like known data. */
const SELECTORS = [
  "transfer(address,uint256)",
  "transferFrom(address,address,uint256)",
  "approve(address,uint256)",
  "balanceOf(address)",
  "withdraw(uint256)",
  "execute()",
  "Error(string)",
  "Panic(uint256)",
  "multicall((address,bool,uint256,bytes)[],address,address,bytes)",
  "StepFailed(uint256,address,bytes)",
].map((words) => toFunctionSelector(`function ${words}`));

const TOPICS = [
  "Transfer(address,address,uint256)",
  "Approval(address,address,uint256)",
  "Deposit(address,uint256)",
].map((words) => toEventSelector(words));

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => bytesToHex(array));
const words = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => bytesToHex(array));
const data: fc.Arbitrary<Hex> = fc
  .tuple(fc.constantFrom("0x" as const, ...SELECTORS), bytes)
  .map(([selector, rest]): Hex => `${selector}${rest.slice(2)}`);
const log: fc.Arbitrary<FrameLog> = fc.record({
  address: fc.constantFrom(TOKEN, ROUTER),
  topics: fc
    .tuple(fc.constantFrom(...TOPICS), fc.array(words, { maxLength: 3 }))
    .map(([selector, others]) => [selector, ...others]),
  data: fc.oneof(words, bytes),
  position: fc.nat(3),
});
const { frame: anyFrame } = fc.letrec<{ frame: CallFrame }>((tie) => ({
  frame: fc
    .record({
      kind: fc.constantFrom("CALL", "DELEGATECALL", "STATICCALL", "CREATE", "SELFDESTRUCT"),
      from: fc.constantFrom(TOKEN, ROUTER, USER),
      to: fc.constantFrom(TOKEN, ROUTER, USER, undefined),
      value: fc.bigInt({ min: 0n, max: 3n }),
      input: data,
      output: data,
      error: fc.constantFrom(undefined, undefined, "reverted", "out of gas", "other"),
      logs: fc.array(log, { maxLength: 2 }),
      calls: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("frame"), { maxLength: 3 })),
    })
    .map((parts) => frameOf(parts as Partial<CallFrame>)),
}));

describe("trace readers", () => {
  it("accept any data from contracts", () => {
    const plan = planOf([callTo(TOKEN, "0x12345678")]);
    fc.assert(
      fc.property(anyFrame, (frame) => {
        const cause = findCause(frame);
        expect(cause.frames.length).to.equal(cause.path.length + 1);
        readTrace({ frame, plan });
        listTransfers(frame, plan);
        listTouched(frame, plan, []);
        findSwallowed(frame, plan);
        findRejectedTransfer(cause);
        followTokens(frame, cause.path).balance(TOKEN, USER, 0n);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

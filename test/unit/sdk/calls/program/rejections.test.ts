import { expect } from "chai";
import { type Address, type Hex, parseAbi, toFunctionSignature, zeroAddress } from "viem";

import { deniedFunctions } from "../../../../../packages/protocol/src/abi/deniedFunctions.generated.ts";
import {
  encodeProgram,
  live,
  packed,
  pullAndExecute,
  pushAndExecute,
  returned,
} from "../../../../../packages/sdk/src/calls/index.ts";
import { deniedFunction } from "../../../../../packages/sdk/src/calls/program/compileStep.ts";
import type { PatchWidth } from "../../../../../packages/sdk/src/calls/program/placeholder.ts";
import type { Program, ProgramStep } from "../../../../../packages/sdk/src/calls/program/program.ts";
import { refusal } from "../../../../support/rejection.ts";
import { account, call, CONTRACTS, DOLLAR, EURO, programOf, SENTINEL, SPENDER, USER, VAULT } from "./fixtures.ts";

const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const WRONG = "0x1234" as Address;
const all = live(DOLLAR);
const bytes = (count: number): Hex => `0x${"00".repeat(count)}`;
const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const numbered = (index: number): Address => `0x${(index + 1).toString(16).padStart(40, "0")}`;
const encode = (change: Partial<Program>) => () => encodeProgram(programOf([], change), CONTRACTS);
const run =
  (...steps: ProgramStep[]) =>
  () =>
    encodeProgram(programOf(steps), CONTRACTS);
const fallBack = (change: object) =>
  encode({ policy: { kind: "fallBack", recipient: USER, stepsGas: 1, reserveGas: 1, ...change } });
const place = (offset: number, width: number) => ({ offset, width: width as PatchWidth, amount: all });

/** Invalid programs, with the field and the value of the error. */
const REFUSED: Record<string, [build: () => unknown, field: string, value: string]> = {
  "a token to draw": [() => live(WRONG), "token", `"${WRONG}"`],
  "a share of zero": [() => live(DOLLAR, { shareBps: 0 }), "shareBps", "0"],
  "a share above 100%": [() => live(DOLLAR, { shareBps: 10_001 }), "shareBps", "10001"],
  "a fractional share": [() => returned(0, { shareBps: 1.5 }), "shareBps", "1.5"],
  "a spender": [() => live(DOLLAR, { approve: WRONG }), "approve", `"${WRONG}"`],
  "an allowance of native": [() => live("native", { approve: "target" }), "approve", '"target"'],
  "a word that is not kept": [() => returned(16), "word", "16"],
  "a word below the first": [() => returned(-1), "word", "-1"],
  "invalid bytes": [() => packed("0x123", []), "bytes", '"0x123"'],
  "a width that is not supported": [() => packed(bytes(32), [place(0, 8)]), "fields[0].width", "8"],
  "a place past the end": [() => packed(bytes(32), [place(0, 16), place(17, 16)]), "fields[1].offset", "17"],
  "a place before the start": [() => packed(bytes(32), [place(-1, 16)]), "fields[0].offset", "-1"],
  "a place over another": [() => packed(bytes(40), [place(16, 16), place(1, 16)]), "fields[1].offset", "1"],
  "a place over the selector": [
    run({ target: VAULT, data: packed(bytes(40), [place(3, 32)]) }),
    "steps[0].data.fields[0].offset",
    "3",
  ],

  "a recipient": [encode({ recipient: WRONG }), "recipient", `"${WRONG}"`],
  "recipient zero": [encode({ recipient: zeroAddress }), "recipient", `"${zeroAddress}"`],
  "the executor as recipient": [encode({ recipient: CONTRACTS.executor }), "recipient", `"${CONTRACTS.executor}"`],
  "the puller as recipient": [encode({ recipient: CONTRACTS.livePuller }), "recipient", `"${CONTRACTS.livePuller}"`],
  "the router as recipient": [encode({ recipient: CONTRACTS.router }), "recipient", `"${CONTRACTS.router}"`],
  "Permit2 as recipient": [encode({ recipient: PERMIT2 }), "recipient", `"${PERMIT2}"`],
  "a token as recipient": [encode({ recipient: EURO }), "recipient", `"${EURO}"`],
  "a token as fallback recipient": [fallBack({ recipient: EURO }), "policy.recipient", `"${EURO}"`],
  "fractional gas of steps": [fallBack({ stepsGas: 0.5 }), "policy.stepsGas", "0.5"],
  "gas of steps above 32 bits": [fallBack({ stepsGas: 2 ** 32 }), "policy.stepsGas", "4294967296"],
  "a negative gas reserve": [fallBack({ reserveGas: -1 }), "policy.reserveGas", "-1"],
  "a deadline of zero": [encode({ deadline: 0n }), "deadline", "0"],
  "a deadline above 40 bits": [encode({ deadline: 2n ** 40n }), "deadline", "1099511627776"],
  "a declared token": [encode({ tokens: [{ token: WRONG }] }), "tokens[0].token", `"${WRONG}"`],
  "a token declared twice": [
    encode({ tokens: [{ token: "native" }, { token: zeroAddress }] }),
    "tokens[1].token",
    `"${zeroAddress}"`,
  ],
  "a kept unit of native": [encode({ tokens: [{ token: "native", keepUnit: true }] }), "tokens[0].keepUnit", "true"],
  "a minimum in": [encode({ tokens: [{ token: DOLLAR, minimumIn: -1n }] }), "tokens[0].minimumIn", "-1"],
  "a checked token": [encode({ checks: [{ token: WRONG, minimumOut: 1n }] }), "checks[0].token", `"${WRONG}"`],
  "a minimum out": [encode({ checks: [{ token: EURO, minimumOut: -1n }] }), "checks[0].minimumOut", "-1"],
  "256 tokens": [encode({ tokens: many(256, (index) => ({ token: numbered(index) })) }), "tokens", '"256 tokens"'],
  "256 checks": [encode({ checks: many(256, () => ({ token: EURO, minimumOut: 1n })) }), "checks", '"256 checks"'],
  "256 steps": [run(...many(256, () => call("depositAll", []))), "steps", '"256 steps"'],
  "256 places": [run(call("fill", [many(256, () => all), 0n])), "steps[0]", '"256 places for amounts"'],
  "256 live amounts": [
    run(call("depositAll", []), call("fill", [many(256, (index) => returned(0, { shareBps: index + 1 })), 0n])),
    "steps[1]",
    '"256 live amounts"',
  ],

  "a target": [run({ ...call("depositAll", []), target: WRONG }), "steps[0].target", `"${WRONG}"`],
  "a token as target": [run({ ...call("depositAll", []), target: DOLLAR }), "steps[0].target", `"${DOLLAR}"`],
  "the executor as target": [
    run({ ...call("depositAll", []), target: CONTRACTS.executor }),
    "steps[0].target",
    `"${CONTRACTS.executor}"`,
  ],
  "Permit2 as target": [run({ ...call("depositAll", []), target: PERMIT2 }), "steps[0].target", `"${PERMIT2}"`],
  "a function that moves tokens": [
    run(call("transfer", [USER, all])),
    "steps[0].functionName",
    '"transfer(address,uint256)"',
  ],
  "call data that moves tokens": [
    run({ target: VAULT, data: "0xa9059cbb" }),
    "steps[0].data",
    '"transfer(address,uint256)"',
  ],
  "invalid call data": [run({ target: VAULT, data: "0x123" }), "steps[0].data", '"0x123"'],
  "call data above 65,535 bytes": [run({ target: VAULT, data: bytes(65_536) }), "steps[0].data", '"65536 bytes"'],
  "the router as spender": [
    run(call("fill", [[live(DOLLAR, { approve: CONTRACTS.router })], 0n])),
    "steps[0].args[0][0]",
    `"${CONTRACTS.router}"`,
  ],
  "an approval without a spender": [
    run(call("depositAll", [], { approvals: [all] })),
    "steps[0].approvals[0]",
    `"${DOLLAR}"`,
  ],
  "a token that is not declared": [run(call("deposit", [live(SPENDER), USER])), "steps[0].args[0]", `"${SPENDER}"`],
  "native that is not declared": [
    () => encodeProgram(programOf([call("depositAll", [], { value: 1n })], { tokens: [{ token: DOLLAR }] }), CONTRACTS),
    "steps[0].value",
    "1",
  ],
  "a token as value": [run(call("depositAll", [], { value: all })), "steps[0].value", `"${DOLLAR}"`],
  "a value above 128 bits": [run(call("depositAll", [], { value: 2n ** 128n })), "steps[0].value", String(2n ** 128n)],
  "a negative value": [run(call("depositAll", [], { value: -1n })), "steps[0].value", "-1"],
  "a word that no step returned": [run(call("deposit", [returned(0), USER])), "steps[0].args[0]", '"word 0"'],
  "two shares of a token in one step": [
    run(call("fill", [[all], live(DOLLAR, { shareBps: 1 })])),
    "steps[0].args[1]",
    `"${DOLLAR}"`,
  ],
  "two spenders of a token in one step": [
    run(call("fill", [[live(DOLLAR, { approve: SPENDER })], live(DOLLAR, { approve: USER })])),
    "steps[0].args[1]",
    `"${DOLLAR}"`,
  ],
  "shares above all": [
    run(
      call("deposit", [live(DOLLAR, { shareBps: 6_000 }), USER]),
      call("deposit", [live(DOLLAR, { shareBps: 4_001 }), USER]),
    ),
    "steps[1].args[0]",
    "4001",
  ],
  "the whole of a partly drawn balance": [
    run(call("deposit", [live(DOLLAR, { shareBps: 1 }), USER]), call("deposit", [all, USER])),
    "steps[1].args[0]",
    "10000",
  ],
  "a type too small for an amount": [run(call("small", [all])), "steps[0].args[0]", '"uint96"'],
  "a signed type too small for an amount": [run(call("smallSigned", [all])), "steps[0].args[0]", '"int128"'],
  "an amount in place of text": [run(call("note", [all, true])), "steps[0].args[0]", '"string"'],
  "an amount in place of an address": [run(call("deposit", [1n, all])), "steps[0].args[1]", '"address"'],
  "packed bytes in place of a number": [
    run(call("deposit", [packed(bytes(32), [place(0, 32)]), USER])),
    "steps[0].args[0]",
    '"uint256"',
  ],
  "a member that the struct does not have": [
    run(
      call("exactInput", [
        { path: "0x", recipient: USER, amountIn: 1n, amountOutMinimum: 1n, amountInn: all, other: [all] },
      ]),
    ),
    "steps[0].args",
    '"2 amounts"',
  ],
  "a function that the ABI does not have": [run(call("withdraw", [])), "steps[0].functionName", '"withdraw"'],
  "arguments that fit two functions": [run(call("either", [all])), "steps[0].functionName", '"either"'],
  "arguments that fit neither function": [run(call("either", ["none"])), "steps[0].args", '"1 arguments"'],
  "arguments too few": [run(call("deposit", [all])), "steps[0].functionName", '"deposit"'],
  "arguments of other types": [run(call("deposit", [all, 5n])), "steps[0].args", '"2 arguments"'],
  "an array with the wrong length": [run(call("add_liquidity", [[all], 1n])), "steps[0].args", '"2 arguments"'],
  "a value that is not an array": [run(call("fill", ["none", 1n])), "steps[0].args", '"2 arguments"'],
  "a value that is not a struct": [run(call("exactInput", [5n])), "steps[0].args", '"1 arguments"'],
  "a sentinel without a patch": [
    run(call("fill", [[1n, BigInt(`0x${SENTINEL}`)], all])),
    "steps[0].args",
    `"0x${SENTINEL} at byte 156"`,
  ],
  "a sentinel in call data": [
    run({ target: VAULT, data: `0x1122334455${SENTINEL}` }),
    "steps[0].data",
    `"0x${SENTINEL} at byte 5"`,
  ],

  "an executor": [
    () => encodeProgram(programOf([]), { ...CONTRACTS, executor: WRONG }),
    "contracts.executor",
    `"${WRONG}"`,
  ],
  "a puller": [
    () => encodeProgram(programOf([]), { ...CONTRACTS, livePuller: WRONG }),
    "contracts.livePuller",
    `"${WRONG}"`,
  ],
  "a router": [() => encodeProgram(programOf([]), { ...CONTRACTS, router: WRONG }), "contracts.router", `"${WRONG}"`],
  "a puller's token that is not declared": [
    () => pullAndExecute({ ...CONTRACTS, token: account("77"), program: encodeProgram(programOf([]), CONTRACTS) }),
    "token",
    `"${account("77")}"`,
  ],
  "native for the puller": [
    () => pullAndExecute({ ...CONTRACTS, token: zeroAddress, program: encodeProgram(programOf([]), CONTRACTS) }),
    "token",
    `"${zeroAddress}"`,
  ],
  "an executor to push to": [
    () => pushAndExecute({ router: SPENDER, executor: WRONG, program: encodeProgram(programOf([]), CONTRACTS) }),
    "executor",
    `"${WRONG}"`,
  ],
};

describe("programs", () => {
  for (const [name, [build, field, value]] of Object.entries(REFUSED)) {
    it(`are rejected for ${name}, with the field and the value`, () => {
      expect(refusal(build)).to.deep.equal({ code: "INVALID_INPUT", field, value });
    });
  }
});

describe("deniedFunction", () => {
  it("names a function by its selector", () => {
    expect([deniedFunction("0x095ea7b3"), deniedFunction("0xa9059cbb"), deniedFunction("0x6e553f65")]).to.deep.equal([
      "approve(address,uint256)",
      "transfer(address,uint256)",
      undefined,
    ]);
  });

  it("uses canonical signatures, so that their hashes are selectors", () => {
    const canonical = deniedFunctions.map((signature) => {
      const [item] = parseAbi([`function ${signature}`] as readonly string[]);
      if (item?.type !== "function") throw new Error(`${signature} is not a function`);
      return toFunctionSignature(item);
    });
    expect(deniedFunctions).to.deep.equal(canonical);
  });
});

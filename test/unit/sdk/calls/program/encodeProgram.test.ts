import { expect } from "chai";
import { type Hex, maxUint256, size } from "viem";

import {
  callFunction,
  decodeProgram,
  encodeProgram,
  live,
  packed,
  returned,
} from "../../../../../packages/sdk/src/calls/index.ts";
import {
  call,
  CONTRACTS,
  DOLLAR,
  EURO,
  LIVE_WORD,
  programOf,
  protocolAbi,
  SENTINEL,
  SPENDER,
  stepsOf,
  USER,
  VAULT,
  word,
} from "./fixtures.ts";

const bare = (address: Hex): string => address.slice(2).toLowerCase();
const join = (...parts: string[]): string => `0x${parts.join("")}`;

describe("encodeProgram", () => {
  it("packs a deposit of the executor's entire balance", () => {
    const program = encodeProgram(
      {
        recipient: USER,
        tokens: [{ token: DOLLAR }],
        checks: [{ token: VAULT, minimumOut: 0x1234n }],
        steps: [call("deposit", [live(DOLLAR, { approve: "target" }), USER])],
      },
      CONTRACTS,
    );
    expect(program).to.equal(
      join(
        "01",
        "00",
        "ffffffffff",
        "01",
        "01",
        "01",
        // The recipient is the last argument.
        "0078",
        "00",
        bare(DOLLAR),
        "01",
        "01",
        bare(VAULT),
        "02",
        "1234",
        "01",
        "01",
        "0044",
        // The target is the checked token.
        "0023",
        "01",
        "00",
        "2710",
        "00",
        "0004",
        "20",
        "6e553f65",
        LIVE_WORD,
        word(USER),
      ),
    );
  });

  it("packs a fallback, a deadline, kept units, every kind of draw and amounts of every size", () => {
    const program = encodeProgram(
      {
        recipient: USER,
        deadline: 0x0102030405n,
        policy: { kind: "fallBack", recipient: SPENDER, stepsGas: 0x01020304, reserveGas: 0x0a },
        tokens: [
          { token: DOLLAR, minimumIn: maxUint256, keepUnit: true },
          { token: "native", minimumIn: 0n },
          { token: EURO, minimumIn: 0x0100n },
        ],
        steps: [
          {
            target: VAULT,
            data: packed(`0x11223344${"00".repeat(16)}`, [{ offset: 4, width: 16, amount: live(EURO) }]),
            value: live("native", { shareBps: 3_000 }),
            approvals: [live(DOLLAR, { approve: SPENDER, shareBps: 1 })],
          },
          {
            target: VAULT,
            data: packed(`0x11223344${"00".repeat(20)}`, [{ offset: 4, width: 20, amount: returned(15) }]),
            value: 2n ** 128n - 1n,
          },
        ],
      },
      CONTRACTS,
    );
    expect(program).to.equal(
      join(
        "01",
        "01",
        "0102030405",
        "03",
        "00",
        "02",
        "0000",
        bare(USER),
        bare(SPENDER),
        "01020304",
        "0000000a",
        "01",
        bare(DOLLAR),
        "00",
        "00".repeat(20),
        "00",
        bare(EURO),
        "20",
        "ff".repeat(32),
        "00",
        "02",
        "0100",
        "03",
        "01",
        "0014",
        "0000",
        bare(VAULT),
        "03",
        "01",
        "0bb8",
        "00",
        "02",
        "2710",
        "02",
        "00",
        "0001",
        bare(SPENDER),
        "01",
        "0004",
        "10",
        "11223344",
        "00".repeat(8),
        SENTINEL,
        "02",
        "01",
        "0018",
        // Same reference as in the previous step.
        "00a6",
        "05",
        "00",
        "0000",
        "ff".repeat(16),
        "04",
        "0f",
        "2710",
        "01",
        "0004",
        "14",
        "11223344",
        "00".repeat(12),
        SENTINEL,
      ),
    );
  });

  it("packs a program without steps, which only forwards", () => {
    expect(encodeProgram(programOf([], { tokens: [{ token: DOLLAR }] }), CONTRACTS)).to.equal(
      join("0100ffffffffff", "010000", "0000", bare(USER), "00", bare(DOLLAR), "0101"),
    );
  });

  it("writes full addresses if no reference can reach them", () => {
    const far = `0x${"11".repeat(65_500)}${bare(SPENDER)}` as const;
    const [first, second] = [
      { target: VAULT, data: far },
      { target: SPENDER, data: "0x11" },
    ] as const;
    const program = encodeProgram(programOf([first, second], { recipient: SPENDER, tokens: [] }), CONTRACTS);
    expect(decodeProgram(program)).to.deep.include({ recipient: SPENDER });
    expect(program.split(bare(SPENDER))).to.have.length(3);
    // Bytes of the header and two steps. The second target is a reference to the recipient.
    expect(size(program)).to.equal(32 + (4 + 22 + 65_520) + (4 + 2 + 1));
  });

  it("references only whole bytes", () => {
    const shifted = `0x1${bare(USER)}1` as const;
    const program = encodeProgram(programOf([{ target: VAULT, data: shifted }], { tokens: [] }), CONTRACTS);
    expect(program.slice(2 + 2 * 10, 2 + 2 * 32)).to.equal(`0000${bare(USER)}`);
  });

  const all = live(DOLLAR);
  const swap = { tokenIn: DOLLAR, tokenOut: EURO, fee: 500, recipient: USER, amountOutMinimum: 7n };
  /** Calls with live amounts, and the offset and width of each amount, counted by hand. */
  const PLACES: Record<string, [step: ReturnType<typeof call>, places: [offset: number, width: number][]]> = {
    "a plain argument": [call("supply", [DOLLAR, all, USER, 0]), [[36, 32]]],
    "a member of a struct": [
      call("exactInputSingle", [{ ...swap, amountIn: all, sqrtPriceLimitX96: 0n }]),
      [[132, 32]],
    ],
    "a struct given in the order of its members": [
      call("exactInputSingle", [[DOLLAR, EURO, 500, USER, all, 7n, 0n]]),
      [[132, 32]],
    ],
    "a struct after a dynamic member": [
      call("exactInput", [{ path: `0x${"ab".repeat(43)}`, recipient: USER, amountIn: all, amountOutMinimum: 7n }]),
      [[100, 32]],
    ],
    "the second item of a fixed array": [call("add_liquidity", [[0n, all], 1n]), [[36, 32]]],
    "several items of a dynamic array, and an argument after the array": [
      call("fill", [[all, 5n, all], all]),
      [
        [100, 32],
        [164, 32],
        [36, 32],
      ],
    ],
    "an array in a struct in an array": [
      // Heads: offset 4, length 36, offset 68. Struct at 100: two offsets, then the name at 164 (2 words) and the
      // amounts at 228.
      call("fillLines", [[{ name: "one", amounts: [1n, all] }]]),
      [[292, 32]],
    ],
    "fields narrower than a word": [
      call("narrow", [all, all, all, all]),
      [
        [16, 20],
        [52, 16],
        [80, 20],
        [116, 16],
      ],
    ],
    "signed fields, but not their sign": [
      call("signed", [all, all, all]),
      [
        [16, 20],
        [48, 20],
        [84, 16],
      ],
    ],
    "packed bytes": [
      call("forward", [packed(`0x${"11".repeat(50)}`, [{ offset: 3, width: 16, amount: all }])]),
      [[71, 16]],
    ],
    "a packed word": [
      call("supply", [packed(`0x${"00".repeat(30)}0007`, [{ offset: 14, width: 16, amount: all }])]),
      [[18, 16]],
    ],
  };
  for (const [name, [step, places]] of Object.entries(PLACES)) {
    it(`patches ${name}`, () => {
      const [decoded] = stepsOf(step);
      expect(decoded?.draws).to.deep.equal([{ kind: "balance", token: 1, shareBps: 10_000 }]);
      expect(decoded?.patches).to.deep.equal(places.map(([offset, width]) => ({ draw: 0, offset, width })));
      const data = decoded?.data ?? "0x";
      for (const [offset, width] of places) {
        expect(data.slice(2 + 2 * offset, 2 + 2 * (offset + width))).to.equal(SENTINEL.padStart(2 * width, "0"));
      }
    });
  }

  it("keeps bytes around packed amounts", () => {
    const bytes: Hex = `0x${"11".repeat(20)}`;
    const [decoded] = stepsOf(call("forward", [packed(bytes, [{ offset: 2, width: 16, amount: all }])]));
    expect(decoded?.data).to.equal(
      join("d948d468", word(32), word(20), `1111${SENTINEL.padStart(32, "0")}1111`.padEnd(64, "0")),
    );
  });

  it("writes lowercase hex, regardless of the input's letter case", () => {
    const [given, nested] = stepsOf(
      { target: VAULT, data: "0xABCDEF01" },
      call("forward", [packed(`0xAB${"00".repeat(16)}`, [{ offset: 1, width: 16, amount: all }])]),
    );
    expect([given?.data, nested?.data.slice(138, 140)]).to.deep.equal(["0xabcdef01", "ab"]);
    const [bytes] = stepsOf(call("forward", ["0xABCD"]));
    expect(bytes?.data.slice(138, 142)).to.equal("abcd");
  });

  it("ignores the sentinel's digits if they do not start at a byte boundary", () => {
    const data: Hex = `0x112233445${SENTINEL}5`;
    expect(stepsOf({ target: VAULT, data })[0]?.data).to.equal(data);
  });

  it("draws an amount with two places only once, and writes it to both places", () => {
    const native = live("native", { shareBps: 5_000 });
    const [decoded] = stepsOf(call("fill", [[live(DOLLAR), native], live(DOLLAR)], { value: native }));
    expect(decoded?.draws).to.deep.equal([
      { kind: "value", token: 0, shareBps: 5_000 },
      { kind: "balance", token: 1, shareBps: 10_000 },
    ]);
    expect(decoded?.patches.map(({ draw }) => draw)).to.deep.equal([1, 0, 1]);
  });

  it("distinguishes returned words that differ in position or share", () => {
    const args = [returned(0), returned(1), returned(0, { shareBps: 1 }), returned(0)];
    const [, decoded] = stepsOf(call("depositAll", []), call("fill", [args, 0n]));
    expect(decoded?.draws).to.deep.equal([
      { kind: "returned", word: 0, shareBps: 10_000 },
      { kind: "returned", word: 1, shareBps: 10_000 },
      { kind: "returned", word: 0, shareBps: 1 },
    ]);
    expect(decoded?.patches.map(({ draw }) => draw)).to.deep.equal([0, 1, 2, 0]);
  });

  it("restarts the share count after the entire amount is drawn", () => {
    const share = (shareBps: number) => call("fill", [[live(DOLLAR, { shareBps })], 0n]);
    expect(stepsOf(share(3_000), share(7_000), share(10_000), share(1), share(9_999))).to.have.length(5);
  });

  it("selects the overload that matches the arguments, and supports calls without arguments", () => {
    const [word32, plain, none] = stepsOf(
      call("supply", [`0x${"00".repeat(32)}`]),
      call("supply", [DOLLAR, 1n, USER, 0]),
      { target: VAULT, abi: protocolAbi, functionName: "depositAll" },
    );
    expect([word32?.data.slice(0, 10), plain?.data.slice(0, 10), none?.data]).to.deep.equal([
      "0xf7a73840",
      "0x617ba037",
      "0xde5f6268",
    ]);
  });

  it("leaves checked arguments unchanged", () => {
    const parameters = {
      target: VAULT,
      abi: protocolAbi,
      functionName: "exactInputSingle",
      args: [{ ...swap, amountIn: all, sqrtPriceLimitX96: 0n }],
    } as const;
    expect(callFunction(parameters)).to.equal(parameters);
    // @ts-expect-error a member of the struct is missing
    callFunction({ ...parameters, args: [{ ...swap, amountIn: all }] });
    // @ts-expect-error an address is not an amount
    callFunction({ ...parameters, functionName: "deposit", args: [USER, USER] });
    // @ts-expect-error the ABI does not have this function
    callFunction({ ...parameters, functionName: "withdraw" });
  });
});

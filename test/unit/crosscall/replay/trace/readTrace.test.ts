import { expect } from "chai";
import { concat, encodeAbiParameters, encodeErrorResult, maxUint256, parseAbi, toHex } from "viem";

import { readTrace } from "../../../../../packages/crosscall/src/replay/trace/readTrace.ts";
import { callTo, dataOf, frameOf, logOf, multicallOf, planOf, SOLVER, TOKEN, USER, VAULT } from "./frames.ts";

const transfer = dataOf("function transfer(address to, uint256 amount)", USER, 990n);
const word = (value: bigint) => toHex(value, { size: 32 });
const revertOf = (signature: string, ...args: readonly unknown[]) =>
  encodeErrorResult({ abi: parseAbi([signature] as readonly string[]), args } as never);
const plan = planOf([callTo(TOKEN, transfer), callTo(VAULT, "0x12345678")]);

describe("readTrace", () => {
  it("decodes calls, results and events, and numbers the order's calls without the solver's own", () => {
    const payment = callTo(TOKEN, dataOf("function transferFrom(address a, address b, uint256 c)", SOLVER, USER, 1n));
    const log = logOf(
      "event Transfer(address indexed from, address indexed to, uint256 v)",
      TOKEN,
      [USER, VAULT],
      word(990n),
    );
    const frame = multicallOf(
      plan,
      {
        calls: [
          frameOf({ input: payment.data, output: word(1n) }),
          frameOf({ input: transfer, output: word(1n), logs: [log] }),
          frameOf({ to: VAULT, input: "0x12345678", output: word(7n) }),
        ],
      },
      [payment],
    );
    const { calls, call } = readTrace({ frame, plan });
    expect(call?.startsWith(`multicall(calls: [{target: ${TOKEN}, allowFailure: false`)).to.equal(true);
    expect(calls.map(({ txIndex }) => txIndex)).to.deep.equal([undefined, 0, 1]);
    expect(calls.map((node) => [node.call, node.result])).to.deep.equal([
      [`transferFrom(from: ${SOLVER}, to: ${USER}, value: 1)`, "true"],
      [`transfer(to: ${USER}, value: 990)`, "true"],
      [undefined, undefined],
    ]);
    expect(calls[1]?.logs).to.deep.equal([{ ...log, event: `Transfer(from: ${USER}, to: ${VAULT}, value: 990)` }]);
  });

  it("shows an event without arguments", () => {
    const abis = [parseAbi(["event Paused()"])];
    const log = logOf("event Paused()", VAULT, [], "0x");
    const frame = multicallOf(plan, { calls: [frameOf({ to: VAULT, input: "0x12345678", logs: [log] })] });
    const { calls } = readTrace({ frame, plan, abis });
    expect(calls[0]?.logs).to.deep.equal([{ ...log, event: "Paused()" }]);
  });

  it("prefers the ABIs that the caller passes", () => {
    const abis = [
      parseAbi([
        "function poke(uint256 times) returns (uint256 left)",
        "function transfer(address whom, uint256 much) returns (bool isDone)",
        "error NotToday(uint256 day)",
        "event Poked(address indexed, uint256)",
      ]),
    ];
    const poke = dataOf("function poke(uint256 times)", 3n);
    const logs = [logOf("event Poked(address indexed who, uint256 times)", VAULT, [USER], word(3n))];
    const frame = frameOf({
      calls: [
        frameOf({ to: VAULT, input: poke, output: word(2n), logs }),
        frameOf({ input: transfer, error: "reverted", output: revertOf("error NotToday(uint256 day)", 6n) }),
      ],
    });
    const { calls } = readTrace({ frame, plan, abis });
    expect(calls[0]?.call).to.equal("poke(times: 3)");
    expect(calls[0]?.result).to.equal("2");
    expect(calls[0]?.logs[0]?.event).to.equal(`Poked(${USER}, 3)`);
    expect(calls[1]?.call).to.equal(`transfer(whom: ${USER}, much: 990)`);
    expect(calls[1]?.error).to.equal("NotToday(day: 6)");
  });

  const inner = revertOf("error ERC20InsufficientBalance(address s, uint256 b, uint256 n)", USER, 990n, 1_000n);
  const failures = [
    ["a custom error", inner, `ERC20InsufficientBalance(sender: ${USER}, balance: 990, needed: 1000)`],
    [
      "an error in an error",
      revertOf("error StepFailed(uint256 step, address target, bytes revertData)", 2n, TOKEN, inner),
      `StepFailed(step: 2, target: ${TOKEN}, revertData: ERC20InsufficientBalance(sender: ${USER}, balance: 990, needed: 1000))`,
    ],
    ["a text", revertOf("error Error(string)", "Too little received"), "Too little received"],
    [
      "a text with terminal control characters",
      revertOf("error Error(string)", "a\u001B[2J\u202Eb"),
      "a\\u001b[2J\\u202eb",
    ],
    ["a panic", revertOf("error Panic(uint256)", 0x11n), "Panic(0x11): arithmetic overflow"],
    ["an unknown error", "0xdeadbeef", "error 0xdeadbeef"],
    ["nothing", "0x", "no revert data"],
  ] as const;
  for (const [what, output, error] of failures) {
    it(`describes a failure with ${what}`, () => {
      expect(readTrace({ frame: frameOf({ error: "reverted", output }), plan }).error).to.equal(error);
    });
  }

  it("distinguishes out-of-gas errors and the engine's own rejections from reverts", () => {
    const frame = frameOf({
      calls: [
        frameOf({ error: "out of gas", errorText: "out of gas" }),
        frameOf({ error: "other", errorText: "invalid opcode" }),
      ],
    });
    expect(readTrace({ frame, plan }).calls.map(({ error }) => error)).to.deep.equal(["out of gas", "invalid opcode"]);
  });

  it("marks failures that the caller handled", () => {
    const failed = frameOf({ error: "reverted" });
    const swallowed = (frame: Parameters<typeof frameOf>[0]) =>
      readTrace({ frame: frameOf(frame), plan }).calls.map(({ isSwallowed }) => isSwallowed);
    expect(swallowed({ calls: [failed, frameOf({}), failed] })).to.deep.equal([true, false, true]);
    expect(swallowed({ error: "reverted", calls: [failed, failed] })).to.deep.equal([true, false]);
  });

  it("names the maximum number, which approvals and deadlines use", () => {
    const input = dataOf("function approve(address spender, uint256 amount)", VAULT, maxUint256);
    const { call } = readTrace({ frame: frameOf({ input }), plan });
    expect(call).to.equal(`approve(spender: ${VAULT}, value: the maximum)`);
  });

  it("shortens long bytes, and does not decode other data as a call", () => {
    const bytes = concat([dataOf("function execute()"), `0x${"ab".repeat(40)}`]);
    expect(readTrace({ frame: frameOf({ input: bytes }), plan }).call).to.equal(
      "execute(program: 0xabababab… (40 bytes))",
    );
    expect(readTrace({ frame: frameOf({ input: "0x1234" }), plan }).call).to.equal(undefined);
    expect(readTrace({ frame: frameOf({ kind: "CREATE", input: transfer, output: "0x60" }), plan }).call).to.equal(
      undefined,
    );
    const odd = encodeAbiParameters([{ type: "uint256" }], [2n]);
    expect(readTrace({ frame: frameOf({ input: transfer, output: odd }), plan }).result).to.equal(undefined);
  });
});

import { expect } from "chai";
import { type Abi, decodeFunctionData, encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem";

import { encodeProgram, pullAndExecute, pushAndExecute } from "../../../../../packages/sdk/src/calls/index.ts";
import type { ProgramToken } from "../../../../../packages/sdk/src/calls/program/program.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { refusal } from "../../../../support/rejection.ts";
import { CONTRACTS, DOLLAR, EURO, programOf } from "./fixtures.ts";

const abi = parseAbi([
  "function approve(address spender, uint256 amount)",
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
  "function execute()",
  "function pullAndExecute(address token)",
]);
const { executor, livePuller, router } = CONTRACTS;

/** Returns the decoded call, and the bytes after its arguments. */
function read({ to, data, value }: Call): unknown[] {
  const decoded = decodeFunctionData({ abi, data: data as Hex });
  const plain = encodeFunctionData<Abi>({ abi, ...decoded });
  const rest = data.slice(plain.length);
  return [to, decoded.functionName, decoded.args, value, ...(rest === "" ? [] : [`0x${rest}`])];
}

function program(...tokens: ProgramToken[]): Hex {
  return encodeProgram(programOf([], { tokens }), CONTRACTS);
}

describe("pushAndExecute", () => {
  it("sends the entire balance of each requested token, then executes the program", () => {
    const bytes = program({ token: DOLLAR }, { token: "native", minimumIn: 0n }, { token: EURO, minimumIn: 0n });
    expect(pushAndExecute({ router, executor, program: bytes }).map(read)).to.deep.equal([
      [router, "cleanupErc20s", [[DOLLAR], [executor], [0n], "0x"], "0"],
      [executor, "execute", undefined, "0", bytes],
    ]);
  });

  it("sends the router's native currency if requested", () => {
    const bytes = program({ token: EURO }, { token: "native" }, { token: DOLLAR });
    const calls = pushAndExecute({ router, executor, program: bytes });
    expect(calls.map(read).map(([to, name]) => [to, name])).to.deep.equal([
      [router, "cleanupErc20s"],
      [router, "cleanupNativeViaCall"],
      [router, "cleanupNativeViaCall"],
    ]);
    const [sweep, require, bring] = calls.map(read);
    expect(sweep?.[2]).to.deep.equal([[EURO, DOLLAR], [executor, executor], [0n, 0n], "0x"]);
    expect(require?.[2]).to.deep.equal([1n, router, "0x"]);
    const [amount, to, data] = bring![2] as [bigint, Hex, Hex];
    expect([amount, to, bring?.[3]]).to.deep.equal([0n, executor, "0"]);
    expect(read({ to, data, value: "0" })).to.deep.equal([executor, "execute", undefined, "0", bytes]);
  });

  it("sweeps no token if only native currency is pushed", () => {
    const calls = pushAndExecute({ router, executor, program: program({ token: "native" }) });
    expect(calls.map(read).map(([, name]) => name)).to.deep.equal(["cleanupNativeViaCall", "cleanupNativeViaCall"]);
  });

  it("rejects bytes that are not a program", () => {
    expect(refusal(() => pushAndExecute({ router, executor, program: "0x02" }))).to.deep.equal({
      code: "MALFORMED_DATA",
      what: "the program",
      path: "version",
    });
  });
});

describe("pullAndExecute", () => {
  it("approves the puller as the token requires, and pulls", () => {
    const bytes = program({ token: DOLLAR });
    const pulled = [
      [DOLLAR, "approve", [livePuller, maxUint256], "0"],
      [executor, "pullAndExecute", [DOLLAR], "0", bytes],
    ];
    const parameters = { token: DOLLAR, executor, livePuller, program: bytes };
    const reset = [DOLLAR, "approve", [livePuller, 0n], "0"];
    expect(pullAndExecute({ ...parameters, allowance: { refusesChange: false } }).map(read)).to.deep.equal(pulled);
    expect(pullAndExecute(parameters).map(read)).to.deep.equal([reset, ...pulled]);
  });
});

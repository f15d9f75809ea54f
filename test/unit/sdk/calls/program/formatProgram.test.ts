import { expect } from "chai";
import { type Address, type Hex, erc4626Abi, maxUint256, parseAbi, zeroAddress } from "viem";

import * as calls from "../../../../../packages/sdk/src/calls/index.ts";
import type { DecodedProgram } from "../../../../../packages/sdk/src/calls/program/decodedProgram.ts";
import { call, CONTRACTS, DOLLAR, EURO, programOf, protocolAbi, SENTINEL, SPENDER, USER, VAULT } from "./fixtures.ts";

const labels: Record<Address, string> = {
  [DOLLAR.toLowerCase() as Address]: "USD",
  [EURO]: "EUR",
  [VAULT]: "vault",
  [USER]: "user",
};

const decode = (program: calls.Program): DecodedProgram => calls.decodeProgram(calls.encodeProgram(program, CONTRACTS));

/** Returns the printed lines of the steps. */
function linesOf(...steps: calls.Program["steps"]): string[] {
  const text = calls.formatProgram(decode(programOf(steps)), { abis: [erc4626Abi, protocolAbi], labels });
  return text.split("\n").slice(4);
}

const all = calls.live(DOLLAR);

describe("formatProgram", () => {
  it("prints inputs, outputs, the deadline, and the fallback", () => {
    const program = decode({
      recipient: USER,
      deadline: 1_800_000_000n,
      policy: { kind: "fallBack", recipient: SPENDER, stepsGas: 300_000, reserveGas: 100_000 },
      tokens: [
        { token: DOLLAR, minimumIn: 5n, keepUnit: true },
        { token: "native", minimumIn: 0n },
      ],
      checks: [{ token: zeroAddress, minimumOut: 7n }],
      steps: [call("deposit", [calls.live(DOLLAR, { approve: "target" }), USER])],
    });
    expect(calls.formatProgram(program, { abis: [protocolAbi], labels }).split("\n")).to.deep.equal([
      `for user, until 2027-01-15T08:00:00.000Z, on failure, all to ${SPENDER} (gas: 300000 for the steps, 100000 reserved)`,
      "in: at least 5 of USD, one unit stays",
      "in: any of native",
      "out: at least 7 of native",
      "1. vault.deposit(100% of USD, user) [vault may take 100% of USD]",
    ]);
  });

  it("prints addresses and bytes without labels and ABIs", () => {
    const program = decode({
      recipient: USER,
      deadline: 253_402_300_800n,
      tokens: [{ token: DOLLAR }],
      steps: [{ target: VAULT, data: "0x12" }, call("deposit", [all, USER])],
    });
    const [, second] = program.steps;
    expect(calls.formatProgram(program).split("\n")).to.deep.equal([
      `for ${USER}, until second 253402300800, all or nothing`,
      `in: at least 1 of ${DOLLAR}`,
      `1. ${VAULT}.0x12`,
      `2. ${VAULT}.${second?.data ?? ""} {bytes 4 to 36: 100% of ${DOLLAR}}`,
    ]);
    expect(calls.formatProgram(decode(programOf([]))).split("\n")[0]).to.equal(
      `for ${USER}, without a deadline, all or nothing`,
    );
  });

  it("prints shares, and marks the remainder", () => {
    const share = (shareBps: number) => call("deposit", [calls.live(DOLLAR, { shareBps }), USER]);
    expect(linesOf(share(3_000), share(3_333), share(3_667), share(10_000))).to.deep.equal([
      "1. vault.deposit(30% of USD, user)",
      "2. vault.deposit(33.33% of USD, user)",
      "3. vault.deposit(the rest of USD, user)",
      "4. vault.deposit(100% of USD, user)",
    ]);
  });

  it("prints values, returned words and approvals", () => {
    const native = calls.live("native", { shareBps: 5_000 });
    expect(
      linesOf(
        { target: SPENDER, data: "0x", value: native },
        call("fill", [[calls.returned(1, { shareBps: 2_500 })], 5n], { value: 6n }),
        call("deposit", [maxUint256, USER]),
        call("depositAll", [], { approvals: [calls.live(EURO, { approve: SPENDER })] }),
      ),
    ).to.deep.equal([
      `1. ${SPENDER} [sends 50% of native]`,
      "2. vault.fill([25% of word 1 returned by step 1], 5) [sends 6 wei]",
      "3. vault.deposit(the maximum, user)",
      `4. vault.depositAll() [${SPENDER} may take 100% of EUR]`,
    ]);
  });

  it("prints structs, arrays, texts and packed bytes", () => {
    const single = { tokenIn: DOLLAR, tokenOut: EURO, fee: 500, recipient: USER, amountOutMinimum: 7n };
    expect(
      linesOf(
        call("exactInputSingle", [{ ...single, amountIn: all, sqrtPriceLimitX96: 0n }]),
        call("fillLines", [[{ name: 'a"\n', amounts: [1n, all] }]]),
        call("forward", [calls.packed(`0x${"11".repeat(18)}`, [{ offset: 1, width: 16, amount: all }])]),
        call("note", ["text", true]),
        call("narrow", [all, all, 1n, 2n]),
      ),
    ).to.deep.equal([
      "1. vault.exactInputSingle({tokenIn: USD, tokenOut: EUR, fee: 500, recipient: user, amountIn: 100% of USD, " +
        "amountOutMinimum: 7, sqrtPriceLimitX96: 0})",
      '2. vault.fillLines([{name: "a\\"\\n", amounts: [1, 100% of USD]}])',
      "3. vault.forward(0x11{100% of USD}11)",
      '4. vault.note("text", true)',
      "5. vault.narrow(100% of USD, 100% of USD, 1, 2)",
    ]);
  });

  it("prints unnamed struct members in order", () => {
    const abi = parseAbi(["function pair((uint256, address) both)"]);
    const program = decode(programOf([{ target: VAULT, abi, functionName: "pair", args: [[all, USER]] }]));
    expect(
      calls
        .formatProgram(program, { abis: [abi], labels })
        .split("\n")
        .at(-1),
    ).to.equal("1. vault.pair({100% of USD, user})");
  });

  it("prints bytes if an ABI does not cover all of the data", () => {
    const { data = "0x" } = decode(programOf([call("deposit", [1n, USER])])).steps[0] ?? {};
    expect(linesOf({ target: VAULT, data: `${data}00` })).to.deep.equal([`1. vault.${data}00`]);
    expect(linesOf({ target: VAULT, data: data.slice(0, -2) as Hex })).to.deep.equal([`1. vault.${data.slice(0, -2)}`]);
  });

  it("prints bytes if a number or bytes look like an amount", () => {
    // Markers that the printer itself writes to a copy of the data to find the amounts.
    const mark = `${SENTINEL}00000000`;
    const line = (step: calls.Program["steps"][number]): string => {
      const program = decode(programOf([step]));
      const forged = program.steps.map((decoded) => ({
        ...decoded,
        data: decoded.data.replace("77".repeat(12), mark) as Hex,
      }));
      return (
        calls
          .formatProgram({ ...program, steps: forged }, { abis: [protocolAbi], labels })
          .split("\n")
          .at(-1) ?? ""
      );
    };
    expect(line(call("fill", [[all], BigInt(`0x${"77".repeat(12)}`)]))).to.match(
      /^1\. vault\.0x[0-9a-f]+ \{bytes 100 to 132: 100% of USD\}$/u,
    );
    const bytes = `0x00000000${"77".repeat(12)}${"00".repeat(16)}` as const;
    expect(line(call("forward", [calls.packed(bytes, [{ offset: 16, width: 16, amount: all }])]))).to.match(
      /^1\. vault\.0x[0-9a-f]+ \{bytes 84 to 100: 100% of USD\}$/u,
    );
  });

  it("prints unused draws", () => {
    const program: DecodedProgram = {
      ...decode(programOf([])),
      steps: [{ target: VAULT, draws: [{ kind: "balance", token: 1, shareBps: 10 }], patches: [], data: "0x" }],
    };
    expect(calls.formatProgram(program, { labels }).split("\n").at(-1)).to.equal("1. vault [counts 0.1% of USD]");
  });
});

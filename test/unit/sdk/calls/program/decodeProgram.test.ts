import { expect } from "chai";
import type { Hex } from "viem";

import { decodeCalls, planCalls, type Program } from "../../../../../packages/sdk/src/calls/index.ts";
import { decodeProgram } from "../../../../../packages/sdk/src/calls/program/decodeProgram.ts";
import { refusal } from "../../../../support/rejection.ts";
import { OTHER_TOKEN, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";
import { check, EXECUTOR, found, POOL, programOf, PULLER, run, STRANGER, sweep } from "../check/fixtures.ts";
import { CONTRACTS, DOLLAR, SPENDER, USER, VAULT } from "./fixtures.ts";

const bare = (address: Hex): string => address.slice(2);
const HEADER = `0x01000000000007`;
const TO = `0000${bare(USER)}`;
const STEP = `${HEADER}010001${TO}00${bare(DOLLAR)}00`;
const TARGET = `0000${bare(VAULT)}`;

describe("decodeProgram", () => {
  it("decodes every part", () => {
    const parts = [
      "01",
      "01",
      "0000000007",
      "01",
      "01",
      "01",
      "0000",
      bare(USER),
      bare(SPENDER),
      "0000000a",
      "0000000b",
      "01",
      bare(DOLLAR),
      "02",
      "0100",
      bare(VAULT),
      "00",
      "03",
      "02",
      "0024",
      "0000",
      bare(CONTRACTS.router),
      "02",
      "00",
      "000a",
      bare(SPENDER),
      "04",
      "03",
      "000b",
      "05",
      "00",
      "0000",
      "0c".padStart(32, "0"),
      "01",
      "0004",
      "14",
      "00",
      "0004",
      "20",
      "11".repeat(36),
    ];
    const bytes: Hex = `0x${parts.join("")}`;
    expect(decodeProgram(bytes)).to.deep.equal({
      deadline: 7n,
      policy: { kind: "fallBack", recipient: SPENDER, stepsGas: 10, reserveGas: 11 },
      recipient: USER,
      tokens: [{ token: DOLLAR, minimumIn: 256n, keepUnit: true }],
      checks: [{ token: VAULT, minimumOut: 0n }],
      steps: [
        {
          target: CONTRACTS.router,
          draws: [
            { kind: "forSpender", token: 0, shareBps: 10, spender: SPENDER },
            { kind: "returned", word: 3, shareBps: 11 },
            { kind: "fixedValue", value: 12n },
          ],
          patches: [
            { draw: 1, offset: 4, width: 20 },
            { draw: 0, offset: 4, width: 32 },
          ],
          data: `0x${"11".repeat(36)}`,
        },
      ],
    });
  });

  it("decodes uppercase hex, and an amount with leading zeros", () => {
    const bytes = `${HEADER}010000${TO}00${bare(DOLLAR)}020005`;
    expect(decodeProgram(`0x${bytes.slice(2).toUpperCase()}`).tokens).to.deep.equal([
      { token: DOLLAR, minimumIn: 5n, keepUnit: false },
    ]);
  });

  it("resolves references to addresses", () => {
    // The program has a recipient after a selector, and a target that it checks.
    const bytes = `${HEADER}000101002b${bare(VAULT)}0000000018000c11223344${bare(USER)}`;
    expect(decodeProgram(bytes as Hex)).to.deep.include({
      recipient: USER,
      checks: [{ token: VAULT, minimumOut: 0n }],
      steps: [{ target: VAULT, draws: [], patches: [], data: `0x11223344${bare(USER).toLowerCase()}` }],
    });
  });

  /** Malformed programs, and the path of the invalid part. */
  const MALFORMED: Record<string, [bytes: string, path: string]> = {
    "no hex": ["program", ""],
    "half a byte": ["0x010", ""],
    nothing: ["0x", ""],
    "another version": ["0x02", "version"],
    "a third policy": ["0x0102", "policy"],
    "unknown flags": [`${HEADER}010000${TO}02${bare(DOLLAR)}00`, "tokens[0].flags"],
    "an amount of 33 bytes": [`${HEADER}010000${TO}00${bare(DOLLAR)}21${"00".repeat(33)}`, "tokens[0].minimumIn"],
    "a checked amount of 33 bytes": [`${HEADER}000100${TO}${bare(DOLLAR)}21${"00".repeat(33)}`, "checks[0].minimumOut"],
    "a draw of an unknown kind": [`${STEP}01000000${TARGET}06000000`, "steps[0].draws[0]"],
    "a draw of an unknown token": [`${STEP}01000000${TARGET}00010000`, "steps[0].draws[0]"],
    "a fixed value with an index": [`${STEP}01000000${TARGET}05010000${"00".repeat(16)}`, "steps[0].draws[0]"],
    "a fixed value with a share": [`${STEP}01000000${TARGET}05000001${"00".repeat(16)}`, "steps[0].draws[0]"],
    "a patch of an unknown draw": [`${STEP}00010024${TARGET}00000420${"00".repeat(36)}`, "steps[0].patches[0]"],
    "a patch of another width": [`${STEP}01010024${TARGET}0000271000000408${"00".repeat(36)}`, "steps[0].patches[0]"],
    "a patch over the selector": [`${STEP}01010024${TARGET}0000271000000320${"00".repeat(36)}`, "steps[0].patches[0]"],
    "a patch past the end": [`${STEP}01010024${TARGET}0000271000000520${"00".repeat(36)}`, "steps[0].patches[0]"],
    "a recipient past the end": [`${HEADER}000000000d${"00".repeat(20)}`, "recipient"],
    "an additional byte": [`${STEP}00000001ffff00`, "steps[0].target"],
    "a missing byte": [`${HEADER}000000${TO}00`, ""],
    "a byte too few": [`${STEP}00000001${TARGET}`, ""],
  };
  for (const [name, [bytes, path]] of Object.entries(MALFORMED)) {
    it(`rejects ${name}`, () => {
      expect(refusal(() => decodeProgram(bytes as Hex))).to.deep.equal({
        code: "MALFORMED_DATA",
        what: "the program",
        path,
      });
    });
  }
});

const policy = { kind: "fallBack", recipient: STRANGER, stepsGas: 300_001, reserveGas: 90_001 } as const;
const step = { to: POOL, data: "0x12345678", value: "0" } as const;

describe("programs that fall back", () => {
  it("keep the given gas for their steps, because only the executor adds the gas of nested calls", () => {
    for (const by of ["push", "pull"] as const) {
      const program: Program = {
        recipient: RECIPIENT,
        policy,
        tokens: [{ token: TOKEN }],
        steps: [{ target: POOL, data: step.data as Hex }],
      };
      const { txs } = planCalls({
        tradeType: "EXACT_INPUT",
        router: ROUTER,
        destinationCurrency: TOKEN,
        recipient: RECIPIENT,
        amount: 100n,
        programs: { executor: EXECUTOR, livePuller: PULLER, by },
        actions: [{ kind: "program", program }],
      });
      const planned = decodeCalls(txs).flatMap((call) => (call.kind === "function" ? (call.program ?? []) : []));
      expect(planned.map((each) => each.policy)).to.deep.equal([policy]);
    }
  });

  it("revert below their minimum input, because a fallback does not replace a missing input", () => {
    const tokens = [{ token: TOKEN }, { token: OTHER_TOKEN, minimumIn: 5n }];
    for (const change of [{ policy }, {}]) {
      const txs = [sweep(TOKEN, EXECUTOR), run(programOf(step, { tokens, ...change }))];
      expect(
        found(check(txs, { contracts: { router: ROUTER, pushExecutor: EXECUTOR, trusted: [POOL] } })),
      ).to.deep.equal([["PROGRAM_INPUT_MISSING", 1]]);
    }
  });
});

import { expect } from "chai";
import { decodeFunctionData, type Hex, isAddress } from "viem";

import { decodeProgram } from "../../../../../packages/sdk/src/calls/program/decodeProgram.ts";
import type { DecodedStep } from "../../../../../packages/sdk/src/calls/program/decodedProgram.ts";
import { encodeProgram } from "../../../../../packages/sdk/src/calls/program/encodeProgram.ts";
import { formatProgram } from "../../../../../packages/sdk/src/calls/program/formatProgram.ts";
import { live } from "../../../../../packages/sdk/src/calls/program/live.ts";
import type { ProgramAmount } from "../../../../../packages/sdk/src/calls/program/placeholder.ts";
import type { FunctionStep, Program } from "../../../../../packages/sdk/src/calls/program/program.ts";
import { returned } from "../../../../../packages/sdk/src/calls/program/returned.ts";
import { refusal } from "../../../../support/rejection.ts";
import { CONTRACTS, DOLLAR, EURO, VAULT } from "./fixtures.ts";
import { fillAmounts, Random, randomProgram, writeNumber } from "./randomProgram.ts";
import { inputs } from "../../../../support/inputs.ts";

const RUNS = inputs(30);
const abisOf = (program: Program) => program.steps.flatMap((step) => ("abi" in step ? [step.abi] : []));

/** Returns a number for each amount. The number identifies the amount and fits into every place. */
function numberOf(amount: ProgramAmount): bigint {
  return "word" in amount
    ? BigInt(100_000 * (amount.word + 1) + amount.shareBps)
    : (BigInt(amount.token) % 2n ** 96n) * 2n ** 24n + BigInt(amount.shareBps);
}

/** Returns the call data after the executor's patches, with the number of each draw. */
function patch({ draws, patches, data }: DecodedStep, tokens: readonly Hex[]): Hex {
  return patches.reduce<Hex>((patched, { draw, offset, width }) => {
    const drawn = draws[draw]!;
    if (drawn.kind === "fixedValue") throw new Error("a fixed value is not written to call data");
    const number =
      drawn.kind === "returned"
        ? numberOf(returned(drawn.word, { shareBps: drawn.shareBps }))
        : numberOf(live(tokens[drawn.token]!, { shareBps: drawn.shareBps }));
    return writeNumber(patched, offset, width, number);
  }, data);
}

/** Converts values to text, so that their types do not matter. */
function toText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toText);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toText(part)]));
  }
  return typeof value === "string" && isAddress(value, { strict: false }) ? value.toLowerCase() : String(value);
}

describe("random programs", () => {
  it("decode from their bytes to the written amounts", () => {
    let count = 0;
    for (let run = 0; run < RUNS; run++) {
      const program = randomProgram(new Random(run), { tokens: [DOLLAR, EURO], targets: [VAULT] });
      const { steps, tokens } = decodeProgram(encodeProgram(program, CONTRACTS));
      expect(steps).to.have.length(program.steps.length);
      for (const [index, step] of steps.entries()) {
        const { abi, args = [] } = program.steps[index] as FunctionStep;
        const data = patch(
          step,
          tokens.map(({ token }) => token),
        );
        const { args: read = [] } = decodeFunctionData({ abi, data });
        expect(toText(read), `seed ${run}, step ${index}`).to.deep.equal(toText(fillAmounts(args, numberOf)));
        count += step.patches.length;
      }
    }
    // Shows that the generator produces amounts.
    expect(count).to.be.above(3 * RUNS);
  });

  it("print every call by name", () => {
    for (let run = 0; run < RUNS; run++) {
      const program = randomProgram(new Random(run), { tokens: [DOLLAR, EURO], targets: [VAULT] });
      const text = formatProgram(decodeProgram(encodeProgram(program, CONTRACTS)), { abis: abisOf(program) });
      const names = [...text.matchAll(/^\d+\. \w+\.(call\d+)\(/gmu)].map(([, name]) => name);
      expect(names).to.deep.equal(program.steps.map((step) => "abi" in step && step.functionName));
    }
  });

  it("are rejected if a byte is missing or added", () => {
    for (let run = 0; run < RUNS; run++) {
      const random = new Random(run);
      const bytes = encodeProgram(randomProgram(random, { tokens: [DOLLAR, EURO], targets: [VAULT] }), CONTRACTS);
      const cut = bytes.slice(0, 2 + 2 * random.below((bytes.length - 2) / 2)) as Hex;
      expect(refusal(() => decodeProgram(cut))).to.include({ code: "MALFORMED_DATA" });
      expect(refusal(() => decodeProgram(`${bytes}00`))).to.include({ code: "MALFORMED_DATA" });
    }
  });
});

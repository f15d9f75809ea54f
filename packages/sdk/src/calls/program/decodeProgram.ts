import { type Address, getAddress, type Hex } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import type { DecodedDraw, DecodedPatch, DecodedProgram, DecodedStep, DecodedToken } from "./decodedProgram.ts";
import { DRAW_KINDS, POLICY_KINDS, PROGRAM_VERSION } from "./layout.ts";
import type { PatchWidth } from "./placeholder.ts";
import type { ProgramPolicy } from "./program.ts";

/**
 * Decodes a program of the push executor. Accepts any program with a valid layout. Does not check whether the executor
 * would run the program, which depends on the chain.
 *
 * @throws {@link MalformedDataError} with the part that does not match the layout
 */
export function decodeProgram(bytes: Hex): DecodedProgram {
  if (!/^0x(?:[0-9a-f]{2})*$/iu.test(bytes)) malformed("", "it is not hex of whole bytes");
  const reader = new Reader(bytes);
  const version = reader.number(1);
  if (version !== PROGRAM_VERSION) malformed("version", `it is ${version}, but only ${PROGRAM_VERSION} is known`);
  const policyNumber = reader.number(1);
  const policyKind = POLICY_KINDS[policyNumber] ?? malformed("policy", `there is no policy ${policyNumber}`);
  const deadline = reader.bigint(5);
  const [tokenCount, checkCount, stepCount] = [reader.number(1), reader.number(1), reader.number(1)];
  const recipient = reader.reference("recipient");
  const policy = readPolicy(reader, policyKind);
  const heads = times(tokenCount, (index) => readTokenHead(reader, `tokens[${index}]`));
  const tokens = heads.map((head, index) => ({ ...head, minimumIn: reader.amount(`tokens[${index}].minimumIn`) }));
  const checks = times(checkCount, (index) => ({
    token: reader.address(),
    minimumOut: reader.amount(`checks[${index}].minimumOut`),
  }));
  const steps = times(stepCount, (index) => readStep(reader, `steps[${index}]`, tokenCount));
  reader.requireEnd();
  return { deadline, policy, recipient, tokens, checks, steps };
}

function readPolicy(reader: Reader, kind: ProgramPolicy["kind"]): ProgramPolicy {
  if (kind === "revert") return { kind };
  return { kind, recipient: reader.address(), stepsGas: reader.number(4), reserveGas: reader.number(4) };
}

function readTokenHead(reader: Reader, path: string): Omit<DecodedToken, "minimumIn"> {
  const flags = reader.number(1);
  if (flags > 1) malformed(`${path}.flags`, `there are no flags ${flags}`);
  return { token: reader.address(), keepUnit: flags === 1 };
}

function readStep(reader: Reader, path: string, tokenCount: number): DecodedStep {
  const [drawCount, patchCount, length] = [reader.number(1), reader.number(1), reader.number(2)];
  const target = reader.reference(`${path}.target`);
  const draws = times(drawCount, (index) => readDraw(reader, `${path}.draws[${index}]`, tokenCount));
  const patches = times(patchCount, (index) => readPatch(reader, `${path}.patches[${index}]`, drawCount, length));
  return { target, draws, patches, data: reader.hex(length) };
}

function readDraw(reader: Reader, path: string, tokenCount: number): DecodedDraw {
  const number = reader.number(1);
  const kind = DRAW_KINDS[number] ?? malformed(path, `there is no draw of kind ${number}`);
  const index = reader.number(1);
  const shareBps = reader.number(2);
  switch (kind) {
    case "returned":
      return { kind, word: index, shareBps };
    case "fixedValue":
      if (index !== 0 || shareBps !== 0) malformed(path, "a fixed value has neither index nor share");
      return { kind, value: reader.bigint(16) };
    case "balance":
    case "forTarget":
    case "value":
    case "forSpender":
      if (index >= tokenCount) malformed(path, `there is no token ${index}`);
      if (kind === "forSpender") return { kind, token: index, shareBps, spender: reader.address() };
      return { kind, token: index, shareBps };
  }
}

function readPatch(reader: Reader, path: string, drawCount: number, length: number): DecodedPatch {
  const [draw, offset, width] = [reader.number(1), reader.number(2), reader.number(1)];
  if (draw >= drawCount) malformed(path, `there is no draw ${draw}`);
  if (!isPatchWidth(width)) malformed(path, `an amount has 16, 20 or 32 bytes, not ${width}`);
  if (offset < 4 || offset + width > length) {
    malformed(path, `bytes ${offset} to ${offset + width} are not between the selector and the end at ${length}`);
  }
  return { draw, offset, width };
}

function isPatchWidth(width: number): width is PatchWidth {
  return width === 16 || width === 20 || width === 32;
}

function times<Item>(count: number, read: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => read(index));
}

function malformed(path: string, reason: string): never {
  throw new MalformedDataError({
    what: "the program",
    path,
    reason,
    hint: "Pass the program argument of execute or pullAndExecute.",
  });
}

/** Reader of consecutive big-endian values. */
class Reader {
  readonly #bytes: Hex;
  readonly #length: number;
  #cursor = 0;

  constructor(bytes: Hex) {
    this.#bytes = bytes;
    this.#length = (bytes.length - 2) / 2;
  }

  hex(count: number): Hex {
    const end = this.#cursor + count;
    if (end > this.#length) malformed("", `it has ${this.#length} bytes, but ${end} are needed`);
    const part: Hex = `0x${this.#bytes.slice(2 + 2 * this.#cursor, 2 + 2 * end).toLowerCase()}`;
    this.#cursor = end;
    return part;
  }

  bigint(count: number): bigint {
    return count === 0 ? 0n : BigInt(this.hex(count));
  }

  number(count: number): number {
    return Number(this.bigint(count));
  }

  address(): Address {
    return getAddress(this.hex(20));
  }

  /** Reads the address that follows, or the address at a position in the program. */
  reference(path: string): Address {
    const position = this.number(2);
    if (position === 0) return this.address();
    const end = position + 20;
    if (end > this.#length) malformed(path, `it ends at byte ${end}, but the program has ${this.#length}`);
    return getAddress(`0x${this.#bytes.slice(2 + 2 * position, 2 + 2 * end).toLowerCase()}`);
  }

  /** Length-prefixed. */
  amount(path: string): bigint {
    const count = this.number(1);
    if (count > 32) malformed(path, `an amount has at most 32 bytes, not ${count}`);
    return this.bigint(count);
  }

  requireEnd(): void {
    if (this.#cursor < this.#length) {
      malformed("", `it has ${this.#length} bytes, but its last step ends after ${this.#cursor}`);
    }
  }
}

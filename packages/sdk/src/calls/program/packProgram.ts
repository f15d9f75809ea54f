import { type Address, concat, type Hex, numberToHex, size } from "viem";

import type { DecodedDraw, DecodedPatch, DecodedProgram, DecodedStep } from "./decodedProgram.ts";
import { DRAW_KINDS, HEADER_SIZE, HIGHEST_POSITION, POLICY_KINDS, PROGRAM_VERSION } from "./layout.ts";

/**
 * Packs a program. Fields must fit their widths. The recipient, and addresses that the program already contains, become
 * references.
 */
export function packProgram(program: DecodedProgram): Hex {
  // Packs twice, because the recipient's address can be part of the program. Its position affects no other byte.
  const position = findAddress(pack(program, HIGHEST_POSITION), program.recipient, HEADER_SIZE);
  return pack(program, position);
}

/** @param position position of the recipient; zero to write the address instead */
function pack(program: DecodedProgram, position: number): Hex {
  const { policy, tokens, checks, steps } = program;
  const start = concat([
    number(PROGRAM_VERSION, 1),
    number(POLICY_KINDS.indexOf(policy.kind), 1),
    number(program.deadline, 5),
    number(tokens.length, 1),
    number(checks.length, 1),
    number(steps.length, 1),
    packReference(program.recipient, position),
    ...(policy.kind === "fallBack" ? [policy.recipient, number(policy.stepsGas, 4), number(policy.reserveGas, 4)] : []),
    ...tokens.flatMap(({ token, keepUnit }) => [number(keepUnit ? 1 : 0, 1), token]),
    ...tokens.map(({ minimumIn }) => packAmount(minimumIn)),
    ...checks.flatMap(({ token, minimumOut }) => [token, packAmount(minimumOut)]),
  ]);
  return steps.reduce<Hex>((bytes, step) => lowerCase(concat([bytes, packStep(step, bytes)])), lowerCase(start));
}

/** @param before bytes before the step, in lower case */
function packStep({ target, draws, patches, data }: DecodedStep, before: Hex): Hex {
  return concat([
    number(draws.length, 1),
    number(patches.length, 1),
    number(size(data), 2),
    packReference(target, findAddress(before, target, HEADER_SIZE)),
    ...draws.map(packDraw),
    ...patches.map(packPatch),
    data,
  ]);
}

/** Returns the position of an address in bytes, at or after `start`; zero if a reference cannot reach it. */
function findAddress(bytes: Hex, address: Address, start: number): number {
  const digits = address.slice(2).toLowerCase();
  let found = bytes.indexOf(digits, 2 + 2 * start);
  while (found % 2 === 1) found = bytes.indexOf(digits, found + 1);
  const position = (found - 2) / 2;
  return found === -1 || position > HIGHEST_POSITION ? 0 : position;
}

function packReference(address: Address, position: number): Hex {
  return position === 0 ? concat([number(0, 2), address]) : number(position, 2);
}

function packDraw(draw: DecodedDraw): Hex {
  const kind = number(DRAW_KINDS.indexOf(draw.kind), 1);
  switch (draw.kind) {
    case "balance":
    case "forTarget":
    case "value":
      return concat([kind, number(draw.token, 1), number(draw.shareBps, 2)]);
    case "forSpender":
      return concat([kind, number(draw.token, 1), number(draw.shareBps, 2), draw.spender]);
    case "returned":
      return concat([kind, number(draw.word, 1), number(draw.shareBps, 2)]);
    case "fixedValue":
      return concat([kind, number(0, 3), number(draw.value, 16)]);
  }
}

function packPatch({ draw, offset, width }: DecodedPatch): Hex {
  return concat([number(draw, 1), number(offset, 2), number(width, 1)]);
}

/** Length-prefixed. */
function packAmount(amount: bigint): Hex {
  if (amount === 0n) return number(0, 1);
  const length = Math.ceil(amount.toString(16).length / 2);
  return concat([number(length, 1), number(amount, length)]);
}

function number(value: bigint | number, bytes: number): Hex {
  return numberToHex(value, { size: bytes });
}

function lowerCase(bytes: Hex): Hex {
  return bytes.toLowerCase() as Hex;
}

import { concat, type Hex, numberToHex, size } from "viem";

import type { DecodedDraw, DecodedPatch, DecodedProgram, DecodedStep } from "./decodedProgram.ts";
import { DRAW_KINDS, POLICY_KINDS, PROGRAM_VERSION } from "./layout.ts";

/** Fields must fit their widths. */
export function packProgram(program: DecodedProgram): Hex {
  const { policy, tokens, checks, steps } = program;
  return concat([
    number(PROGRAM_VERSION, 1),
    number(POLICY_KINDS.indexOf(policy.kind), 1),
    number(program.deadline, 5),
    program.recipient,
    number(tokens.length, 1),
    number(checks.length, 1),
    number(steps.length, 1),
    ...(policy.kind === "fallBack" ? [policy.recipient, number(policy.stepsGas, 4), number(policy.reserveGas, 4)] : []),
    ...tokens.flatMap(({ token, keepUnit }) => [number(keepUnit ? 1 : 0, 1), token]),
    ...tokens.map(({ minimumIn }) => packAmount(minimumIn)),
    ...checks.flatMap(({ token, minimumOut }) => [token, packAmount(minimumOut)]),
    ...steps.map(packStep),
  ]).toLowerCase() as Hex;
}

function packStep({ target, draws, patches, data }: DecodedStep): Hex {
  return concat([
    number(draws.length, 1),
    number(patches.length, 1),
    number(size(data), 2),
    target,
    ...draws.map(packDraw),
    ...patches.map(packPatch),
    data,
  ]);
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

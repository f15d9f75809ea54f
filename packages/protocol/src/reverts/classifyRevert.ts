import { type Abi, decodeAbiParameters, type Hex, parseAbiItem, toFunctionSelector } from "viem";

import type { FailReason } from "../request/failReasons.ts";
import {
  KNOWN_ERRORS,
  KNOWN_TEXTS,
  MASKING_ERRORS,
  TEXT_ERRORS,
  WRAPPING_ERRORS,
  ZERO_REASONS,
} from "./knownErrors.ts";

export type AbiError = Extract<Abi[number], { readonly type: "error" }>;

export interface KnownError {
  readonly abi: AbiError;
  /** Meaning of the error, or the kind of its last argument: another call's revert data (`wrapping`) or a text. */
  readonly kind: FailReason | "wrapping" | "text";
}

const ERRORS: ReadonlyMap<string, KnownError> = new Map(
  [
    ...Object.entries(KNOWN_ERRORS).map(([reason, errors]) => [reason as FailReason, errors] as const),
    ["wrapping", WRAPPING_ERRORS] as const,
    ["text", ["Error(string)", ...TEXT_ERRORS]] as const,
  ].flatMap(([kind, errors]) =>
    errors.map((words): [string, KnownError] => [
      selectorOf(words),
      { kind, abi: parseAbiItem(`error ${words}`) as AbiError },
    ]),
  ),
);

const MASKS: ReadonlySet<string> = new Set(MASKING_ERRORS.map(selectorOf));

/** Whether the error replaces the revert data of an inner call. */
export function isMaskingError(data: Hex): boolean {
  return MASKS.has(data.slice(0, 10));
}

/** By selector. */
export function findKnownError(data: Hex): KnownError | undefined {
  return ERRORS.get(data.slice(0, 10));
}

export function selectorOf(words: string): Hex {
  return toFunctionSelector(`function ${words}`);
}

export interface Revert {
  /** Revert data; absent if the call ended without it, such as out of gas. */
  readonly data?: Hex;
  readonly isOutOfGas?: boolean;
}

export interface ClassifiedRevert {
  readonly failReason: FailReason;
  /** Name and arguments of the error, its text, or its selector. */
  readonly description: string;
}

/** Maximum depth of wrapped errors. Deeper nesting counts as malicious. */
const WRAPS_MAX = 8;

const PANICS: Readonly<Record<string, string>> = {
  "1": "failed assertion",
  "17": "arithmetic overflow",
  "18": "division by zero",
  "33": "value outside an enum",
  "34": "malformed bytes in storage",
  "49": "pop of an empty array",
  "50": "index out of bounds",
  "65": "memory exhausted",
  "81": "call to an empty function pointer",
};

/**
 * Returns the `failReason` of revert data (spec 1, section 2.6): `EXECUTION_REVERTED` for unspecific data, and
 * `MISSING_REVERT_DATA` without data.
 */
export function classifyRevert(revert: Revert): ClassifiedRevert {
  if (revert.isOutOfGas === true) return { failReason: "SWAP_USES_TOO_MUCH_GAS", description: "out of gas" };
  return classifyData(revert.data ?? "0x", 0);
}

function classifyData(data: Hex, depth: number): ClassifiedRevert {
  if (data === "0x") return { failReason: "MISSING_REVERT_DATA", description: "no revert data" };
  const unknown: ClassifiedRevert = { failReason: "EXECUTION_REVERTED", description: `error ${data.slice(0, 10)}` };
  const panic = readPanic(data);
  if (panic !== undefined) return { failReason: "EXECUTION_REVERTED", description: panic };
  const known = findKnownError(data);
  const args = known === undefined ? undefined : readArguments(known.abi, data);
  if (known === undefined || args === undefined) return unknown;
  const description = `${known.abi.name}(${args.join(", ")})`;
  switch (known.kind) {
    case "text": {
      const text = String(args.at(-1));
      const failReason = KNOWN_TEXTS.find(([pattern]) => pattern.test(text))?.[1] ?? "EXECUTION_REVERTED";
      return { failReason, description: text };
    }
    case "wrapping": {
      const inner = args.at(-1) as Hex;
      // A failed transfer without a reason is a transfer failure.
      if (inner === "0x" && known.abi.name === "NativeTransferFailed")
        return { failReason: "TRANSFER_FAILED", description };
      return depth < WRAPS_MAX ? classifyData(inner, depth + 1) : unknown;
    }
    default: {
      const [first] = args;
      const ofZero = first === 0n ? ZERO_REASONS[known.abi.name] : undefined;
      return { failReason: ofZero ?? known.kind, description };
    }
  }
}

/** Returns the description of a panic, or undefined for other data. */
export function readPanic(data: Hex): string | undefined {
  if (data.slice(0, 10) !== selectorOf("Panic(uint256)") || data.length !== 74) return undefined;
  const code = BigInt(`0x${data.slice(10)}`);
  return `Panic(0x${code.toString(16)}): ${PANICS[code.toString()] ?? "unknown code"}`;
}

/** Returns undefined if only the selector matches. */
function readArguments(abi: AbiError, data: Hex): readonly unknown[] | undefined {
  try {
    return decodeAbiParameters(abi.inputs, `0x${data.slice(10)}`);
  } catch {
    return undefined;
  }
}
